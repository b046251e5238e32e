import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createUnread } from '../../src/http/unread.ts';
import { createFixture, post, type Started, start, toCall, toModernCall, toRawPost } from './harness.ts';

const MIB = 1024 * 1024;
const uri = 'skill://big/SKILL.md';
const size = 8 * MIB;
// each character is two bytes of JSON
const parts = Array.from({ length: 4 }, (_, i) => `part-${i}.md`);
const fixture = createFixture(
  1,
  {
    [uri]: 'x'.repeat(size),
    ...Object.fromEntries(parts.map((part) => [`skill://big/${part}`, '"'.repeat(MIB)])),
  },
  { tools: 'always' },
);
const ping = toCall('ping');
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A client that sends this, and never reads. */
function stick({ port }: Started, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}
/** A file is sent while it is read; what a tool returns is in memory as a whole. */
const read = toCall('resources/read', { uri });
const load = toCall('tools/call', {
  name: 'skill_file',
  arguments: { skill: 'big', paths: parts, length: MIB },
});
const ask = (program: string, body = load) => toRawPost(body, { 'User-Agent': program });

const status = async ({ url }: Started, program: string) => {
  const response = await post(url, ping, { 'user-agent': program });
  return [response.status, response.headers.get('retry-after')];
};
/** What was refused or broken off, and how often. */
const count = (server: Started, word: string) =>
  server.entries().filter(({ refused }) => String(refused).includes(word)).length;
const readBytes = async ({ url }: Started) => {
  const metrics = await (await fetch(new URL('/metrics', url))).text();
  return Number(/^mcp_skills_outstanding_bytes (\d+)/m.exec(metrics)?.[1]);
};

test('holds no copy of a file for those who take nothing of it, and gives it to all who do', async () => {
  const server = await start({ metrics: true, limits: { unreadBytes: 2 * MIB } }, fixture);
  const stuck = Array.from({ length: 60 }, (_, i) => stick(server, ask(`stuck ${i}`, read)));
  await vi.waitFor(() => expect(stuck.every(({ bytesWritten }) => bytesWritten > 0)).toBe(true));
  const whole = await post(server.url, read, { 'user-agent': 'innocent' });
  expect([whole.status, (await whole.text()).length > size]).toEqual([200, true]);
  expect(await readBytes(server)).toBeLessThan(MIB / 4);
  let taken = 0;
  for (const socket of stuck.slice(0, 5)) socket.on('data', ({ length }) => (taken += length)).resume();
  await vi.waitFor(() => expect(taken).toBeGreaterThan(5 * size), 15_000);
  expect(server.entries().filter((entry) => entry['status'] !== 200)).toEqual([]);
  await server.close();
});

