import { request } from 'node:http';
import { expect, test } from 'vitest';
import { nameCaller } from '../../src/http/caller.ts';
import { createLimiter } from '../../src/http/rate.ts';
import { LEGACY_HEADERS, post, start, toCall } from './harness.ts';

test('gives each client its own allowance, which time refills', () => {
  let now = 0;
  const limiter = createLimiter({ perSecond: 10, burst: 20 }, () => now);
  for (let i = 0; i < 20; i += 1) expect(limiter.take('a')).toBe(0);
  expect(limiter.take('a')).toBe(1);
  expect(limiter.take('b')).toBe(0);
  now += 100;
  expect([limiter.take('a'), limiter.take('a')]).toEqual([0, 1]);
  now += 60_000;
  expect([limiter.take('a', 20), limiter.take('a', 20)]).toEqual([0, 2]);
  // More than the allowance can ever hold is granted when it is full, and paid for afterwards.
  now += 60_000;
  expect([limiter.take('a', 50), limiter.take('a')]).toEqual([0, 4]);
});

test('forgets clients rather than growing without end', () => {
  let now = 0;
  const limiter = createLimiter({ perSecond: 1, burst: 1 }, () => now);
  for (let i = 0; i < 30_000; i += 1) {
    now += 1;
    limiter.take(`client ${i}`);
  }
  expect(limiter.take('client 29999')).toBe(1);
  expect(limiter.take('client 1')).toBe(0);
});

test('counts by network, and on this machine by program', () => {
  type Sender = Parameters<typeof nameCaller>[0];
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    ({ socket: { remoteAddress }, headers }) as unknown as Sender;
  const name = (sender: Sender, trustProxy = false) => nameCaller(sender, trustProxy);
  expect(name(from('::ffff:10.0.0.1'))).toBe('address 10.0.0.1');
  expect(name(from('2001:db8::1'))).toBe(name(from('2001:0db8:0:0:ffff::2')));
  expect(name(from('2001:db8:0:1::1'))).not.toBe(name(from('2001:db8::1')));
  expect(name(from('127.0.0.1', { 'user-agent': 'cursor' }))).not.toBe(
    name(from('127.0.0.1', { 'user-agent': 'zed' })),
  );
  const proxied = { 'user-agent': 'x', 'x-forwarded-for': 'forged, 198.51.100.7:4321' };
  expect(name(from('127.0.0.1', proxied))).toBe('address 127.0.0.1');
  expect(name(from('127.0.0.1', proxied), true)).toBe('address 198.51.100.7');
  expect(name(from('10.9.9.9', { 'x-forwarded-for': '[2001:db8::5]:80' }), true)).toBe('address 2001:db8:0:0');
});

test('tells a client that floods to wait, and serves the others', async () => {
  let now = 1_800_000_000_000;
  const server = await start({ limits: { requestsPerSecond: 100, burst: 50 }, now: () => now });
  // The flood of one host that was seen: it subscribes to the same file for ever.
  const flood = toCall('resources/subscribe', { uri: 'skill://a/SKILL.md' });
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      const response = await post(server.url, flood, { 'user-agent': 'flooder' });
      statuses.push(response.status);
      if (response.status === 429) expect(response.headers.get('retry-after')).toBe('1');
      await response.text();
    }),
  );
  expect(statuses.filter((status) => status === 429)).toHaveLength(250);

  const other = await post(server.url, toCall('ping'), { 'user-agent': 'other' });
  expect(other.status).toBe(200);
  // From another address, whatever it calls itself.
  const elsewhere = await new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port, pathname } = new URL(server.url);
    request({
      ...{ hostname, port, path: pathname, method: 'POST', localAddress: '127.0.0.9' },
      headers: { ...LEGACY_HEADERS, 'user-agent': 'flooder' },
    })
      .on('response', (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(toCall('ping'));
  });
  expect(elsewhere).toBe(200);
  now += 1_000;
  expect((await post(server.url, flood, { 'user-agent': 'flooder' })).status).toBe(200);
  await server.close();
});

