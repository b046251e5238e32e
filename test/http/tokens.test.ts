import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandError, EXIT } from '../../src/error.ts';
import { loadTokens } from '../../src/http/tokens.ts';
import { connectClient, post, start, toCall } from './harness.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokens-'));
});
afterAll(() => rm(folder, { recursive: true }));

const hash = (token: string) => createHash('sha256').update(token).digest('hex');

async function writeTokens(text: string, mode = 0o600): Promise<string> {
  const file = join(folder, `tokens-${Math.random()}`);
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

async function fail(promise: Promise<unknown>): Promise<[number, string]> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CommandError)) throw new Error(`not a CommandError: ${error}`);
  return [error.status, error.message];
}

describe('a token file', () => {
  test('holds plain and hashed tokens, comments, and two tokens of one name', async () => {
    const text = `# who may read\r\n\nalice:one-token\nbob:sha256:${hash('two-token')}\n  alice:three-token  \n`;
    const tokens = await loadTokens({ file: await writeTokens(text), token: 'four-token' });
    const found = ['one-token', 'two-token', 'three-token', 'four-token', 'five-token', '', hash('two-token')];
    expect(found.map((token) => tokens.find(token))).toEqual([
      'alice',
      'bob',
      'alice',
      'env',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    'alice',
    'alice:',
    ':secret-token',
    'al ice:secret-token',
    'alice:sha256:12',
    'alice:sec ret',
    'alice:a:b',
  ])('cannot hold "%s", and the message does not show it', async (line) => {
    const file = await writeTokens(`# first\n${line}\n`);
    const [kind, message] = await fail(loadTokens({ file }));
    expect([kind, message]).toEqual([
      EXIT.usage,
      `line 2 of the token file "${file}" is not name:token or name:sha256:<hex>`,
    ]);
  });

  test('must not be empty, and must be there', async () => {
    expect(await fail(loadTokens({ file: await writeTokens('# nobody\n') }))).toEqual([
      EXIT.usage,
      expect.stringContaining('contains no token'),
    ]);
    expect(await fail(loadTokens({ file: join(folder, 'none') }))).toEqual([
      EXIT.failure,
      expect.stringContaining('ENOENT'),
    ]);
    expect(await fail(loadTokens({ file: folder }))).toEqual([EXIT.failure, expect.stringContaining('EISDIR')]);
    expect(await fail(loadTokens({ token: '' }))).toEqual([EXIT.usage, expect.stringContaining('MCP_SKILLS_TOKEN')]);
    expect(await fail(loadTokens({ token: 'two words' }))).toEqual([
      EXIT.usage,
      expect.stringContaining('MCP_SKILLS_TOKEN'),
    ]);
  });

  test.skipIf(process.platform === 'win32')('must not be readable by others, behind a link either', async () => {
    for (const mode of [0o644, 0o640, 0o604, 0o660, 0o602]) {
      const file = await writeTokens('alice:one-token\n', mode);
      const link = join(folder, `link-${mode}`);
      await symlink(file, link);
      expect(await fail(loadTokens({ file }))).toEqual([EXIT.usage, expect.stringContaining(`chmod 600 "${file}"`)]);
      expect(await fail(loadTokens({ file: link }))).toEqual([EXIT.usage, expect.stringContaining('chmod 600')]);
    }
    for (const mode of [0o600, 0o400]) await loadTokens({ file: await writeTokens('alice:one-token\n', mode) });
  });
});

describe('a server with tokens', () => {
  test('tells a client without a token that it needs one, and one with a wrong token that it is wrong', async () => {
    const server = await start({ auth: { tokenFile: await writeTokens('alice:one-token\n') } });
    const ask = async (authorization?: string) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await post(server.url, toCall('ping'), headers);
      return [response.status, response.headers.get('www-authenticate')];
    };
    const bare = [401, 'Bearer realm="mcp-server-skills"'];
    const wrong = `${bare[1]}, error="invalid_token", error_description="the token is not known"`;
    expect(await ask()).toEqual(bare);
    expect(await ask('Basic YTpi')).toEqual(bare);
    expect(await ask('Bearer')).toEqual(bare);
    expect(await ask('Bearer one-token two')).toEqual(bare);
    expect(await ask('Bearer one-toke')).toEqual([401, wrong]);
    expect(await ask('Bearer one-token')).toEqual([200, null]);
    expect(await ask('bearer  one-token')).toEqual([200, null]);
    // Refused before anything of the body is needed, whatever the method.
    expect((await fetch(server.url)).status).toBe(401);
    expect((await fetch(new URL('/healthz', server.url))).status).toBe(200);

    for (const era of ['modern', 'legacy'] as const) {
      const client = await connectClient(server.url, era, { token: 'one-token' });
      await client.listResources();
      await client.close();
      await expect(connectClient(server.url, era, { token: 'other' })).rejects.toThrow();
    }
    expect(server.log()).not.toMatch(/one-toke|other/);
    expect(server.entries().filter((entry) => entry['token'] === 'alice').length).toBeGreaterThan(3);
    await server.close();
  });

  test('forgets a token that was taken out while an older reading, which is slower, still ran', async () => {
    const file = await writeTokens('alice:one-token\n');
    const tokens = await loadTokens({ file });
    for (let round = 0; round < 20; round += 1) {
      await rename(await writeTokens(`alice:one-token\n${'# padding\n'.repeat(200_000)}`), file);
      await tokens.reload();
      expect(tokens.find('one-token')).toBe('alice');
      const first = tokens.reload();
      const [changed] = await Promise.all([writeTokens('alice:two-token\n'), new Promise((it) => setTimeout(it, 1))]);
      await rename(changed, file);
      await Promise.all([first, tokens.reload()]);
      expect([round, tokens.find('one-token'), tokens.find('two-token')]).toEqual([round, undefined, 'alice']);
    }
  });

  test('reads its file again, and keeps what it had when that fails', async () => {
    const file = await writeTokens('alice:one-token\n');
    const server = await start({ auth: { tokenFile: file } });
    const status = async (token: string) =>
      (await post(server.url, toCall('ping'), { authorization: `Bearer ${token}` })).status;
    await writeFile(file, 'alice:two-token\n');
    expect(await status('one-token')).toBe(200);
    await server.reload();
    expect([await status('one-token'), await status('two-token')]).toEqual([401, 200]);
    await writeFile(file, 'alice\n');
    expect((await fail(server.reload()))[0]).toBe(EXIT.usage);
    await chmod(file, 0o644);
    expect((await fail(server.reload()))[0]).toBe(EXIT.usage);
    await rm(file);
    expect((await fail(server.reload()))[0]).toBe(EXIT.failure);
    expect(await status('two-token')).toBe(200);
    await server.close();
  });
});
