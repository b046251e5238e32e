import { connect, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createConnections } from '../../src/http/connections.ts';
import { post, type Started, sendRaw, start, toCall, toModernCall, toRawPost } from './harness.ts';

const ping = toRawPost(toCall('ping'));
const { body, headers } = toModernCall('subscriptions/listen', { notifications: { resourcesListChanged: true } });
const listen = toRawPost(body, headers);
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

interface Client {
  isClosed: boolean;
  text: string;
  socket: Socket;
}

/** Connects from an address of this machine, sends this, and waits until the server must have seen it. */
async function open({ port }: Started, text = '', localAddress = '127.0.0.1'): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const client = { isClosed: false, text: '', socket };
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    client.text += chunk;
  });
  socket.on('close', () => {
    client.isClosed = true;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  await new Promise((resolve) => setTimeout(resolve, 30));
  return client;
}
const areClosed = (clients: Client[]) => clients.map(({ isClosed }) => isClosed);

test('refuses a connection where all others have a request that is being answered', async () => {
  const server = await start({ limits: { connections: 2 } });
  const busy = [await open(server, listen), await open(server, listen)];
  expect(await sendRaw(server.port, [ping], 5_000, 50)).toEqual({ text: '', closed: true });
  expect(areClosed(busy)).toEqual([false, false]);
  busy[0]?.socket.destroy();
  await expect.poll(async () => (await sendRaw(server.port, [ping], 500, 50)).text).toMatch(/^HTTP\/1.1 200 /);
  await server.close();
});

test.each([
  ['says nothing', ''],
  ['has half a header', 'POST /mcp HTTP/1.1\r\nHost: loc'],
  ['has half a body', ping.slice(0, -1)],
  ['waits for its next request', ping],
])('closes the oldest connection that %s for a new one', async (_, text) => {
  const server = await start({ limits: { connections: 3 } });
  const clients = [await open(server, listen), await open(server, text), await open(server, text)];
  const { text: answer } = await sendRaw(server.port, [ping], 5_000, 50);
  expect([answer.slice(0, 13), areClosed(clients)]).toEqual(['HTTP/1.1 200 ', [false, true, false]]);
  await server.close();
});

test('lets no address have all connections, and the crowded one gives way', async () => {
  const server = await start({ limits: { connections: 6, connectionsPerAddress: 4 } });
  const innocent = await open(server, '', '127.0.0.9');
  const flood: Client[] = [];
  for (let i = 0; i < 10; i += 1) flood.push(await open(server, 'POST /mcp HTTP/1.1\r\n'));
  expect(areClosed(flood)).toEqual([...Array(6).fill(true), ...Array(4).fill(false)]);
  // A full house: two of its seven go, of those who have most.
  const others = [await open(server, ping, '127.0.0.8'), await open(server, ping, '127.0.0.7')];
  innocent.socket.write(ping);
  await expect
    .poll(() => [innocent, ...others].map(({ text }) => text.slice(0, 13)))
    .toEqual(Array(3).fill('HTTP/1.1 200 '));
  expect(areClosed([innocent, ...others])).toEqual([false, false, false]);
  expect(areClosed(flood).filter((isClosed) => !isClosed)).toHaveLength(3);
  await server.close();
});

test('tells the log of closed connections once a minute, and counts them all', async () => {
  let time = 0;
  const notes: string[] = [];
  const connections = createConnections(
    9,
    1,
    (message) => notes.push(message),
    () => time,
  );
  for (const at of [0, 0, 1, 59_999, 60_000, 60_001]) {
    time = at;
    connections.add(new Socket());
  }
  const bounds = 'closed to make room: 9 may be open, 1 of them from one address; behind a proxy, use --trust-proxy';
  expect([connections.size, connections.crowded, notes]).toEqual([
    1,
    5,
    [`1 connection was ${bounds}`, `3 connections were ${bounds}`],
  ]);
});

test('shows how many connections were closed in its metrics', async () => {
  const server = await start({ metrics: true, limits: { connections: 2 } });
  for (let i = 0; i < 3; i += 1) await open(server);
  const metrics = await (await fetch(new URL('/metrics', server.url))).text();
  expect(/^mcp_skills_connections_crowded_total .*$/m.exec(metrics)?.[0]).toBe(
    'mcp_skills_connections_crowded_total 2',
  );
  await server.close();
  expect(server.entries()[0]).toEqual({
    time: expect.any(String),
    level: 'error',
    message: '1 connection was closed to make room: 2 may be open',
  });
});

test('refuses one more from an address whose connections are all busy, and nobody else', async () => {
  const server = await start({ limits: { connectionsPerAddress: 2 } });
  const busy = [await open(server, listen), await open(server, listen)];
  expect(await sendRaw(server.port, [ping], 5_000, 50)).toEqual({ text: '', closed: true });
  expect((await open(server, ping, '127.0.0.9')).text).toMatch(/^HTTP\/1.1 200 /);
  expect(areClosed(busy)).toEqual([false, false]);
  await server.close();
});

test('does not count the connections of a proxy', async () => {
  const server = await start({ trustProxy: true, limits: { connectionsPerAddress: 1 } });
  await open(server, listen);
  expect((await post(server.url, toCall('ping'))).status).toBe(200);
  await server.close();
});
