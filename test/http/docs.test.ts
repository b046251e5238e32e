import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { isRequired } from '../required.ts';
import { findPort, LEGACY_HEADERS, NGINX, start, startNginx, toCall } from './harness.ts';

const text = await readFile(new URL('../../docs/http.md', import.meta.url), 'utf8');
const block = (language: string) => new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? '';
const OPENSSL = '/usr/bin/openssl';
const hasBoth = NGINX !== undefined && existsSync(OPENSSL);

test.skipIf(!hasBoth && !isRequired)('the nginx of the page serves TLS', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tls-'));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=skills.example.com', '-addext', 'subjectAltName=DNS:skills.example.com', '-days', '2'];
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync(OPENSSL, [...kind, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const token = 'a-token-for-the-proxy';
  const server = await start({ allowHosts: ['skills.example.com'], auth: { token }, trustProxy: true });
  const port = await findPort();
  const nginx = await startNginx(
    folder,
    block('nginx')
      .replace('127.0.0.1:3000', `127.0.0.1:${server.port}`)
      .replace('127.0.0.1:3001', `127.0.0.1:${server.port}`)
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('/etc/ssl/skills.example.com.pem', certificate)
      .replace('/etc/ssl/skills.example.com.key', key),
  );
  const ca = await readFile(certificate);
  const ask = (headers: Record<string, string>) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      const target = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', servername: 'skills.example.com', ca };
      request({ ...target, headers: { ...LEGACY_HEADERS, host: 'skills.example.com', ...headers }, agent: false })
        .on('response', async (response) => {
          let body = '';
          for await (const chunk of response) body += chunk;
          resolve([response.statusCode, body]);
        })
        .on('error', reject)
        .end(toCall('ping'));
    });
  await vi.waitFor(() => ask({}), 15_000);
  expect((await ask({}))[0]).toBe(401);
  expect(await ask({ authorization: `Bearer ${token}` })).toEqual([200, expect.stringContaining('"result":{}')]);
  expect((await ask({ authorization: `Bearer ${token}`, origin: 'https://evil.example' }))[0]).toBe(403);
  nginx.kill('SIGTERM');
  await server.close();
  await rm(folder, { recursive: true });
});

test('the manifest of the page asks what the server answers, and gives it nothing it does not need', async () => {
  const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) });
  const container = z.object({
    args: z.array(z.string()),
    readinessProbe: probe,
    livenessProbe: probe,
    securityContext: z.object({
      readOnlyRootFilesystem: z.literal(true),
      allowPrivilegeEscalation: z.literal(false),
      capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
    }),
  });
  const pod = z.object({
    securityContext: z.object({ runAsNonRoot: z.literal(true), runAsUser: z.number().positive() }),
    containers: z.tuple([container]),
  });
  const deployment = z.object({ spec: z.object({ template: z.object({ spec: pod }) }) });
  const [first] = parseAllDocuments(block('yaml'), { version: '1.1' }).map((document) => document.toJS());
  const [{ args, readinessProbe, livenessProbe }] = deployment.parse(first).spec.template.spec.containers;

  const server = await start();
  for (const { httpGet } of [readinessProbe, livenessProbe]) {
    expect((await fetch(new URL(httpGet.path, server.url))).status).toBe(200);
  }
  await server.close();
  const options = [...args, ...(/^ExecStart=(.*)$/m.exec(block('ini'))?.[1] ?? '').split(' ')]
    .filter((argument) => argument.startsWith('--'))
    .map((argument) => argument.split('=')[0]);
  expect(options.length).toBeGreaterThan(8);
  for (const option of options) expect(text).toMatch(new RegExp(`^\\| .*\`${option}[ \`]`, 'm'));
});

const ANALYZE = '/usr/bin/systemd-analyze';
test.skipIf(!existsSync(ANALYZE))('systemd understands the unit of the page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unit-'));
  const unit = join(folder, 'mcp-server-skills.service');
  await writeFile(unit, block('ini'));
  expect(execFileSync(ANALYZE, ['verify', unit], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })).toBe('');
  await rm(folder, { recursive: true });
});
