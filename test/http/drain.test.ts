import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { serveUntil } from '../../src/http/until.ts';
import { close, createFixture, listen, post, sendRaw, start, toCall, toModernCall, toRawPost } from './harness.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A grace that outlasts a test, in seconds: what waits for its end fails. */
const NEVER = 600;

const slow = toCall('resources/read', { uri: 'test://slow' }, 7);
const fixture = createFixture(2, { 'skill://big/SKILL.md': 'x'.repeat(24 * 1024 * 1024) });

test('lets open answers finish, tells probes, and takes nothing new', async () => {
  const server = await start({ graceSeconds: NEVER }, fixture);
  const legacy = post(server.url, slow);
  const modern = fetch(server.url, toModernCall('resources/read', { uri: 'test://slow' }));
  // The probe stands behind a slow request on a connection that was open before.
  const probe = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const probed = sendRaw(server.port, [toRawPost(slow)], 2_500);
  const late = connect(server.port, '127.0.0.1');
  let lateText = '';
  late.on('data', (chunk) => {
    lateText += chunk;
  });
  late.write(toRawPost(slow));
  await new Promise((resolve) => setTimeout(resolve, 200));

  const closing = server.close();
  late.write(probe);
  await expect(fetch(server.url)).rejects.toThrow();
  await expect(sendRaw(server.port, [probe])).resolves.toEqual({ text: '', closed: true });
  for (const answer of [await legacy, await modern]) {
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('waited');
  }
  expect(await probed).toEqual({
    text: expect.stringMatching(/^HTTP\/1.1 200 .*Connection: close.*waited/s),
    closed: true,
  });
  await closing;
  expect(lateText).toContain('waited');
  await server.close();
});

test('says 503 to a probe that still gets through', async () => {
  const server = await start({ graceSeconds: NEVER }, fixture);
  const slowly = post(server.url, slow);
  const idle = connect(server.port, '127.0.0.1');
  let text = '';
  idle.on('data', (chunk) => {
    text += chunk;
  });
  // Half a request keeps a connection from counting as idle.
  idle.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n');
  await new Promise((resolve) => setTimeout(resolve, 100));
  const closing = server.close();
  idle.write('\r\n');
  await slowly;
  await closing;
  expect(text).toMatch(/^HTTP\/1.1 503 .*Connection: close.*"draining"/s);
});

test('ends subscriptions with their result', async () => {
  const server = await start({ graceSeconds: NEVER }, fixture);
  const response = await fetch(
    server.url,
    toModernCall('subscriptions/listen', { notifications: { resourcesListChanged: true } }),
  );
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const text = response.text();
  await server.close();
  expect(await text).toMatch(/subscriptions\/acknowledged.*"result":\{"resultType":"complete"/s);
  expect(server.entries()).toEqual([expect.objectContaining({ method: 'subscriptions/listen', status: 200 })]);
});

test('breaks off what outlasts the grace', async () => {
  const server = await start({ graceSeconds: 0.3 }, fixture);
  const never = post(server.url, toCall('resources/read', { uri: 'test://never' })).catch((error: unknown) => error);
  const stuck = connect(server.port, '127.0.0.1');
  stuck.pause();
  stuck.on('error', () => {});
  stuck.write(toRawPost(toCall('resources/read', { uri: 'skill://big/SKILL.md' })));
  // Nothing but its request knows of the answer that never comes; it must still end.
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
  }
  await server.close();
  expect(await never).toBeInstanceOf(Error);
  stuck.destroy();
  expect(server.entries().map((entry) => entry['aborted'])).toEqual([true, true]);
});

test('does not wait for an issuer that never replies', async () => {
  const asked: (string | undefined)[] = [];
  const silent = createServer(({ url }) => asked.push(url));
  const issuer = await listen(silent);
  const oauth = { issuer, audience: 'https://skills.example.com/mcp' };
  const server = await start({ graceSeconds: 0.3, auth: { oauth } }, fixture);
  const token = [{ alg: 'ES256', kid: 'one' }, {}].map((part) => btoa(JSON.stringify(part))).join('.');
  const headers = { authorization: `Bearer ${token}.AAAA` };
  const answer = post(server.url, slow, headers).catch((error: unknown) => error);
  await expect.poll(() => asked.length).toBe(1);
  await server.close();
  expect(await answer).toBeInstanceOf(Error);
  expect(server.entries()).toEqual([expect.objectContaining({ status: 499, aborted: true })]);
  // It was not even asked for the second of the places where its metadata may be.
  expect(asked).toEqual(['/.well-known/oauth-authorization-server']);
  await close(silent);
});

test('listens to the signals of its process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  const file = join(folder, 'tokens');
  await writeFile(file, 'alice:one-token\n', { mode: 0o600 });
  const signals = new EventEmitter();
  const server = await start({ auth: { tokenFile: file } });
  const stop = new AbortController();
  const done = serveUntil(stop.signal, server, signals);
  signals.emit('SIGHUP');
  await expect.poll(() => server.entries().length).toBe(1);
  await writeFile(file, 'alice\n');
  signals.emit('SIGHUP');
  await expect.poll(() => server.entries().length).toBe(2);
  expect(server.entries().map(({ level, message }) => [level, message])).toEqual([
    ['info', 'the token file was read again'],
    ['error', expect.stringMatching(/^the tokens stay as they were: line 1 of the token file/)],
  ]);
  expect((await post(server.url, toCall('ping'), { authorization: 'Bearer one-token' })).status).toBe(200);
  stop.abort();
  await done;
  expect(signals.eventNames()).toEqual([]);
  await expect(fetch(server.url)).rejects.toThrow();
  await rm(folder, { recursive: true });
});
