import { InMemoryTransport as SdkInMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server as SdkServer } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer as SdkMcpServer, ResourceTemplate as SdkTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer, ResourceTemplate, Server } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SkillCatalog } from '../../src/catalog/catalog.ts';
import { loadSkills } from '../../src/load.ts';
import { publishSkills as publishOnSdk } from '../../src/mcp/sdk.ts';
import { publishSkills as publishOnServer } from '../../src/mcp/server.ts';
import { type AnyClient, ask, askInVain, createClient, verifySkills, viewHost, walk } from '../embed/clients.ts';
import { createMcpServer, createSdkMcpServer, HOSTS, SKILLS } from '../embed/hosts.ts';
import { makeTree, skillMd } from '../tree.ts';

type AnyServer = SdkMcpServer | SdkServer | McpServer | Server;

let catalog: SkillCatalog;

beforeAll(async () => {
  catalog = await loadSkills(makeTree(SKILLS));
});

function publish(server: AnyServer, given = catalog): void {
  if (server instanceof SdkMcpServer || server instanceof SdkServer) publishOnSdk(server, given);
  else publishOnServer(server, given);
}

async function connect(server: AnyServer): Promise<AnyClient> {
  const client = createClient('1.x');
  if (server instanceof SdkMcpServer || server instanceof SdkServer) {
    const [near, far] = SdkInMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near as never)]);
  } else {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near as never)]);
  }
  return client;
}

/** Everything about a server that publishing changes, to its depths. */
function lookInto(server: AnyServer): unknown {
  const low = 'server' in server ? server.server : server;
  const { _requestHandlers, _capabilities, _instructions } = low as unknown as Record<string, unknown>;
  return {
    table: _requestHandlers,
    handlers: [...(_requestHandlers as Map<string, unknown>)],
    capabilities: structuredClone(_capabilities),
    instructions: _instructions,
    own: [Object.getOwnPropertyNames(server), Object.getOwnPropertyNames(low)],
    registered: ['Resources', 'ResourceTemplates', 'Tools', 'Prompts'].map((kind) => ({
      ...(server as unknown as Record<string, object>)[`_registered${kind}`],
    })),
  };
}

const BARE = {
  'McpServer of 1.x': () => new SdkMcpServer({ name: 'bare', version: '1.0.0' }),
  'Server of 1.x': () => new SdkServer({ name: 'bare', version: '1.0.0' }),
  'McpServer of 2.x': () => new McpServer({ name: 'bare', version: '1.0.0' }),
  'Server of 2.x': () => new Server({ name: 'bare', version: '1.0.0' }),
};

describe.each(Object.entries(BARE))('a bare %s', (_, create) => {
  test('serves every file', async () => {
    const server = create();
    publish(server);
    const client = await connect(server);
    expect(await verifySkills(client, catalog, false)).toBe(7);
    const uris = (await walk(client, 'resources/list', 'resources')).map((item) => (item as { uri: string }).uri);
    expect(uris).toEqual(catalog.skills.map(({ uri }) => uri));
    expect(await walk(client, 'resources/templates/list', 'resourceTemplates')).toMatchObject([
      { uriTemplate: 'skill://{+path}' },
    ]);
  });

  test('says what is wrong with a request', async () => {
    const server = create();
    publish(server);
    const client = await connect(server);
    expect(await askInVain(client, 'skills/get', { uri: 'skill://nope/SKILL.md' })).toEqual([
      -32602,
      'no skill is served at skill://nope/SKILL.md',
    ]);
    expect(await askInVain(client, 'resources/read', { uri: 'skill://nope/SKILL.md' })).toEqual([
      -32602,
      'no file is served at skill://nope/SKILL.md',
    ]);
    for (const method of ['skills/list', 'resources/list']) {
      expect((await askInVain(client, method, { cursor: 'never-issued' }))[0]).toBe(-32602);
    }
  });
});