test('counts refused tokens, and the messages of a batch', async () => {
  const auth = { token: 'one-token-one-token' };
  const server = await start({ auth, limits: { burst: 20 }, now: () => 1_800_000_000_000 });
  const guess = async (i: number) =>
    (await post(server.url, toCall('ping'), { authorization: `Bearer guess${i}` })).status;
  const guesses = await Promise.all(Array.from({ length: 25 }, (_, i) => guess(i)));
  expect([guesses.filter((it) => it === 401).length, guesses.filter((it) => it === 429).length]).toEqual([20, 5]);
  const headers = { authorization: `Bearer ${auth.token}`, 'mcp-protocol-version': '2025-03-26' };
  const batch = JSON.stringify(Array.from({ length: 15 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })));
  expect((await post(server.url, batch, headers)).status).toBe(200);
  expect((await post(server.url, batch, headers)).status).toBe(429);
  await server.close();
});

test('counts refused tokens by address, whatever a program calls itself', async () => {
  const auth = { token: 'one-token-one-token' };
  const server = await start({ auth, limits: { burst: 20 }, now: () => 1_800_000_000_000 });
  const guess = async (i: number) => {
    const headers = { authorization: `Bearer guess${i}`, 'user-agent': `program ${i}` };
    return (await post(server.url, toCall('ping'), headers)).status;
  };
  const guesses: number[] = [];
  for (let i = 0; i < 25; i += 1) guesses.push(await guess(i));
  expect(guesses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
  const known = { authorization: `Bearer ${auth.token}`, 'user-agent': 'program 1' };
  expect((await post(server.url, toCall('ping'), known)).status).toBe(200);
  await server.close();
});

test('counts whatever is asked for, and still answers the probes of the one that floods', async () => {
  const server = await start({ limits: { burst: 20 }, metrics: true, now: () => 1_800_000_000_000 });
  const ask = async (path: string, agent: string, method = 'GET', headers = {}) => {
    const response = await fetch(new URL(path, server.url), { method, headers: { 'user-agent': agent, ...headers } });
    await response.text();
    return response.status;
  };
  const foreign = { origin: 'https://evil.example' };
  const kinds: [string, string, string, object?][] = [
    ['/', 'GET', '404'],
    ['/none', 'GET', '404'],
    ['/mcp', 'OPTIONS', '204'],
    ['/mcp', 'POST', '403', foreign],
    ['/healthz', 'POST', '405'],
    ['/healthz', 'GET', '403', foreign],
  ];
  for (const [path, method, status, headers] of kinds) {
    const agent = `flooder of ${method} ${path} ${status}`;
    const statuses: number[] = [];
    for (let i = 0; i < 22; i += 1) statuses.push(await ask(path, agent, method, headers));
    expect([agent, ...statuses]).toEqual([agent, ...Array(20).fill(Number(status)), 429, 429]);
    expect(await ask('/mcp', agent)).toBe(429);
    expect(await ask('/metrics', agent)).toBe(429);
    expect(await ask('/healthz', agent)).toBe(200);
    expect(await ask(path, 'innocent', method, headers)).toBe(Number(status));
  }
  const countProbes = () => server.entries().filter(({ path, status }) => path === '/readyz' && status === 200).length;
  for (let i = 0; i < 50; i += 1) expect(await ask('/readyz', 'probe')).toBe(200);
  // One line would stand there for each.
  expect(countProbes()).toBe(20);
  expect(await ask('/readyz', 'another probe')).toBe(200);
  expect(countProbes()).toBe(21);
  expect(await ask('/mcp', 'probe')).toBe(405);
  await server.close();
});

test('does not make a client with a token pay for others at its address', async () => {
  const auth = { token: 'one-token-one-token' };
  const server = await start({ auth, limits: { burst: 5 }, now: () => 1_800_000_000_000 });
  const ask = (headers: Record<string, string>) =>
    post(server.url, toCall('ping'), { 'user-agent': 'same', ...headers });
  for (let i = 0; i < 6; i += 1) await ask({ authorization: 'Bearer wrong-wrong-wrong' });
  expect((await ask({ authorization: 'Bearer wrong-wrong-wrong' })).status).toBe(429);
  expect((await fetch(server.url.replace('mcp', ''), { headers: { 'user-agent': 'same' } })).status).toBe(429);
  expect((await ask({ authorization: `Bearer ${auth.token}` })).status).toBe(200);
  await server.close();
});
