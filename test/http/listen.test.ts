import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CommandError, EXIT } from '../../src/error.ts';
import { connectClient, createFixture, post, readCode, type Started, start, toCall, toModernCall } from './harness.ts';

const fixture = createFixture(250);
let server: Started;

beforeAll(async () => {
  server = await start({}, fixture);
});
afterAll(() => server.close());

describe.each(['modern', 'legacy'] as const)('the official client, %s', (era) => {
  test('walks the listing and reads a file', async () => {
    const client = await connectClient(server.url, era);
    expect(client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/skills': { directoryRead: true },
    });
    const result = z.object({ skills: z.array(z.object({ uri: z.string() })), nextCursor: z.string().optional() });
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await client.request({ method: 'skills/list', params }, result);
      uris.push(...page.skills.map((skill) => skill.uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(uris).toEqual(fixture.uris);
    const uri = fixture.uris[7] ?? '';
    const read = await client.readResource({ uri });
    expect(read.contents).toEqual([{ uri, mimeType: 'text/markdown', text: fixture.contents.get(uri) }]);
    await client.close();
  });

  test('is told of an unknown file', async () => {
    const client = await connectClient(server.url, era);
    await expect(client.readResource({ uri: 'skill://none/SKILL.md' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

test('answers 2025 with JSON, not with an event stream', async () => {
  const response = await post(server.url, toCall('ping'));
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
});

test('answers each message of a 2025-03-26 batch, and nothing to its notifications', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const version = { 'mcp-protocol-version': '2025-03-26' };
  const both = await post(server.url, JSON.stringify([ping(1), notification, ping(2)]), version);
  expect(await both.json()).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
  const none = await post(server.url, JSON.stringify([notification, notification]), version);
  expect([none.status, await none.text()]).toEqual([202, '']);
  const many = await post(server.url, JSON.stringify(Array.from({ length: 101 }, (_, i) => ping(i))), version);
  expect(many.status).toBe(400);
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const wrong = await post(server.url, JSON.stringify([initialize, ping(2)]), version);
  expect([wrong.status, await readCode(wrong)]).toEqual([400, -32600]);
  const newer = await post(server.url, JSON.stringify([ping(1)]), { 'mcp-protocol-version': '2025-06-18' });
  expect([newer.status, await readCode(newer)]).toEqual([400, -32600]);
});

test('answers no batch with more than 4 MiB', async () => {
  const files = { 'skill://large/SKILL.md': 'x'.repeat(1_500_000) };
  const large = await start({}, createFixture(1, files));
  const read = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: 'skill://large/SKILL.md' },
  });
  const send = (count: number) =>
    post(large.url, JSON.stringify(Array.from({ length: count }, (_, id) => read(id))), {
      'mcp-protocol-version': '2025-03-26',
    });
  expect((await send(2)).status).toBe(200);
  const refused = await send(3);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('send the messages one by one'),
  ]);
  await large.close();
});

test('refuses headers that contradict the body, and unknown revisions and methods', async () => {
  const call = toModernCall('resources/read', { uri: fixture.uris[0] });
  const send = async (headers: Record<string, string>, body = call.body) => {
    const response = await fetch(server.url, { ...call, headers: { ...call.headers, ...headers }, body });
    return [response.status, await readCode(response)];
  };
  expect(await send({})).toEqual([200, undefined]);
  expect(await send({ 'mcp-name': 'skill://other/SKILL.md' })).toEqual([400, -32020]);
  expect(await send({ 'mcp-method': 'skills/list' })).toEqual([400, -32020]);
  expect(await send({ 'mcp-protocol-version': '2025-11-25' })).toEqual([400, -32020]);
  const future = call.body.replace('2026-07-28', '2031-01-01');
  expect(await send({ 'mcp-protocol-version': '2031-01-01' }, future)).toEqual([400, -32022]);
  const unknown = toModernCall('skills/none');
  const response = await fetch(server.url, unknown);
  expect([response.status, await readCode(response)]).toEqual([404, -32601]);
  const legacy = await post(server.url, toCall('ping'), { 'mcp-protocol-version': '1999-01-01' });
  expect(legacy.status).toBe(400);
});

test('answers at the endpoint with a slash at its end, too, and redirects nobody', async () => {
  const url = `${server.url}/`;
  for (const era of ['modern', 'legacy'] as const) {
    const client = await connectClient(url, era, {
      fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
    });
    expect((await client.listResources()).resources).toHaveLength(fixture.summary.skills);
    await client.close();
  }
  expect((await fetch(url)).status).toBe(405);
});

test('says what it is, and whether it is well', async () => {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, server.url));
    return [response.status, response.headers.get('content-type'), await response.text()];
  };
  expect(await get('/')).toEqual([404, 'text/plain; charset=utf-8', expect.stringContaining('MCP client to /mcp')]);
  expect(await get('/healthz')).toEqual([
    200,
    'application/json',
    JSON.stringify({ status: 'ok', ...fixture.summary }),
  ]);
  expect(await get('/readyz')).toEqual([200, 'application/json', '{"status":"ok"}']);
  expect((await get('/mcp/x'))[0]).toBe(404);
  expect((await get('/metrics'))[0]).toBe(404);
  expect((await get('/.well-known/oauth-protected-resource'))[0]).toBe(404);
  const head = await fetch(new URL('/healthz', server.url), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(new URL('/healthz', server.url), { method: 'POST' })).status).toBe(405);
});

