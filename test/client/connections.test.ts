import { InMemoryTransport, Client as ModernClient } from '@modelcontextprotocol/client';
import { Client as SdkClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as SdkInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as SdkMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  connectHttp,
  fromClient,
  type HostConnection,
  type SkillConnection,
  SkillRegistry,
} from '../../src/client/index.ts';
import { publishSkills as publishOnSdk } from '../../src/mcp/sdk.ts';
import { publishSkills } from '../../src/mcp/server.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { Server } from './server.ts';

const SKILLS = [
  {
    path: 'refunds',
    body: 'Refund.\n',
    fields: { license: 'MIT' },
    files: { 'a.md': 'a\r\n', 'b.bin': new Uint8Array([0xff, 0]) },
  },
  { path: 'acme/on-call' },
];
const catalog = makeCatalog(SKILLS);
const INFO = { name: 'the-server', version: '3.2.1' };
const OPTIONS = { instructions: 'Mind the server.' };
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server with a tool beside its skills, on the SDK of its line. */
function addTool<T extends SdkMcpServer | McpServer>(server: T): T {
  const answer = ({ fail }: { fail: boolean }) => ({
    content: [{ type: 'text' as const, text: 'done' }],
    isError: fail,
  });
  const input = { fail: z.boolean() };
  if (server instanceof SdkMcpServer) server.registerTool('work', { inputSchema: input }, answer);
  else server.registerTool('work', { inputSchema: z.object(input) }, answer);
  return server;
}

