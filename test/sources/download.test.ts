import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../command.ts';
import { isRequired } from '../required.ts';
import { makeTree, skillMd } from '../tree.ts';

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl && !isRequired)('an archive on a server', () => {
  const cwd = makeTree({ 'skills/a/SKILL.md': skillMd('a') });
  const archive = () => readFileSync(join(cwd, 'x.tgz'));
  const paths: string[] = [];
  let base: string;
  let pin: string;
  const server = () =>
    createServer(
      { key: readFileSync(join(cwd, 'key.pem')), cert: readFileSync(join(cwd, 'cert.pem')) },
      (request, response) => {
        const path = request.url ?? '';
        paths.push(path);
        if (path === '/moved') response.writeHead(302, { location: '/x.tgz' }).end();
        else if (path === '/round') response.writeHead(302, { location: '/round' }).end();
        else if (path === '/plain') response.writeHead(302, { location: 'http://127.0.0.1:9/x.tgz' }).end();
        else if (path === '/endless') {
          response.on('error', () => undefined);
          const write = () => {
            while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024)));
            if (!response.destroyed) response.once('drain', write);
          };
          write();
        } else if (path.startsWith('/x.tgz')) response.end(archive());
        else response.writeHead(404).end();
      },
    );
  let running: ReturnType<typeof server>;

  beforeAll(async () => {
    execFileSync('tar', ['-czf', 'x.tgz', 'skills'], { cwd });
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', [...args, '-keyout', 'key.pem', '-out', 'cert.pem', ...subject], { cwd, stdio: 'ignore' });
    pin = createHash('sha256').update(archive()).digest('hex');
    running = server();
    await new Promise<void>((resolve) => running.listen(0, '127.0.0.1', resolve));
    base = `https://localhost:${(running.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    running?.closeAllConnections();
    running?.close();
  });

  const list = (root: string) =>
    run(['list', root, '--json'], { cwd, env: { NODE_EXTRA_CA_CERTS: join(cwd, 'cert.pem') } });

  test('is served where it is what was pinned, also behind a redirect', async () => {
    for (const path of ['/x.tgz', '/x.tgz?version=1', '/moved']) {
      const root = `${base}${path}#sha256=${pin}`;
      const { status, stdout } = await list(root);
      expect([status, JSON.parse(stdout).sources]).toEqual([0, [{ root, revision: `sha256:${pin}` }]]);
    }
  });

  test.each([
    [
      '/x.tgz',
      '0'.repeat(64),
      'and 0000000000000000000000000000000000000000000000000000000000000000 is pinned [root-unreadable]',
    ],
    ['/round', '0'.repeat(64), '/round leads to more than 5 others [root-unreadable]'],
    ['/none', '0'.repeat(64), 'answers 404 [root-unreadable]'],
    ['/plain', '0'.repeat(64), '/plain leads to a server without TLS [root-unreadable]'],
    ['/endless', '0'.repeat(64), 'bytes, and 67108864 are the most [root-unreadable]'],
  ])('is not where %s', async (path, hex, why) => {
    const { status, stdout, stderr } = await list(`${base}${path}#sha256=${hex}`);
    expect([status, stdout, stderr]).toEqual([3, '', expect.stringContaining(why)]);
  });

  test('needs a server that proves who it is', async () => {
    const { status, stderr } = await run(['list', `${base}/x.tgz#sha256=${pin}`], { cwd });
    expect([status, stderr]).toEqual([3, expect.stringContaining('cannot be fetched: DEPTH_ZERO_SELF_SIGNED_CERT')]);
  });
});
