import { expect, test } from 'vitest';
import { publishCatalog } from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { createFixture, post, start, toCall } from './harness.ts';

const headers = { 'mcp-protocol-version': '2025-03-26' };
const batch = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'resources/read',
    params: { uri: 'test://work' },
  })),
);

/** A server each of whose reads keeps the event loop for some milliseconds, and how many there were. */
function createWorker(ms: number) {
  const worker = { reads: 0 };
  const { catalog } = createFixture(1);
  const publish = publishCatalog(catalog, () => {
    const server = createInstance({ name: 'worker', version: '0.0.0' }, catalog, {});
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      worker.reads += 1;
      const began = performance.now();
      while (performance.now() - began < ms);
      return { contents: [{ uri, text: 'worked' }] };
    });
    return server;
  });
  return { publish, worker };
}

test('answers others between the messages of a batch', async () => {
  const server = await start({}, createWorker(10));
  const order: string[] = [];
  const asked = async (what: string, answer: Promise<Response>) => {
    const response = await answer;
    await response.text();
    order.push(`${what} ${response.status}`);
  };
  const all = asked('batch', post(server.url, batch, { ...headers, 'user-agent': 'batch' }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const health = asked('health', fetch(new URL('/healthz', server.url)));
  const ping = asked('ping', post(server.url, toCall('ping'), { 'user-agent': 'other' }));
  const read = asked(
    'read',
    post(server.url, toCall('resources/read', { uri: 'test://x' }), { 'user-agent': 'other' }),
  );
  await Promise.all([all, health, ping, read]);
  expect(order).toEqual([...order.slice(0, 3).sort(), 'batch 200']);
  expect(order.slice(0, 3).sort()).toEqual(['health 200', 'ping 200', 'read 200']);
  await server.close();
});

test('ends a batch whose answers take too long together, and makes none that nobody waits for', async () => {
  const fixture = createWorker(20);
  const server = await start({ limits: { responseMs: 200 } }, fixture);
  const response = await post(server.url, batch, headers);
  const error = { code: -32603, message: 'the response took too long' };
  expect([response.status, await response.json()]).toEqual([504, { jsonrpc: '2.0', error, id: null }]);
  const { reads } = fixture.worker;
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(100);
  await server.close();
  expect(fixture.worker.reads).toBe(reads);
});

test('makes no more of a batch whose client has gone', async () => {
  const fixture = createWorker(20);
  const server = await start({}, fixture);
  const stop = new AbortController();
  const asked = fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: batch,
    signal: stop.signal,
  });
  await new Promise((resolve) => setTimeout(resolve, 100));
  stop.abort();
  await expect(asked).rejects.toThrow('aborted');
  await server.close();
  expect(fixture.worker.reads).toBeLessThan(100);
  expect(server.entries()).toMatchObject([{ method: 'batch', aborted: true }]);
});
