import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseEncoding } from '../../src/http/accept.ts';
import { createFixture, LEGACY_HEADERS, type Started, start, toCall, toModernCall } from './harness.ts';

const fixture = createFixture(100);
let server: Started;

beforeAll(async () => {
  server = await start({}, fixture);
});
afterAll(() => server.close());

/** A request whose answer is not decompressed on the way, as fetch would do. */
function ask(body: string, headers: Record<string, string>) {
  return new Promise<{ encoding: string | undefined; vary: string | undefined; bytes: Buffer }>((resolve, reject) => {
    const { hostname, port, pathname } = new URL(server.url);
    request({ hostname, port, path: pathname, method: 'POST', headers })
      .on('response', async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        expect(Number(response.headers['content-length'])).toBe(bytes.length);
        resolve({ encoding: response.headers['content-encoding'], vary: response.headers.vary, bytes });
      })
      .on('error', reject)
      .end(body);
  });
}

test('compresses listings for the clients that accept it, in both eras', async () => {
  const modern = toModernCall('skills/list');
  for (const [body, headers] of [
    [toCall('skills/list'), LEGACY_HEADERS],
    [modern.body, modern.headers],
  ] as const) {
    const plain = await ask(body, headers);
    expect(plain.encoding).toBeUndefined();
    expect(plain.vary).toContain('Accept-Encoding');
    const br = await ask(body, { ...headers, 'accept-encoding': 'gzip, deflate, br' });
    expect([br.encoding, brotliDecompressSync(br.bytes)]).toEqual(['br', plain.bytes]);
    const gzip = await ask(body, { ...headers, 'accept-encoding': 'gzip' });
    expect([gzip.encoding, gunzipSync(gzip.bytes)]).toEqual(['gzip', plain.bytes]);
    expect(plain.bytes.length / br.bytes.length).toBeGreaterThan(4);
    expect(plain.bytes.length / gzip.bytes.length).toBeGreaterThan(4);
  }
});

test('leaves short answers alone', async () => {
  const short = await ask(toCall('ping'), { ...LEGACY_HEADERS, 'accept-encoding': 'br' });
  expect(short.encoding).toBeUndefined();
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;q=0.5, br;q=0.1', 'gzip'],
  ['gzip, br', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0, gzip;q=0.2', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=nonsense', undefined],
  ['deflate, zstd', undefined],
])('reads Accept-Encoding "%s" as %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