async function connectSdk(): Promise<SdkClient> {
  const server = addTool(new SdkMcpServer(INFO, OPTIONS));
  publishOnSdk(server, catalog);
  const [near, far] = SdkInMemoryTransport.createLinkedPair();
  const client = new SdkClient({ name: 'host', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  closers.push(() => client.close());
  return client;
}

async function connectModern(mode: 'legacy' | { pin: string }): Promise<ModernClient> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(
    () => {
      const server = addTool(new McpServer(INFO, OPTIONS));
      publishSkills(server, catalog);
      return server;
    },
    { transport: far },
  );
  const client = new ModernClient({ name: 'host', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(near);
  closers.push(
    () => client.close(),
    () => handle.close(),
  );
  return client;
}

const CLIENTS = {
  'SDK 1.x': connectSdk,
  'SDK 2.x, 2025-11-25': () => connectModern('legacy'),
  'SDK 2.x, 2026-07-28': () => connectModern({ pin: '2026-07-28' }),
};

/** All that a host sees of the skills of a connection, but for the fences, which are others in each session. */
async function seeAll(connection: SkillConnection): Promise<unknown> {
  const registry = new SkillRegistry();
  const added = await registry.addServer(connection, 'hf');
  const activations = [];
  for (const { name } of registry.list()) activations.push(await registry.activate(name, 'c'));
  const files = [];
  for (const path of ['SKILL.md', 'a.md', 'b.bin', 'none'])
    files.push(await registry.readFile('hf:refunds', path, 'c'));
  const unlisted = await registry.activate('hf:acme/none');
  const all = { added, list: registry.list(), prompt: registry.toPrompt(), activations, files, unlisted };
  // what a file is of is the server's to say
  const text = JSON.stringify(all, (key, value) => {
    if (key === 'mimeType') return undefined;
    return value instanceof Uint8Array ? [...value] : value;
  });
  return JSON.parse(text.replace(/skill-[0-9a-f]{16}/g, 'skill-NONCE').replace(/ of the type \\"[^"]*\\"/g, ''));
}

describe('the same registry', () => {
  test.each(Object.entries(CLIENTS))('over %s and over a connection written by hand', async (_, connect) => {
    const seen = await seeAll(fromClient(await connect()));
    expect(seen).toEqual(await seeAll(new Server(...SKILLS)));
    expect(seen).toMatchObject({
      added: { skills: 2, unavailable: 0 },
      activations: [{ outcome: 'activated' }, { outcome: 'activated', body: '\nRefund.\n' }],
      files: [{ outcome: 'read' }, { text: 'a\r\n' }, { bytes: [255, 0] }, { outcome: 'refused' }],
      unlisted: { outcome: 'unknown' },
    });
  });
});

describe.each(Object.entries(CLIENTS))('a connection over %s', (name, connect) => {
  const isModern = name.endsWith('2026-07-28');

  test('has what the server said of itself', async () => {
    const connection = fromClient(await connect());
    expect({ ...connection.extensions }).toEqual({ 'io.modelcontextprotocol/skills': { directoryRead: true } });
    expect([connection.modern, connection.serverInfo, connection.instructions]).toEqual([
      isModern,
      INFO,
      'Mind the server.',
    ]);
    // a copy: what a host does to it changes nothing
    delete (connection.extensions as Record<string, unknown>)['io.modelcontextprotocol/skills'];
    expect(Object.keys(connection.extensions)).toEqual(['io.modelcontextprotocol/skills']);
  });

  test('sends raw requests, lists tools when it is asked to, and calls one with its raw result', async () => {
    const connection = fromClient(await connect());
    expect(await connection.request('skills/get', { uri: 'skill://refunds/SKILL.md' })).toMatchObject({
      skill: catalog.get('skill://refunds/SKILL.md'),
    });
    await expect(connection.request('skills/get', { uri: 'skill://none/SKILL.md' })).rejects.toMatchObject({
      code: -32602,
    });
    expect((await connection.listTools()).map((tool) => [tool.name, tool.inputSchema['type']])).toEqual([
      ['work', 'object'],
    ]);
    expect(await connection.callTool('work', { fail: false })).toMatchObject({
      content: [{ type: 'text', text: 'done' }],
    });
    expect(await connection.callTool('work', { fail: true })).toMatchObject({ isError: true });
    expect(await connection.readResource('skill://refunds/a.md')).toMatchObject({
      contents: [{ uri: 'skill://refunds/a.md', text: 'a\r\n' }],
    });
    const aborted = connection.callTool('work', { fail: false }, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toThrow();
  });

  test('is the same for the same client, which stays the host’s', async () => {
    const client = await connect();
    const registry = new SkillRegistry();
    await registry.addServer(fromClient(client), 'hf');
    expect(await registry.addServer(fromClient(client), 'hf')).toEqual({ skills: 2, unavailable: 0 });
    registry.removeServer('hf');
    expect(await client.listTools()).toMatchObject({ tools: [{ name: 'work' }] });
  });
});

test.each([undefined, null, {}, 'client', { request: 1, getServerCapabilities: 1 }, { request: () => {} }])(
  'what is no client is refused: %j',
  (client) => expect(() => fromClient(client as never)).toThrow(TypeError),
);

describe('a client is told of changed resources', () => {
  /** A client whose server says that resources changed, as it is told to. */
  async function connect(line: '1.x' | '2.x') {
    const fallen: string[] = [];
    const onOther = async ({ method }: { method: string }) => void fallen.push(method);
    if (line === '1.x') {
      const [near, far] = SdkInMemoryTransport.createLinkedPair();
      const server = new SdkMcpServer(INFO, { capabilities: { resources: { listChanged: true } } });
      publishOnSdk(server, catalog);
      const client = new SdkClient({ name: 'host', version: '1' });
      client.fallbackNotificationHandler = onOther;
      await Promise.all([server.connect(far), client.connect(near)]);
      closers.push(() => client.close());
      return { client, fallen, notify: () => server.server.sendResourceListChanged() };
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = new McpServer(INFO, { capabilities: { resources: { listChanged: true } } });
    publishSkills(server, catalog);
    const client = new ModernClient({ name: 'host', version: '1' });
    client.fallbackNotificationHandler = onOther;
    await Promise.all([server.connect(far), client.connect(near)]);
    closers.push(() => client.close());
    return { client, fallen, notify: () => server.server.sendResourceListChanged() };
  }

  test.each(['1.x', '2.x'] as const)('over SDK %s, and its own handler is as well', async (line) => {
    const { client, fallen, notify } = await connect(line);
    const registry = new SkillRegistry();
    let changes = 0;
    await registry.addServer(fromClient(client), 'hf');
    registry.on('changed', () => (changes += 1));
    await notify();
    await expect.poll(() => changes).toBe(1);
    expect(fallen).toEqual(['notifications/resources/list_changed']);
    registry.removeServer('hf');
    await notify();
    await expect.poll(() => fallen.length).toBe(2);
    expect(changes).toBe(1);
  });
});

test('a client of 2026-07-28 opens a stream for that, until its server is removed', async () => {
  const handler = createMcpHandler(() => {
    const server = new McpServer(INFO, { capabilities: { resources: { listChanged: true } } });
    publishSkills(server, catalog);
    return server;
  });
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  const connection = await connectHttp('http://localhost/mcp', { fetch, era: 'modern' });
  closers.push(() => connection.close());
  const registry = new SkillRegistry();
  let changes = 0;
  await registry.addServer(connection, 'hf');
  registry.on('changed', () => (changes += 1));
  // the stream is open when the server has said so
  await expect
    .poll(() => {
      handler.notify.resourcesChanged();
      return changes;
    })
    .toBeGreaterThan(0);
  registry.removeServer('hf');
  const before = changes;
  handler.notify.resourcesChanged();
  await connection.request('skills/list', {});
  expect([changes, registry.list()]).toEqual([before, []]);
});

test('a listing of tools that does not end is an error', async () => {
  let asked = 0;
  const client = {
    getServerCapabilities: () => ({}),
    request: async ({ params }: { params: { cursor?: string } }) => {
      asked += 1;
      return { tools: [], nextCursor: asked < 5 ? `${params.cursor ?? ''}x` : 'x' };
    },
  };
  const connection: HostConnection = fromClient(client as never);
  await expect(connection.listTools()).rejects.toThrow('the listing of tools does not end');
  expect(asked).toBe(5);
});
