import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as SdkInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as SdkMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, test } from 'vitest';
import type { LiveSkills } from '../../src/catalog/live.ts';
import { publishSkills as publishOnSdk } from '../../src/mcp/sdk.ts';
import { publishSkills as publishOnServer } from '../../src/mcp/server.ts';
import type { PublishOptions } from '../../src/mcp/settings.ts';
import { makeTree, skillMd } from '../tree.ts';
import { follow, until } from './state.ts';

const INFO = { name: 'host', version: '1.0.0' };
const SURFACES: PublishOptions = { tools: 'always', prompts: true, instructions: true };
const A = 'skill://a/SKILL.md';
const closing: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of closing.splice(0)) await each.close();
});

async function start(): Promise<{ root: string; live: LiveSkills }> {
  const root = makeTree({ 'a/SKILL.md': skillMd('a', 'one'), 'a/x.md': 'x', 'b/SKILL.md': skillMd('b', 'one') });
  return { root, live: await follow(root, { watch: false, settle: 0.01 }) };
}

/** A client of 2.x, everything that its server sends unasked, and the server that it is connected to. */
async function connect(live: LiveSkills, era: 'legacy' | 'modern', options: PublishOptions = SURFACES) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(
    () => {
      const server = new McpServer(INFO, { instructions: 'Mind the host.' });
      publishOnServer(server, live, options);
      return server;
    },
    { transport: far },
  );
  const client = new Client(INFO, {
    versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
  });
  const heard: string[] = [];
  await client.connect(near);
  const hear = near.onmessage;
  near.onmessage = (message, extra) => {
    if ('method' in message) {
      const { uri } = (message.params ?? {}) as { uri?: string };
      heard.push([message.method.replace('notifications/', ''), uri].filter(Boolean).join(' '));
    }
    hear?.(message, extra);
  };
  closing.push(client, handle);
  return { client, heard };
}

const FILTER = { resourcesListChanged: true, promptsListChanged: true, toolsListChanged: true };

describe('a client of 2026-07-28', () => {
  test('hears of what it listens for, and of nothing before', async () => {
    const { root, live } = await start();
    const { client, heard } = await connect(live, 'modern');
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
    });
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    await live.reload();
    // an answer comes after what was sent before it
    await client.listResources();
    expect(heard).toEqual([]);
    const uris = ['skill://a/x.md', A, 'skill://b/SKILL.md', 'skill://none/x.md'];
    const subscription = await client.listen({ ...FILTER, resourceSubscriptions: uris });
    // that tools may change is what an McpServer declares by itself
    expect(subscription.honoredFilter).toEqual({ ...FILTER, resourceSubscriptions: uris });
    heard.length = 0;
    writeFileSync(join(root, 'a/x.md'), 'y');
    await live.reload();
    // a SKILL.md stands for its skill; the names and descriptions of prompts are as they were
    await until(() => heard.length >= 3);
    expect(heard).toEqual(['resources/list_changed', `resources/updated ${A}`, 'resources/updated skill://a/x.md']);
    heard.length = 0;
    writeFileSync(join(root, 'b/SKILL.md'), skillMd('b', 'two'));
    await live.reload();
    await until(() => heard.length >= 3);
    expect(heard).toEqual(['resources/list_changed', 'prompts/list_changed', 'resources/updated skill://b/SKILL.md']);
  });

  test('gets new instructions when it asks again', async () => {
    const { root, live } = await start();
    const { client } = await connect(live, 'modern');
    expect(client.getInstructions()).toContain('Mind the host.');
    expect(client.getInstructions()).toContain('- a: one');
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    await live.reload();
    const { client: later } = await connect(live, 'modern');
    expect(later.getInstructions()).toMatch(/^Mind the host\.\n\n(?:.|\n)*- a: two/);
  });
});

describe.each(['1.x', '2.x'] as const)('a client of 2025 on a stream, of a server of SDK %s', (line) => {
  async function connectLegacy(live: LiveSkills, options: PublishOptions = SURFACES) {
    if (line === '2.x') return connect(live, 'legacy', options);
    const server = new SdkMcpServer(INFO, { instructions: 'Mind the host.' });
    publishOnSdk(server, live, options);
    const [near, far] = SdkInMemoryTransport.createLinkedPair();
    const client = new SdkClient(INFO);
    const heard: string[] = [];
    await Promise.all([server.connect(far), client.connect(near)]);
    client.fallbackNotificationHandler = async ({ method }) => {
      heard.push(method.replace('notifications/', ''));
    };
    closing.push(client);
    return { client, heard };
  }

  test('hears of every change of the lists, and of no file', async () => {
    const { root, live } = await start();
    const { client, heard } = await connectLegacy(live);
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    expect([resources, prompts]).toEqual([{ listChanged: true }, { listChanged: true }]);
    writeFileSync(join(root, 'a/x.md'), 'y');
    await live.reload();
    await until(() => heard.length > 0);
    expect(heard).toEqual(['resources/list_changed']);
    writeFileSync(join(root, 'a/SKILL.md'), skillMd('a', 'two'));
    await live.reload();
    await until(() => heard.length > 2);
    expect(heard).toEqual(['resources/list_changed', 'resources/list_changed', 'prompts/list_changed']);
  });

  test('is promised nothing where there is no stream', async () => {
    const { live } = await start();
    const { client } = await connectLegacy(live, { ...SURFACES, channel: 'none' });
    const { resources, prompts } = client.getServerCapabilities() ?? {};
    expect([resources, prompts]).toEqual([{}, {}]);
  });
});