describe.each(Object.entries(HOSTS))('%s with things of its own', (name, create) => {
  test('keeps them all', async () => {
    const before = await viewHost(await connect(create()));
    const server = create();
    publish(server);
    const client = await connect(server);
    expect(await viewHost(client)).toEqual(before);
    expect(await verifySkills(client, catalog, false)).toBe(7);
    const uris = (await walk(client, 'resources/list', 'resources')).map((item) => (item as { uri: string }).uri);
    expect(uris).toEqual(['config://app', 'users://1', ...catalog.skills.map(({ uri }) => uri)]);
  });

  test('answers for the whole scheme, and for nothing else', async () => {
    const server = create();
    publish(server);
    const client = await connect(server);
    expect(await askInVain(client, 'resources/read', { uri: 'skill://refunds/nope.md' })).toEqual([
      -32602,
      'no file is served at skill://refunds/nope.md',
    ]);
    expect(await ask(client, 'resources/read', { uri: 'config://app' })).toMatchObject({
      contents: [{ uri: 'config://app' }],
    });
  });

  test.each(['twice', 'connected', 'with what is no catalog', 'with an option out of its range'])(
    'is unchanged by what fails: %s',
    async (how) => {
      const server = create();
      if (how === 'twice') publish(server);
      if (how === 'connected') await connect(server);
      const before = lookInto(server);
      const wrong = {
        twice: 'this server already answers skills/list',
        connected: 'before the server is connected',
        'with what is no catalog': 'await it',
        'with an option out of its range': 'pageSize must be a whole number from 1, not 0',
      }[how];
      expect(() => {
        if (how === 'with what is no catalog') publish(server, Promise.resolve(catalog) as never);
        else if (!how.startsWith('with')) publish(server);
        else if (name.endsWith('1.x')) publishOnSdk(server as SdkServer, catalog, { pageSize: 0 });
        else publishOnServer(server as Server, catalog, { pageSize: 0 });
      }).toThrow(wrong);
      expect(lookInto(server)).toEqual(before);
      expect((lookInto(server) as { table: unknown }).table).toBe((before as { table: unknown }).table);
    },
  );
});

