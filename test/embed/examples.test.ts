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
import { loadSkills } from '../../src/load.ts';
import { collect } from '../command.ts';
import { makeTree, skillMd } from '../tree.ts';
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

/** An example, or another program, as its author's build would leave it. */
function compile(name: string, source = readFileSync(join(EXAMPLES, `${name}.ts`), 'utf8')): string {
  const { code } = transformSync(source, { loader: 'ts', format: 'esm' });
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
    expect((await walk(client, 'tools/list', 'tools')).map((tool) => (tool as { name: string }).name)).toEqual([
      'find-order',
      'skill_list',
      'skill_load',
      'skill_file',
    ]);
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
    // what hosts use that do not know the extension
    expect(client.getInstructions()).toMatch(
      /^Skills to load with skill_load before a task that one fits: on-call, refunds\.\n/,
    );
    expect(await ask(client, 'tools/call', { name: 'skill_load', arguments: { skill: 'refunds' } })).toMatchObject({
      content: [{}, { text: readFileSync(join(EXAMPLES, 'skills', 'refunds', 'SKILL.md'), 'utf8') }],
    });
  });
});

describe('a server of 2.x on stdio that follows its skills', () => {
  test.each(LINES)('to the %s client', async (line) => {
    const client = await connectStdio(line, compile('live'));
    expect(await verifySkills(client, catalog, line === 'modern')).toBe(3);
    expect(client.getServerCapabilities()?.resources).toMatchObject({ listChanged: true });
  });
});

describe('a low-level server on stdio', () => {
  const load = `import { loadSkills } from 'mcp-server-skills';
    const skills = await loadSkills('skills', { from: import.meta.url });`;
  const sources = {
    '1.x': `${load}
      import { Server } from '@modelcontextprotocol/sdk/server/index.js';
      import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
      import { publishSkills } from 'mcp-server-skills/sdk';
      const server = new Server({ name: 'low', version: '1.0.0' });
      publishSkills(server, skills);
      await server.connect(new StdioServerTransport());`,
    '2.x': `${load}
      import { Server } from '@modelcontextprotocol/server';
      import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
      import { publishSkills } from 'mcp-server-skills/server';
      const server = new Server({ name: 'low', version: '1.0.0' });
      publishSkills(server, skills);
      await server.connect(new StdioServerTransport());`,
  };

  test.each(Object.entries(sources))('of %s', async (name, source) => {
    const file = compile(`low-${name}`, source);
    for (const line of ['1.x', 'legacy'] as const) {
      expect(await verifySkills(await connectStdio(line, file), catalog, false)).toBe(3);
    }
  });
});

describe('a server whose skills break a rule', () => {
  test('does not start, and says all of it', async () => {
    const root = makeTree({
      'first/SKILL.md': skillMd('other'),
      'second/SKILL.md': '---\nname: second\n---\n',
      'sound/SKILL.md': skillMd('sound'),
    });
    const source = `import { loadSkills } from 'mcp-server-skills';
      const skills = await loadSkills([${JSON.stringify(root)}, 'nowhere'], { from: import.meta.url });
      console.log('started with', skills.skills.length);`;
    const child = spawn(process.execPath, [compile('broken', source)], { stdio: 'pipe' });
    const output = collect(child);
    const status = await new Promise((resolve) => child.once('close', resolve));
    const [, shown = ''] = output.stderr.split(/^(?=SkillsError: )/m);
    const [message] = shown.split('\n    at ');
    expect([status, output.stdout, message?.split('\n'), shown.includes('problems: [')]).toEqual([
      1,
      '',
      [
        'SkillsError: 3 problems keep the skills from being published:',
        `${root}/first/SKILL.md:2:7: error: the name "other" is not the name of its folder, "first" [name-mismatch]`,
        '  = hint: write "name: first", or rename the folder to "other"',
        `${root}/second/SKILL.md:1:1: error: the description is missing [description-missing]`,
        expect.stringMatching(/^ {2}= hint: /),
        `nowhere: error: there is no folder "nowhere" in "${folder}" or in a folder above it [root-missing]`,
        '  = hint: create it, or pass its absolute path',
      ],
      false,
    ]);
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

test('a server with views shows callers what they may see', async () => {
  const port = await findPort();
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const env = { ...process.env, PORT: String(port), OPERATOR_TOKEN: 'first-token' };
  children.push(spawn(process.execPath, [compile('views')], { env, cwd: '/', stdio: 'inherit' }));
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await expect.poll(isUp, { timeout: 20_000 }).toBe(true);
  const list = async (token: string) => {
    const client = createClient('modern') as Exclude<AnyClient, SdkClient>;
    clients.push(client);
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    return (await client.listResources()).resources.map(({ uri }) => uri);
  };
  const all = catalog.skills.map(({ uri }) => uri);
  expect(await list('first-token')).toEqual(all);
  expect(await list('another')).toEqual(all.filter((uri) => !uri.startsWith('skill://on-call/')));
});

test('the documentation shows each example as it is', () => {
  const text = ['embedding', 'live', 'policy']
    .map((page) => readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8'))
    .join('');
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
