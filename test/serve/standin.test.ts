import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFixture, post, type Started, start, toModernCall } from './harness.ts';

const MIB = 1024 * 1024;
/** Every kind of character that JSON escapes or UTF-8 spreads, so that slices end anywhere in it. */
const MIXED = 'a"\\\n\r\t\u0000\u0001\u2028é値\u{1f600}\ud800-';
const FILES = {
  'skill://mixed/SKILL.md': MIXED.repeat((2 * MIB) / MIXED.length),
  'skill://shifted/SKILL.md': `x${MIXED.repeat((2 * MIB) / MIXED.length)}`,
  'skill://controls/SKILL.md': '\u0001'.repeat(8 * MIB),
  'skill://half/SKILL.md': MIXED.repeat(MIB / 2 / MIXED.length),
  'skill://short/SKILL.md': '\u0001'.repeat(MIB),
};

let server: Started;
beforeAll(async () => {
  server = await start({ limits: { requestsPerSecond: 100_000, burst: 100_000 } }, createFixture(1, FILES));
});
afterAll(() => server.close());

const read = (uri: string, id = 1) => ({ jsonrpc: '2.0', id, method: 'resources/read', params: { uri } });

test.each(Object.entries(FILES))('a long text arrives as it is, in both eras: %s', async (uri, text) => {
  const legacy = await post(server.url, JSON.stringify(read(uri)), { 'accept-encoding': 'identity' });
  const bytes = Buffer.from(await legacy.arrayBuffer());
  expect(Number(legacy.headers.get('content-length'))).toBe(bytes.length);
  const { result } = JSON.parse(bytes.toString());
  expect(result.contents[0].text === text).toBe(true);
  // written as the SDK would have written it
  expect(bytes.toString() === JSON.stringify(JSON.parse(bytes.toString()))).toBe(true);

  const modern = await fetch(server.url, toModernCall('resources/read', { uri }));
  const answer = (await modern.json()) as { result: { contents: { text: string }[] } };
  expect([modern.status, answer.result.contents[0]?.text === text]).toEqual([200, true]);
});

test('a long text arrives compressed where that is asked for, and a very long one as it is', async () => {
  const ask = (uri: string) =>
    import('node:http').then(
      ({ request }) =>
        new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
          const headers = {
            ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
            'accept-encoding': 'gzip',
          };
          const asked = request(server.url, { method: 'POST', headers }, (response) => {
            const chunks: Buffer[] = [];
            response.on('data', (chunk) => chunks.push(chunk));
            response.on('end', () =>
              resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
            );
          });
          asked.on('error', reject).end(JSON.stringify(read(uri)));
        }),
    );
  const mixed = await ask('skill://mixed/SKILL.md');
  expect(mixed.encoding).toBe('gzip');
  const { result } = JSON.parse(gunzipSync(mixed.body).toString());
  expect(result.contents[0].text === FILES['skill://mixed/SKILL.md']).toBe(true);
  const controls = await ask('skill://controls/SKILL.md');
  expect([controls.encoding, controls.body.length > 48 * MIB]).toEqual([undefined, true]);
});

test('a batch of long texts is answered whole or refused, and loses none', async () => {
  const headers = { 'mcp-protocol-version': '2025-03-26' };
  const two = [read('skill://skill-00000/SKILL.md', 1), read('skill://half/SKILL.md', 2)];
  const whole = await post(server.url, JSON.stringify(two), headers);
  const answers = (await whole.json()) as { id: number; result: { contents: { text: string }[] } }[];
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1]?.result.contents[0]?.text === FILES['skill://half/SKILL.md']).toBe(true);
  const refused = await post(server.url, JSON.stringify([...two, read('skill://controls/SKILL.md', 3)]), headers);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'the answers are over 4194304 bytes together: send the messages one by one' },
    },
  ]);
});

test('eight times as much text keeps the event loop about as long', async () => {
  const measure = async (uri: string) => {
    const kept: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      const response = await post(server.url, JSON.stringify(read(uri)), { 'accept-encoding': 'identity' });
      for await (const _ of response.body ?? []);
      kept.push(delays.max / 1e6);
      delays.disable();
    }
    return Math.min(...kept);
  };
  const [once, more] = [await measure('skill://short/SKILL.md'), await measure('skill://controls/SKILL.md')];
  expect(more / Math.max(once, 5)).toBeLessThan(4);
});
