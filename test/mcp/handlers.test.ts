import { InMemoryTransport as SdkInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as SdkServer } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as SdkMcpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { publishSkills as publishOnSdk } from '../../src/mcp/sdk.ts';
import { publishSkills as publishOnServer } from '../../src/mcp/server.ts';
import { type AnyClient, ask, askInVain, createClient, walk } from '../embed/clients.ts';
import { makeCatalog, makeMany } from './catalog.ts';

const INFO = { name: 'host', version: '1.0.0' };
const CAPABILITIES = { capabilities: { resources: {}, tools: {} } };

async function connect(server: SdkMcpServer | SdkServer | McpServer | Server): Promise<AnyClient> {
  const client = createClient('1.x');
  const isSdk = server instanceof SdkMcpServer || server instanceof SdkServer;
  const [near, far] = (isSdk ? SdkInMemoryTransport : InMemoryTransport).createLinkedPair();
  await Promise.all([server.connect(far as never), client.connect(near as never)]);
  return client;
}

async function listUris(client: AnyClient): Promise<unknown[]> {
  return (await walk(client, 'resources/list', 'resources')).map((item) => (item as { uri: unknown }).uri);
}

const toUris = ({ skills }: SkillCatalog) => skills.map(({ uri }) => uri);

test('what the skills answer for is listed as they have it, and what nobody would answer is not', async () => {
  const server = new SdkServer(INFO, CAPABILITIES);
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [
      { uri: 'own://x', name: 'x' },
      { uri: 'skill://a/SKILL.md', name: 'another' },
      { uri: 'Skill://hosts-own/x', name: 'y' },
    ],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      { uriTemplate: 'skill://hosts-own/{x}', name: 'y' },
      { uriTemplate: '{+uri}', name: 'any' },
    ],
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['own', 'skill_load'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  publishOnSdk(server, makeCatalog([{ path: 'a' }]), { tools: 'always' });
  const client = await connect(server);
  expect(await walk(client, 'resources/list', 'resources')).toMatchObject([
    { uri: 'own://x', name: 'x' },
    { uri: 'skill://a/SKILL.md', name: 'a' },
  ]);
  expect(await walk(client, 'resources/templates/list', 'resourceTemplates')).toMatchObject([
    { uriTemplate: '{+uri}', name: 'any' },
    { uriTemplate: 'skill://{+path}', name: 'skill-file' },
  ]);
  const tools = (await walk(client, 'tools/list', 'tools')) as { name: string; inputSchema: { required?: unknown } }[];
  expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required])).toEqual([
    ['own', undefined],
    ['skill_list', undefined],
    ['skill_load', ['skill']],
    ['skill_file', ['skill', 'paths']],
  ]);
});

describe('a server that hands on the pages of another server with skills', () => {
  const upstream = makeMany(3);

  /** A host that asks a server behind it, whatever the cursor is. */
  async function createGateway(behind: AnyClient): Promise<SdkServer> {
    const server = new SdkServer(INFO, CAPABILITIES);
    server.setRequestHandler(
      ListResourcesRequestSchema,
      async ({ params }) => (await ask(behind, 'resources/list', { ...params })) as { resources: [] },
    );
    return server;
  }

  /** A server with one resource of its own and a page of skills for each. */
  async function createUpstream(catalog: SkillCatalog): Promise<AnyClient> {
    const server = new SdkMcpServer(INFO);
    server.registerResource('own', 'upstream://own', {}, () => ({ contents: [] }));
    publishOnSdk(server, catalog, { pageSize: 1 });
    return await connect(server);
  }

  test('gets all of them, through one gateway or two', async () => {
    const own = makeCatalog([{ path: 'a' }, { path: 'b' }]);
    const [near, far] = [await createGateway(await createUpstream(upstream)), makeCatalog([{ path: 'far' }])];
    publishOnSdk(near, own, { pageSize: 1 });
    const client = await connect(near);
    const outer = await createGateway(client);
    publishOnSdk(outer, far);
    expect(await listUris(client)).toEqual(['upstream://own', ...toUris(own)]);
    expect(await listUris(await connect(outer))).toEqual(['upstream://own', ...toUris(far)]);
  });

  test('of the same skills, lists them once', async () => {
    const gateway = await createGateway(await createUpstream(upstream));
    publishOnSdk(gateway, upstream, { pageSize: 1 });
    const client = await connect(gateway);
    expect(await listUris(client)).toEqual(['upstream://own', ...toUris(upstream)]);
  });

  test('goes on after a skill that is no longer one of its own', async () => {
    const before = new SdkServer(INFO, CAPABILITIES);
    publishOnSdk(before, makeCatalog([{ path: 'skill-0000a' }, { path: 'z' }]), { pageSize: 1 });
    const { nextCursor: cursor } = await ask(await connect(before), 'resources/list');
    const gateway = await createGateway(await createUpstream(upstream));
    const after = makeMany(4);
    publishOnSdk(gateway, after);
    const { resources } = await ask(await connect(gateway), 'resources/list', { cursor });
    expect(resources).toMatchObject(after.skills.slice(1).map(({ uri }) => ({ uri })));
  });
});

