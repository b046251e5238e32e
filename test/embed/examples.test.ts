import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as SdkStdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as SdkStreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { loadSkills } from '../../src/catalog/load.ts';
import { type AnyClient, ask, createClient, verifySkills, walk } from './clients.ts';

const EXAMPLES = fileURLToPath(new URL('examples', import.meta.url));
const LINES = ['1.x', 'legacy', 'modern'] as const;

let folder: string;
let catalog: SkillCatalog;
const clients: AnyClient[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  // beside the skills and inside the package, whose built entry points they import
  folder = mkdtempSync(join(EXAMPLES, '.run-'));
  catalog = await loadSkills(join(EXAMPLES, 'skills'));
});

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** An example as its author's build would leave it. */
function compile(name: string): string {
  const { code } = transformSync(readFileSync(join(EXAMPLES, `${name}.ts`), 'utf8'), { loader: 'ts', format: 'esm' });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return file;
}

async function connectStdio(line: (typeof LINES)[number], file: string): Promise<AnyClient> {
  const client = createClient(line);
  const params = { command: process.execPath, args: [file], cwd: '/', stderr: 'inherit' as const };
  if (client instanceof SdkClient) await client.connect(new SdkStdioClientTransport(params));
  else await client.connect(new StdioClientTransport(params));
  clients.push(client);
  return client;
}

describe('an existing server of 1.x on stdio', () => {
  test.each(['1.x', 'legacy'] as const)('to the %s client', async (line) => {
    const client = await connectStdio(line, compile('sdk'));
    expect(await verifySkills(client, catalog, false)).toBe(3);
    expect(await walk(client, 'tools/list', 'tools')).toMatchObject([{ name: 'find-order' }]);
    expect(await ask(client, 'tools/call', { name: 'find-order', arguments: { number: '7' } })).toEqual({
      content: [{ type: 'text', text: 'Order 7: delivered 12 days ago' }],
    });
    expect(await ask(client, 'resources/read', { uri: 'orders://hours' })).toEqual({
      contents: [{ uri: 'orders://hours', text: 'Monday to Friday, 9 to 17' }],
    });
    const uris = (await walk(client, 'resources/list', 'resources')).map((item) => (item as { uri: string }).uri);
    expect(uris).toEqual(['orders://hours', 'skill://on-call/SKILL.md', 'skill://refunds/SKILL.md']);
  });
});

describe('a server of 2.x on stdio', () => {
  test.each(LINES)('to the %s client', async (line) => {
    const client = await connectStdio(line, compile('stdio'));
    expect(await verifySkills(client, catalog, line === 'modern')).toBe(3);
  });
});

describe('a server of 2.x on Hono', () => {
  let url: URL;

  beforeAll(async () => {
    const port = await findPort();
    url = new URL(`http://127.0.0.1:${port}/mcp`);
    const env = { ...process.env, PORT: String(port), API_TOKENS: 'first-token,second-token' };
    children.push(spawn(process.execPath, [compile('http')], { env, cwd: '/', stdio: 'inherit' }));
    for (let attempt = 0; attempt < 200; attempt++) {
      if (
        await fetch(url)
          .then(() => true)
          .catch(() => false)
      )
        return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the example does not listen');
  });

  async function connectHttp(line: (typeof LINES)[number], token: string): Promise<AnyClient> {
    const client = createClient(line);
    const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
    if (client instanceof SdkClient) await client.connect(new SdkStreamableHTTPClientTransport(url, options) as never);
    else await client.connect(new StreamableHTTPClientTransport(url, options));
    clients.push(client);
    return client;
  }

  test.each(LINES)('shows every admitted caller every skill, with the %s client', async (line) => {
    for (const token of ['first-token', 'second-token']) {
      expect(await verifySkills(await connectHttp(line, token), catalog, line === 'modern')).toBe(3);
    }
  });

  test('admits nobody else', async () => {
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    await expect(connectHttp('modern', 'third-token')).rejects.toThrow();
    await expect(connectHttp('1.x', '')).rejects.toThrow();
  });
});

test('the documentation shows each example as it is', () => {
  const text = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
  const shown = [...text.matchAll(/<!-- test\/embed\/examples\/(\w+\.ts) -->\n```ts\n(.*?)```/gs)];
  expect(shown.map(([, name]) => name).sort()).toEqual(
    readdirSync(EXAMPLES)
      .filter((name) => name.endsWith('.ts'))
      .sort(),
  );
  for (const [, name, code] of shown) expect(code).toBe(readFileSync(join(EXAMPLES, name ?? ''), 'utf8'));
});

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