test('makes no response before those before it are counted, so that many requests at once get one', async () => {
  const server = await start({ metrics: true, limits: { unreadBytes: 28 * MIB } }, fixture);
  // The last byte of all of them comes at the same time.
  const whole = ask('one');
  const flood = Array.from({ length: 30 }, () => stick(server, whole.slice(0, -1)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const socket of flood) socket.write(whole.slice(-1));
  expect(await status(server, 'two')).toEqual([200, null]);
  await vi.waitFor(() => expect(count(server, 'unread responses')).toBe(29), 15_000);
  expect(server.entries().filter((entry) => entry['status'] === 429)).toHaveLength(29);
  expect(await readBytes(server)).toBeLessThan(size + MIB);
  expect(await status(server, 'one')).toEqual([429, '1']);
  for (const socket of flood) socket.destroy();
  await vi.waitFor(async () => expect(await status(server, 'one')).toEqual([200, null]), 15_000);
  await server.close();
});

test('breaks off those who take nothing when all memory is used, and serves the others', async () => {
  const server = await start({ limits: { unreadBytes: 28 * MIB } }, fixture);
  for (const program of ['one', 'two', 'three', 'four']) {
    stick(server, ask(program));
    await vi.waitFor(async () => expect(await status(server, program)).toEqual([429, '1']), 15_000);
  }
  // Four hold 32 MiB.
  expect(count(server, 'broken off')).toBe(0);
  for (let round = 0; round < 3; round += 1) {
    const response = await post(server.url, load, { 'user-agent': 'innocent' });
    expect([response.status, (await response.text()).length > size]).toEqual([200, true]);
    stick(server, ask(`more ${round}`));
    await vi.waitFor(async () => expect(await status(server, `more ${round}`)).toEqual([429, '1']), 15_000);
  }
  expect(await status(server, 'innocent')).toEqual([200, null]);
  expect(count(server, 'broken off')).toBeGreaterThan(2);
  expect(server.entries().filter((entry) => entry['status'] === 503)).toEqual([]);
  expect(server.entries().filter((entry) => entry['level'] === 'error')).toEqual([]);
  await server.close();
});

test('breaks off who reads nothing, and lets who reads slowly have its response', async () => {
  const server = await start({ limits: { unreadBytes: 28 * MIB } }, fixture);
  const reader = stick(server, ask('reader', read));
  let taken = 0;
  const reading = setInterval(() => {
    taken += reader.read(Math.min(reader.readableLength, MIB / 8))?.length ?? 0;
  }, 50);
  reader.on('readable', () => {});
  await vi.waitFor(() => expect(taken).toBeGreaterThan(MIB), 15_000);
  for (let i = 0; i < 8; i += 1) {
    stick(server, ask(`stuck ${i}`));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await vi.waitFor(() => expect(taken).toBeGreaterThan(size), 15_000);
  clearInterval(reading);
  expect(count(server, 'broken off')).toBeGreaterThan(3);
  await server.close();
});

test('breaks off the response of which most is left for longest, and none for its own client', () => {
  let now = 0;
  const unread = createUnread(100, () => now);
  const broken: string[] = [];
  const hold = (client: string, bytes: number, name = client) =>
    unread.hold(client, bytes, () => {
      broken.push(name);
    });
  const moving = hold('moving', 24);
  hold('small', 1);
  hold('slow', 20, 'slow, first');
  now = 1_000;
  moving.move(20);
  hold('slow', 20, 'slow, second');
  hold('other', 24);
  hold('fresh', 20);
  now = 2_000;
  // whoever has most in the way makes no room himself
  expect([unread.bytes, unread.hasRoom('slow'), broken]).toEqual([109, false, []]);
  expect([unread.hasRoom('fresh'), unread.bytes, broken]).toEqual([true, 89, ['slow, first']]);
  hold('last', 24);
  expect([unread.hasRoom('fresh'), unread.bytes, broken]).toEqual([true, 89, ['slow, first', 'other']]);
});

test('counts nothing twice, however often a response is released or broken off', () => {
  const unread = createUnread(100);
  let closed = 0;
  const held = ['a', 'b', 'c', 'd', 'e'].map((client) => unread.hold(client, 24, () => (closed += 1)));
  expect([unread.hasRoom('f'), closed, unread.bytes]).toEqual([true, 1, 96]);
  for (const each of held) {
    each.release();
    each.move(24);
    each.release();
  }
  expect([unread.bytes, closed, unread.hasRoom('a')]).toEqual([0, 1, true]);
});

test('refuses one response that is too large, by the id of its request', async () => {
  const server = await start({ limits: { responseBytes: MIB } }, fixture);
  const legacy = await post(server.url, toCall('resources/read', { uri }, 7));
  const modern = await fetch(server.url, toModernCall('resources/read', { uri }));
  const error = { code: -32603, message: expect.stringContaining('over the limit of 1048576') };
  expect([legacy.status, await legacy.json()]).toEqual([500, { jsonrpc: '2.0', error, id: 7 }]);
  expect([modern.status, await modern.json()]).toEqual([500, { jsonrpc: '2.0', error, id: 1 }]);
  await server.close();
  expect(server.entries().map((entry) => [entry['status'], entry['error']])).toEqual([
    [500, -32603],
    [500, -32603],
  ]);
});

test('answers with the largest file that a skill can have, every byte of it escaped', async () => {
  const text = '\u0001'.repeat(16 * MIB);
  const server = await start({}, createFixture(1, { [uri]: text }));
  const response = await post(server.url, toCall('resources/read', { uri }));
  const { result } = (await response.json()) as { result: { contents: { text: string }[] } };
  expect(result.contents[0]?.text === text).toBe(true);
  await server.close();
});
