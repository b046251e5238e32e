import { connect, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createOutstanding } from '../../src/http/outstanding.ts';
import { createFixture, post, type Started, start, toCall, toModernCall, toRawPost } from './harness.ts';

const MIB = 1024 * 1024;
const uri = 'skill://big/SKILL.md';
const size = 24 * MIB;
const fixture = createFixture(1, { [uri]: 'x'.repeat(size) });
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
const ask = (program: string) => toRawPost(toCall('resources/read', { uri }), { 'User-Agent': program });

const status = async ({ url }: Started, program: string) => {
  const response = await post(url, ping, { 'user-agent': program });
  return [response.status, response.headers.get('retry-after')];
};
/** What was refused or broken off, and how often. */
const count = (server: Started, word: string) =>
  server.entries().filter(({ refused }) => String(refused).includes(word)).length;

test('makes no answer before those before it are counted, so that many requests at once get one', async () => {
  const server = await start({ metrics: true, limits: { outstandingBytes: 80 * MIB } }, fixture);
  // The last byte of all of them comes at the same time.
  const whole = ask('one');
  const flood = Array.from({ length: 30 }, () => stick(server, whole.slice(0, -1)));
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const socket of flood) socket.write(whole.slice(-1));
  expect(await status(server, 'two')).toEqual([200, null]);
  await vi.waitFor(() => expect(count(server, 'unread responses')).toBe(29), 15_000);
  expect(server.entries().filter((entry) => entry['status'] === 429)).toHaveLength(29);
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  expect(Number(/^mcp_skills_outstanding_bytes (\d+)/m.exec(metrics)?.[1])).toBeLessThan(size + MIB);
  expect(await status(server, 'one')).toEqual([429, '1']);
  for (const socket of flood) socket.destroy();
  await vi.waitFor(async () => expect(await status(server, 'one')).toEqual([200, null]), 15_000);
  await server.close();
});

test('breaks off those who take nothing when all memory is used, and serves the others', async () => {
  const server = await start({ limits: { outstandingBytes: 80 * MIB } }, fixture);
  for (const program of ['one', 'two', 'three', 'four']) {
    stick(server, ask(program));
    await vi.waitFor(async () => expect(await status(server, program)).toEqual([429, '1']), 15_000);
  }
  // Four hold 96 MiB.
  expect(count(server, 'broken off')).toBe(0);
  for (let round = 0; round < 3; round += 1) {
    const response = await post(server.url, toCall('resources/read', { uri }), { 'user-agent': 'innocent' });
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

test('breaks off the oldest answer of who has left most for longest', () => {
  let now = 0;
  const outstanding = createOutstanding(100, () => now);
  const broken: string[] = [];
  const hold = (client: string, bytes: number, name = client) => {
    const account = outstanding.open();
    account.hold(client, bytes, () => broken.push(name));
    return account;
  };
  hold('small', 1);
  hold('slow', 12, 'slow, first');
  hold('slow', 12, 'slow, second');
  now = 1_000;
  // cannot be given back, and is no reason to break off anybody
  outstanding.open().hold('compressing', 20);
  hold('fresh', 80);
  expect([outstanding.bytes, outstanding.judge('fresh'), outstanding.judge('small'), broken]).toEqual([
    125,
    'client',
    'free',
    ['slow, first'],
  ]);
  expect(outstanding.bytes).toBe(113);
  // Whoever has used most himself makes no room.
  hold('slow', 12, 'slow, third');
  expect([outstanding.judge('slow'), broken.length]).toEqual(['client', 1]);
  expect([outstanding.judge('other'), broken.length, outstanding.bytes]).toEqual(['free', 2, 113]);
  // Nor does one that was broken off, for half a minute.
  hold('fresh', 1);
  hold('seventh', 6);
  expect([outstanding.judge('slow'), broken.length]).toEqual(['client', 2]);
  now += 30_000;
  expect([outstanding.judge('slow'), broken]).toEqual(['free', ['slow, first', 'slow, second', 'fresh']]);
});

test('spares a client that takes its answer, whoever came first', () => {
  let now = 0;
  const outstanding = createOutstanding(100, () => now);
  const broken: string[] = [];
  const reading = outstanding.open();
  const take = (left: number) => reading.hold('reading', 60, () => broken.push('reading'), left);
  take(60);
  now = 1_500;
  outstanding.open().hold('stalled', 41, () => broken.push('stalled'));
  now = 2_000;
  take(40);
  now = 2_200;
  expect([outstanding.bytes, outstanding.judge('other'), broken]).toEqual([101, 'free', ['stalled']]);
  // What was taken is in memory until the rest is.
  expect(outstanding.bytes).toBe(60);
});

test('breaks off and refuses nobody for the answer of another that is being compressed', () => {
  const outstanding = createOutstanding(100, () => 0);
  const broken: string[] = [];
  outstanding.open().hold('small', 20, () => broken.push('small'));
  const large = outstanding.open();
  large.hold('large', 190);
  expect([outstanding.judge('other'), outstanding.judge('large'), broken]).toEqual(['free', 'client', []]);
  large.hold('large', 80, () => broken.push('large'));
  expect([outstanding.judge('other'), broken, outstanding.bytes]).toEqual(['free', ['large'], 20]);
});

test('breaks off who reads nothing, and lets who reads slowly have its answer', async () => {
  const server = await start({ limits: { outstandingBytes: 80 * MIB } }, fixture);
  const reader = stick(server, ask('reader'));
  let taken = 0;
  const reading = setInterval(() => {
    taken += reader.read(Math.min(reader.readableLength, MIB / 2))?.length ?? 0;
  }, 50);
  reader.on('readable', () => {});
  await vi.waitFor(() => expect(taken).toBeGreaterThan(4 * MIB), 15_000);
  for (let i = 0; i < 7; i += 1) {
    stick(server, ask(`stuck ${i}`));
    // The buffers of the system are emptied in gusts: a moment says little of who reads.
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await vi.waitFor(() => expect(taken).toBeGreaterThan(size), 15_000);
  clearInterval(reading);
  expect(count(server, 'broken off')).toBeGreaterThan(3);
  await server.close();
});

test('counts nothing twice, however an answer grows, is broken off or ends', () => {
  const outstanding = createOutstanding(100, () => 0);
  let closed = 0;
  const accounts = ['a', 'b', 'c', 'd', 'e'].map((client) => {
    const account = outstanding.open();
    account.hold(client, 24);
    return account;
  });
  accounts[0]?.hold('a', 110, () => {
    closed += 1;
  });
  expect([outstanding.judge('f'), closed, outstanding.bytes]).toEqual(['free', 1, 96]);
  for (const account of accounts) {
    account.hold('a', 50);
    account.close();
    account.close();
  }
  expect(outstanding.bytes).toBe(0);
});

test('refuses one answer that is too large, by the id of its request', async () => {
  const server = await start({ limits: { answerBytes: MIB } }, fixture);
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
