import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createFixture,
  LEGACY_HEADERS,
  post,
  type Started,
  sendRaw,
  start,
  toCall,
  toModernCall,
  toRawPost,
} from './harness.ts';

const big = 'x'.repeat(24 * 1024 * 1024);
const fixture = createFixture(3, { 'skill://big/SKILL.md': big });
let server: Started;

beforeAll(async () => {
  server = await start({ limits: { headersMs: 600, requestMs: 1_200, idleMs: 2_500 } }, fixture);
});
afterAll(() => server.close());

const ping = toCall('ping');
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
/** The statuses that come back for what is sent, and whether the server closed the connection. */
const ask = async (pieces: (string | Buffer)[], ms = 700, quiet = 120) => {
  const { text, closed } = await sendRaw(server.port, pieces, ms, quiet);
  return [...statuses(text), closed ? 'closed' : 'open'];
};
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

test('refuses hosts that are not its own, before the body', async () => {
  const announced = { 'content-length': '5000' };
  for (const host of [
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    'evil@localhost',
    'localhost/x',
    'localhost.',
    '127.0.0.2',
    '[::2]',
    '10.0.0.1',
    ' ',
  ]) {
    // Nothing of the announced body is ever sent: an answer shows that nobody waited for it.
    expect([host, ...(await ask([toRawPost('', { Host: host, ...announced })], 300))]).toEqual([host, 403, 'open']);
  }
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:65535', '[::1]:3000']) {
    expect(await ask([toRawPost(ping, { Host: host })], 300)).toEqual([200, 'open']);
  }
  expect(
    await ask(['POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n']),
  ).toEqual([403, 'open']);
  expect(await ask(['POST /mcp HTTP/1.1\r\nContent-Length: 0\r\n\r\n'])).toEqual([400, 'closed']);
  // A probe asks for an address; a page whose name was bound to it asks for the name.
  expect(await ask([`GET /healthz HTTP/1.1\r\nHost: 10.1.2.3:3000\r\n\r\n`])).toEqual([200, 'open']);
  expect(await ask([`GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n`])).toEqual([403, 'open']);
  expect(await ask([`POST http://evil.example/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`])).toEqual([
    404,
    'open',
  ]);
});

test('refuses the origins of strangers', async () => {
  const status = async (origin: string) => (await ask([toRawPost(ping, { Origin: origin })], 300))[0];
  expect(await status('http://localhost:5173')).toBe(200);
  expect(await status('https://127.0.0.1')).toBe(200);
  for (const origin of [
    'null',
    '',
    'https://evil.example',
    'http://localhost.evil.example',
    'http://evil.example, http://localhost',
    'file://',
    'localhost',
  ]) {
    expect([origin, await status(origin)]).toEqual([origin, 403]);
  }
});

test('serves POST alone', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD']) {
    const { text } = await sendRaw(server.port, [`${method} /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n`], 200);
    expect([method, statuses(text), /\r\nallow: POST, OPTIONS\r\n/i.test(text)]).toEqual([method, [405], true]);
  }
  expect(await ask(['OPTIONS /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'])).toEqual([204, 'open']);
  expect(await ask(['BREW /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n'])).toEqual([400, 'closed']);
  expect(await ask(['CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'])).toEqual(['closed']);
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
  expect(await ask([get('/mcp', upgrade)])).toEqual([405, 'open']);
});