describe('what a host gets later', () => {
  test('on an McpServer of 1.x, connected or not', async () => {
    const late = new SdkMcpServer({ name: 'host', version: '3.2.1' }, { capabilities: { tools: {} } });
    publish(late);
    late.registerPrompt('hello', {}, () => ({ messages: [] }));
    const client = await connect(late);
    late.registerTool('later', {}, () => ({ content: [] }));
    late.registerResource('later', 'later://x', {}, () => ({ contents: [] }));
    expect(await walk(client, 'tools/list', 'tools')).toMatchObject([{ name: 'later' }]);
    expect(await walk(client, 'prompts/list', 'prompts')).toMatchObject([{ name: 'hello' }]);
    expect(await walk(client, 'resources/list', 'resources')).toMatchObject([
      { uri: 'later://x' },
      { uri: 'skill://billing/invoices/SKILL.md' },
      { uri: 'skill://refunds/SKILL.md' },
    ]);
  });

  test('on the low-level server of an McpServer, which then makes its own handlers', async () => {
    for (const server of [
      new SdkMcpServer({ name: 'host', version: '1.0.0' }),
      new McpServer({ name: 'host', version: '1.0.0' }),
    ]) {
      publish(server.server);
      (server as SdkMcpServer).registerTool('later', {}, () => ({ content: [] }));
      (server as SdkMcpServer).registerResource('later', 'later://x', {}, () => ({ contents: [] }));
      const client = await connect(server);
      expect(await walk(client, 'tools/list', 'tools')).toMatchObject([{ name: 'later' }]);
      expect((await walk(client, 'resources/list', 'resources')).length).toBe(3);
      expect(await verifySkills(client, catalog, false)).toBe(7);
    }
  });

  test('as handlers of its own, set and removed', async () => {
    const server = new SdkServer({ name: 'host', version: '1.0.0' }, { capabilities: { tools: {} } });
    publish(server);
    const client = await connect(server);
    server.assertCanSetRequestHandler('resources/list');
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'own://x', name: 'x' }] }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
      contents: [{ uri: params.uri, text: 'x' }],
    }));
    expect(() => server.assertCanSetRequestHandler('resources/list')).toThrow('already exists');
    expect((await walk(client, 'resources/list', 'resources')).length).toBe(3);
    expect(await ask(client, 'resources/read', { uri: 'own://x' })).toEqual({
      contents: [{ uri: 'own://x', text: 'x' }],
    });
    server.removeRequestHandler('resources/list');
    server.removeRequestHandler('resources/read');
    server.removeRequestHandler('skills/list');
    expect(await verifySkills(client, catalog, false)).toBe(7);
    expect((await walk(client, 'resources/list', 'resources')).length).toBe(2);
    expect(await ask(client, 'tools/list')).toEqual({ tools: [] });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  });

  test('for a method that only the skills answer, it is told', () => {
    const server = new Server({ name: 'host', version: '1.0.0' });
    publish(server);
    const before = lookInto(server);
    expect(() => server.setRequestHandler('skills/list', { params: { '~standard': {} } as never }, () => ({}))).toThrow(
      'skills/list is answered by the skills that are published on this server',
    );
    expect(lookInto(server)).toEqual(before);
  });

  test('through a wrapper around what it finds, nothing is listed twice, and ours is listed as we have it', async () => {
    const server = createSdkMcpServer();
    publish(server);
    const handlers = (server.server as unknown as { _requestHandlers: Map<string, (...args: unknown[]) => unknown> })
      ._requestHandlers;
    const found = handlers.get('resources/list') ?? (() => ({}));
    server.server.setRequestHandler(ListResourcesRequestSchema, async (...args) => {
      const { resources } = (await found(...args)) as { resources: { uri: string; name: string }[] };
      return { resources: resources.map((resource) => ({ ...resource, title: 'seen' })) };
    });
    const listed = (await walk(await connect(server), 'resources/list', 'resources')) as {
      uri: string;
      title: string;
    }[];
    expect(listed.map(({ uri, title }) => [uri, title])).toEqual([
      ['config://app', 'seen'],
      ['users://1', 'seen'],
      ['skill://billing/invoices/SKILL.md', 'billing/invoices'],
      ['skill://refunds/SKILL.md', 'refunds'],
    ]);
  });
});

describe('a host that answers everything in one place', () => {
  test.each([
    ['1.x', () => new SdkServer({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } })],
    ['2.x', () => new Server({ name: 'proxy', version: '1.0.0' }, { capabilities: { tools: {} } })],
  ])('%s', async (_, create) => {
    const server = create();
    server.fallbackRequestHandler = async ({ method }: { method: string }) => {
      if (method === 'tools/list') return { tools: [{ name: 'far', inputSchema: { type: 'object' } }] };
      if (method === 'resources/list') return { resources: [{ uri: 'far://x', name: 'x' }] };
      if (method === 'resources/read') return { contents: [{ uri: 'far://x', text: 'far' }] };
      throw Object.assign(new Error('not here'), { code: -32601 });
    };
    publish(server);
    const client = await connect(server);
    expect(await walk(client, 'tools/list', 'tools')).toMatchObject([{ name: 'far' }]);
    expect((await walk(client, 'resources/list', 'resources')).length).toBe(3);
    expect((await walk(client, 'resources/templates/list', 'resourceTemplates')).length).toBe(1);
    expect(await ask(client, 'resources/read', { uri: 'far://x' })).toEqual({
      contents: [{ uri: 'far://x', text: 'far' }],
    });
    expect(await verifySkills(client, catalog, false)).toBe(7);
  });
});