test('refuses to publish more than was meant', async () => {
  const auth = { token: 'abcdefghijklmnop' };
  const refused = async (options: Parameters<typeof start>[0]) => {
    const error = await start(options).then(
      (started) => started.close(),
      (reason: unknown) => reason,
    );
    return error instanceof CommandError ? [error.status, error.message] : error;
  };
  expect(await refused({ host: '0.0.0.0' })).toEqual([EXIT.usage, expect.stringContaining('--no-auth')]);
  expect(await refused({ host: '0.0.0.0', auth: {} })).toEqual([EXIT.usage, expect.stringContaining('--no-auth')]);
  expect(await refused({ host: '::', noAuth: true })).toEqual([EXIT.usage, expect.stringContaining('--allow-host')]);
  expect(await refused({ host: '0.0.0.0', auth })).toEqual([EXIT.usage, expect.stringContaining('--allow-host')]);
  expect(await refused({ auth, noAuth: true })).toEqual([EXIT.usage, expect.stringContaining('--no-auth')]);
  expect(await refused({ auth, cacheScope: 'public' })).toEqual([EXIT.usage, expect.stringContaining('--cache-scope')]);
  expect(await refused({ allowHosts: ['https://a.example'] })).toEqual([
    EXIT.usage,
    expect.stringContaining('host name'),
  ]);
  for (const host of ['1.2.3', '1.2.3.4.5', '0x7f.1', '[::1', '[1:2]']) {
    expect(await refused({ allowHosts: [host] })).toEqual([
      EXIT.usage,
      expect.stringContaining(`"${host}" is not a host`),
    ]);
  }
  const mistyped = [
    'https://a.example:x',
    'https://1.2.3.4.5',
    'https://1.2.3',
    'http://0x7f.1:80',
    'https://01.2.3.4',
  ];
  for (const origin of ['a.example', 'https://*', 'https://*.a.example', ...mistyped]) {
    expect(await refused({ allowOrigins: [origin] })).toEqual([EXIT.usage, expect.stringContaining('an origin')]);
  }
  expect(await refused({ port: server.port })).toEqual([EXIT.failure, expect.stringContaining('the port is taken')]);
  expect(await refused({ host: '0.0.0.0', auth, allowHosts: ['a.example'] })).toBeUndefined();
  expect(await refused({ cacheScope: 'public' })).toBeUndefined();
});