test('wants JSON, sent and accepted', async () => {
  const status = async (headers: Record<string, string>, body = ping) => (await post(server.url, body, headers)).status;
  expect(await status({ accept: '*/*' })).toBe(200);
  expect(await status({ accept: 'application/json' })).toBe(200);
  expect(await status({ accept: 'text/html' })).toBe(406);
  expect(await status({ accept: 'application/jsonp' })).toBe(406);
  expect(await status({ accept: 'application/json;q=0, */*' })).toBe(406);
  expect(await status({ accept: 'text/html, application/*;q=0.1' })).toBe(200);
  const listen = toModernCall('subscriptions/listen', { notifications: {} });
  const json = { ...listen.headers, accept: 'application/json' };
  expect((await fetch(server.url, { ...listen, headers: json })).status).toBe(406);
  expect(await status({ 'content-type': 'text/plain' })).toBe(415);
  expect(await status({ 'content-encoding': 'gzip' })).toBe(415);
  expect(await status({}, '{')).toBe(400);
  expect(await status({}, '')).toBe(400);
  expect(await status({}, 'null')).toBe(400);
  expect(await status({}, '{}')).toBe(400);
  expect(await status({}, '['.repeat(60_000))).toBe(400);
  expect(await status({}, `${'['.repeat(60_000)}${']'.repeat(60_000)}`)).toBe(400);
  const { accept: _, ...noAccept } = LEGACY_HEADERS;
  const head = Object.entries({ ...noAccept, 'content-length': ping.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  expect(await ask([`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${head.join('\r\n')}\r\n\r\n${ping}`])).toEqual([
    200,
    'open',
  ]);
  const latin1 = Buffer.from(toCall('resources/read', { uri: 'caf\u00e9' }), 'latin1');
  const sent = toRawPost('', { 'content-length': String(latin1.length) });
  expect(await ask([sent, latin1])).toEqual([400, 'open']);
});

test('refuses a body of 5 MiB, announced or not', async () => {
  const body = Buffer.alloc(5 * 1024 * 1024, 'x');
  const announced = toRawPost('', { 'content-length': String(body.length) });
  // what is left of the body is dropped, and the connection serves the next request
  const next = toRawPost(ping);
  expect(await ask([announced, body, next], 5_000, 1_000)).toEqual([413, 200, 'open']);
  const { 'content-type': type } = LEGACY_HEADERS;
  const chunked = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await ask([chunked, `${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n', next], 5_000, 1_000)).toEqual([
    413,
    200,
    'open',
  ]);
  const response = await fetch(server.url, { method: 'POST', headers: LEGACY_HEADERS, body });
  expect(response.status).toBe(413);
  const waiting = toRawPost('', { 'content-length': String(body.length), Expect: '100-continue' });
  expect((await ask([waiting], 500))[0]).toBe(413);
  const welcome = toRawPost(ping, { Expect: '100-continue' });
  expect(await ask([welcome])).toEqual([100, 200, 'open']);
});

test('answers pipelined requests in order, and garbage after the answers that are due', async () => {
  const slow = toRawPost(toCall('resources/read', { uri: 'test://slow' }, 41));
  const fast = toRawPost(toCall('ping', {}, 42));
  const { text } = await sendRaw(server.port, [slow, fast, slow], 2_500, 900);
  expect(statuses(text)).toEqual([200, 200, 200]);
  expect([...text.matchAll(/"id":(\d+)/g)].map((match) => match[1])).toEqual(['41', '42', '41']);
  expect(await ask([slow, '\x00\x01garbage\r\n\r\n'], 1_500)).toEqual([200, 'closed']);
  expect(await ask(['garbage\r\n\r\n', fast])).toEqual([400, 'closed']);
  expect(await ask([Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])])).toEqual([400, 'closed']);
  expect(await ask([get('/healthz', `X-Long: ${'x'.repeat(20_000)}\r\n`)])).toEqual([431, 'closed']);
});

test('survives noise', async () => {
  // A small generator of its own, so that a failure can be repeated.
  let state = 42;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const call = Buffer.from(toRawPost(toCall('resources/read', { uri: 'skill://skill-00001/SKILL.md' })));
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const bytes = Buffer.concat([call, call, call]);
        for (let i = 0; i < 1 + random(6); i += 1) bytes[random(bytes.length)] = random(256);
        return sendRaw(server.port, [bytes.subarray(0, random(bytes.length))], 60, 20);
      }),
    );
  }
  expect((await post(server.url, ping)).status).toBe(200);
  expect(server.entries().filter((entry) => entry['level'] === 'error')).toEqual([]);
  expect(server.entries().filter((entry) => Number(entry['status']) >= 500)).toEqual([]);
});

test('does not wait for ever for half a request', async () => {
  expect(await ask(['POST /mcp HTTP/1.1\r\nHost: loc'], 30_000)).toEqual([408, 'closed']);
  expect(await ask([toRawPost('', { 'content-length': '100' }), '{"jsonrpc"'], 30_000)).toEqual([408, 'closed']);
  // One byte every 50 ms keeps a connection busy, not alive.
  const socket = connect(server.port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => {});
  socket.write(toRawPost('', { 'content-length': '5000' }));
  const drip = setInterval(() => socket.write(' '), 50);
  // 5,000 bytes would take longer than this test may
  await closed;
  clearInterval(drip);
});

test('drops a client that does not take its answer, and frees the memory', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  const countAborted = () => server.log().split('"aborted":true').length;
  const before = countAborted();
  const started = performance.now();
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.write(toRawPost(toCall('resources/read', { uri: 'skill://big/SKILL.md' })));
  await expect.poll(countAborted).toBe(before + 1);
  expect(performance.now() - started).toBeGreaterThan(1_000);
  // The client only learns of it when it reads.
  socket.resume();
  await closed;
  const whole = await post(server.url, toCall('resources/read', { uri: 'skill://big/SKILL.md' }));
  expect((await whole.text()).length).toBeGreaterThan(big.length);
});

test('gives up on an answer that never comes', async () => {
  const impatient = await start({ limits: { responseMs: 200 } }, fixture);
  const legacy = await post(impatient.url, toCall('resources/read', { uri: 'test://never' }, 9));
  const late = { jsonrpc: '2.0', error: { code: -32603, message: 'the response took too long' } };
  expect([legacy.status, await legacy.json()]).toEqual([504, { ...late, id: 9 }]);
  const modern = await fetch(impatient.url, toModernCall('resources/read', { uri: 'test://never' }));
  expect([modern.status, await modern.json()]).toEqual([504, { ...late, id: 1 }]);
  await impatient.close();
});