describe.each([
  ['1.x', () => new SdkMcpServer(INFO), publishOnSdk],
  ['2.x', () => new McpServer(INFO) as unknown as SdkMcpServer, publishOnServer],
] as const)('an McpServer of %s', (_, create, publish) => {
  const publishOn = (server: SdkMcpServer) => {
    publish(server as SdkMcpServer & McpServer, makeMany(3), { pageSize: 2 });
    return connect(server);
  };

  test.each(['before', 'after'])(
    'refuses an unknown cursor, with a resource registered %s publishing',
    async (when) => {
      const server = create();
      const register = () => server.registerResource('own', 'own://x', {}, () => ({ contents: [] }));
      if (when === 'before') register();
      const client = await publishOn(server);
      if (when === 'after') register();
      expect((await listUris(client)).length).toBe(4);
      for (const cursor of ['zz', 'host.zz']) {
        expect(await askInVain(client, 'resources/list', { cursor })).toEqual([
          -32602,
          'unknown cursor: list again from the start',
        ]);
      }
      expect(await askInVain(client, 'resources/list', { cursor: 5 })).toEqual([-32602, 'the cursor is not a string']);
    },
  );

  test('says that a URI is missing, is none, or is unknown', async () => {
    const server = create();
    server.registerResource('own', 'own://x', {}, () => ({ contents: [] }));
    const client = await publishOn(server);
    expect(await askInVain(client, 'resources/read', {})).toEqual([
      -32602,
      'the parameter "uri" is missing or is not a string',
    ]);
    expect(await askInVain(client, 'resources/read', { uri: 5 })).toEqual([
      -32602,
      'the parameter "uri" is missing or is not a string',
    ]);
    expect((await askInVain(client, 'resources/read', { uri: 'nope' }))[0]).toBe(-32602);
    expect((await askInVain(client, 'resources/read', { uri: 'own://y' }))[0]).toBe(-32602);
  });
});

test('a host that answers some methods with nothing has nothing to list', async () => {
  const server = new Server(INFO, CAPABILITIES);
  server.fallbackRequestHandler = async () => undefined as never;
  publishOnServer(server, makeMany(2));
  expect(await listUris(await connect(server))).toEqual(toUris(makeMany(2)));
});

test('a host may wrap the reader that it finds', async () => {
  const server = new Server(INFO);
  publishOnServer(server, makeMany(1));
  const handlers = (server as unknown as { _requestHandlers: Map<string, (...args: unknown[]) => unknown> })
    ._requestHandlers;
  const found = handlers.get('resources/read') ?? (() => ({}));
  handlers.set('resources/read', (...args) => found(...args));
  const client = await connect(server);
  expect(await askInVain(client, 'resources/read', { uri: 'own://x' })).toEqual([
    -32602,
    'no file is served at own://x',
  ]);
});