describe('a resource of the host under skill://', () => {
  const read = () => ({ contents: [] });
  const told = (uri: string) => `the resource ${uri} is under skill://, where the published skills answer`;
  const lines = [
    ['1.x', createSdkMcpServer, (uri: string) => new SdkTemplate(uri, { list: undefined })],
    ['2.x', createMcpServer, (uri: string) => new ResourceTemplate(uri, { list: undefined })],
  ] as const;
  const uris = ['skill://refunds/SKILL.md', 'skill://refunds/references', 'SKILL://own', 'skill://other/{+path}'];

  describe.each(lines)('on an McpServer of %s', (_, create, toTemplate) => {
    test.each(uris)('%s is told, in either order', (uri) => {
      const resource = () => (uri.includes('{') ? toTemplate(uri) : uri) as string;
      const before = create() as SdkMcpServer;
      before.registerResource('mine', resource(), {}, read);
      const untouched = lookInto(before);
      expect(() => publish(before)).toThrow(told(uri));
      expect(lookInto(before)).toEqual(untouched);

      const after = create() as SdkMcpServer;
      publish(after);
      const published = lookInto(after);
      expect(() => after.registerResource('mine', resource(), {}, read)).toThrow(told(uri));
      if ('resource' in after) expect(() => after.resource('mine', resource(), read)).toThrow(told(uri));
      expect(lookInto(after)).toEqual(published);
    });

    test('is told when a resource is moved there', () => {
      const server = create() as SdkMcpServer;
      publish(server);
      const handle = server.registerResource('mine', 'mine://x', {}, read);
      const before = lookInto(server);
      expect(() => handle.update({ uri: 'skill://refunds/SKILL.md' })).toThrow(told('skill://refunds/SKILL.md'));
      expect(lookInto(server)).toEqual(before);
      handle.update({ uri: 'mine://y' });
      handle.remove();
    });

    test('is told when a resource or a template from before is moved there', () => {
      const server = create() as SdkMcpServer;
      const resource = server.registerResource('mine', 'mine://x', {}, read);
      const template = server.registerResource('all', toTemplate('mine://{id}') as SdkTemplate, {}, read);
      publish(server);
      const before = lookInto(server);
      expect(() => resource.update({ uri: 'skill://refunds/SKILL.md' })).toThrow(told('skill://refunds/SKILL.md'));
      expect(() => template.update({ template: toTemplate('skill://{id}') as SdkTemplate })).toThrow(
        told('skill://{id}'),
      );
      expect(lookInto(server)).toEqual(before);
    });

    test('is no matter for a template that takes any URI', async () => {
      const server = create() as SdkMcpServer;
      server.registerResource('any', toTemplate('{+uri}') as SdkTemplate, {}, ({ href }) => ({
        contents: [{ uri: href, text: 'any' }],
      }));
      publish(server);
      const client = await connect(server);
      expect(await ask(client, 'resources/read', { uri: 'else://x' })).toMatchObject({ contents: [{ text: 'any' }] });
      expect(await verifySkills(client, catalog, false)).toBe(7);
    });
  });
});

describe("beside the SDK's own skills extension", () => {
  test('is refused in either order, and the server is as it was', async () => {
    const theirs = await SkillsExtension.load(memorySkillFiles({ 'own/SKILL.md': skillMd('own') }));
    const first = createMcpServer();
    theirs.attach(first);
    const before = lookInto(first);
    expect(() => publish(first)).toThrow('this server already answers skills/list');
    expect(lookInto(first)).toEqual(before);

    const second = createMcpServer();
    publish(second);
    const published = lookInto(second);
    expect(() => theirs.attach(second)).toThrow('skills/list');
    expect(lookInto(second)).toEqual(published);
    expect(await verifySkills(await connect(second), catalog, false)).toBe(7);
  });
});

describe('what is no server', () => {
  test.each([undefined, null, 'server', {}, new Map()])('%o', (value) => {
    expect(() => publishOnSdk(value as never, catalog)).toThrow(
      'publishSkills needs an McpServer or a Server of @modelcontextprotocol/sdk',
    );
    expect(() => publishOnServer(value as never, catalog)).toThrow(
      'publishSkills needs an McpServer or a Server of @modelcontextprotocol/server',
    );
  });
});

test('a client of an older revision that sends fields of the newer one gets none of them back', async () => {
  const server = createMcpServer();
  publish(server);
  const client = await connect(server);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(Object.keys(await ask(client, 'skills/list', { _meta }))).toEqual(['skills']);
});