test('several changes within a second are one notification, and one that was taken back is none', async () => {
  const { root, live } = await start();
  const { heard } = await connect(live, 'legacy');
  const save = async (text: string) => {
    writeFileSync(join(root, 'a/x.md'), text);
    await live.reload();
  };
  await save('1');
  await until(() => heard.length === 1);
  for (const text of ['2', '3', '4']) await save(text);
  await until(() => heard.length === 2);
  const { digest } = live.catalog;
  await save('5');
  await save('4');
  expect(live.catalog.digest).toBe(digest);
  await save('6');
  await until(() => heard.length === 3);
  expect(heard).toEqual(Array(3).fill('resources/list_changed'));
});

test('a file that is gone is answered with where its skill is', async () => {
  const { root, live } = await start();
  const { client } = await connect(live, 'legacy');
  const read = (uri: string) =>
    client.readResource({ uri }).then(
      () => 'read',
      ({ code, message, data }) => ({ code, message, data }),
    );
  expect(await read('skill://a/x.md')).toBe('read');
  writeFileSync(join(root, 'a/y.md'), 'y');
  rmSync(join(root, 'a/x.md'));
  rmSync(join(root, 'b'), { recursive: true });
  await live.reload();
  expect(await read('skill://a/x.md')).toEqual({
    code: -32602,
    message: `no resource is served at skill://a/x.md any more: its skill changed; ask skills/get for ${A}`,
    data: { uri: 'skill://a/x.md', skill: A },
  });
  expect(await read('skill://b/SKILL.md')).toEqual({
    code: -32602,
    message:
      'no resource is served at skill://b/SKILL.md any more: its skill skill://b/SKILL.md is no longer published',
    data: { uri: 'skill://b/SKILL.md', skill: 'skill://b/SKILL.md' },
  });
  // what never was is as before
  expect(await read('skill://a/z.md')).toMatchObject({
    message: 'no file is served at skill://a/z.md',
    data: { uri: 'skill://a/z.md' },
  });
});

test.each(['legacy', 'modern'] as const)(
  "a prompt of the host that a reload brings again stays the host's, %s",
  async (era) => {
    const { root, live } = await start();
    const [near, far] = InMemoryTransport.createLinkedPair();
    const handle = serveStdio(
      () => {
        const server = new McpServer(INFO);
        server.registerPrompt('greet', { description: 'of the host' }, () => ({
          messages: [{ role: 'user', content: { type: 'text', text: 'hello' } }],
        }));
        publishOnServer(server, live, { prompts: true });
        return server;
      },
      { transport: far },
    );
    const client = new Client(INFO, {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    });
    await client.connect(near);
    closing.push(client, handle);
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => warnings.push(message);
    process.on('warning', onWarning);
    await client.listPrompts();
    mkdirSync(join(root, 'greet'));
    writeFileSync(join(root, 'greet/SKILL.md'), skillMd('greet', 'of a skill'));
    await live.reload();
    const { prompts } = await client.listPrompts(undefined, { cacheMode: 'refresh' } as never);
    expect(prompts.map(({ name, description }) => [name, description])).toEqual([
      ['greet', 'of the host'],
      ['a', 'one'],
      ['b', 'one'],
    ]);
    expect((await client.getPrompt({ name: 'greet' })).messages).toMatchObject([{ content: { text: 'hello' } }]);
    await until(() =>
      warnings.includes(
        'the skill of the prompt "greet" has none on this server, which has a prompt of that name itself',
      ),
    );
    process.off('warning', onWarning);
  },
);

test('one server object for each request leaves nothing behind', async () => {
  const { root, live } = await start();
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  /** As an HTTP handler does: a server that answers one request, and is then forgotten. */
  const answerOne = async () => {
    const server = new McpServer(INFO);
    publishOnServer(server, live, SURFACES);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const answered = new Promise((resolve) => {
      near.onmessage = resolve;
    });
    await near.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await answered;
    return new WeakRef(server);
  };
  const servers = await Promise.all(Array.from({ length: 20 }, answerOne));
  await until(() => {
    collect();
    return servers.every((server) => server.deref() === undefined);
  });
  const { heard } = await connect(live, 'legacy');
  writeFileSync(join(root, 'a/x.md'), 'y');
  await live.reload();
  await until(() => heard.length === 1);
});
