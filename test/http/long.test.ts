import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishCatalog } from '../../src/http/publication.ts';
import { createInstance } from '../../src/mcp/instance.ts';
import { createLongContents, toPieces } from '../../src/mcp/long.ts';
import { makeCatalog } from '../mcp/catalog.ts';
import { connectClient, LEGACY_HEADERS, type Started, start } from './harness.ts';

const MIB = 1024 * 1024;
const files: Record<string, string | Uint8Array> = {
  'ascii.txt': 'A line "of" instructions\\, with a tab\t and a \r\n'.repeat(30_000),
  // a character of every length in UTF-8, so that each end of a slice is inside one somewhere
  'characters.txt': '\ufeffaé€😀\u2028\u0000'.repeat(120_000),
  'blanks.txt': '\n'.repeat(2 * MIB),
  // more than 32 MiB of JSON
  'controls.txt': '\u0001'.repeat(6 * MIB),
  'bytes.bin': Uint8Array.from({ length: 2 * MIB + 1 }, (_, at) => (at * 31) % 256),
  'short.txt': 'short',
};
const catalog = makeCatalog([{ path: 'long', files }]);
let running: Started;

beforeAll(async () => {
  const publish = publishCatalog(catalog, (toStandIn) =>
    createInstance({ name: 'test', version: '0' }, catalog, {}, { toStandIn }),
  );
  running = await start({ limits: { responseBytes: 40 * MIB } }, { publish });
});
afterAll(() => running.close());

describe.each(['legacy', 'modern'] as const)('%s', (era) => {
  test.each(Object.keys(files))('reads %s as it is', async (name) => {
    const client = await connectClient(running.url, era);
    const uri = `skill://long/${name}`;
    const { contents } = await client.readResource({ uri });
    await client.close();
    const [content] = contents;
    const expected = files[name] ?? '';
    const value =
      content !== undefined && 'text' in content ? content.text : Buffer.from(content?.blob ?? '', 'base64');
    // compared here: a difference of megabytes is not to be printed
    expect([contents.length, content?.uri]).toEqual([1, uri]);
    expect(typeof expected === 'string' ? value === expected : Buffer.compare(value as Buffer, expected) === 0).toBe(
      true,
    );
  });
});

/** The bytes of the answer to one request, and its headers. */
function ask(body: unknown, headers: Record<string, string>) {
  return new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((resolve, reject) => {
    const asked = request(running.url, { method: 'POST', headers: { ...LEGACY_HEADERS, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    asked.on('error', reject).end(JSON.stringify(body));
  });
}

const read = (name: string, id: unknown = 1) => ({
  ...{ jsonrpc: '2.0', id, method: 'resources/read' },
  params: { uri: `skill://long/${name}` },
});

test.each(['ascii.txt', 'controls.txt'])('answers %s with a length, and the same compressed', async (name) => {
  const plain = await ask(read(name), {});
  expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
  const { headers, bytes } = await ask(read(name), { 'accept-encoding': 'gzip' });
  const whole = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  expect(whole.equals(plain.bytes)).toBe(true);
});

test('answers what is long and what is short in a batch', async () => {
  const { bytes } = await ask([read('short.txt', 1), read('ascii.txt', 2)], { 'mcp-protocol-version': '2025-03-26' });
  const answers: { id: number; result: { contents: { text: string }[] } }[] = JSON.parse(bytes.toString());
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[0]?.result.contents[0]?.text).toBe('short');
  expect(answers[1]?.result.contents[0]?.text === files['ascii.txt']).toBe(true);
});

test.each(Object.keys(files))('knows the length of %s before a piece of it is made', async (name) => {
  const content = files[name] ?? '';
  const isText = typeof content === 'string';
  const file = { mimeType: 'text/plain', bytes: isText ? Buffer.from(content) : content, isText };
  const { toStandIn, complete } = createLongContents();
  const body = await complete(Buffer.from(JSON.stringify({ text: toStandIn(file) ?? 'short' })));
  const whole = body instanceof Uint8Array ? body : Buffer.concat([...toPieces(body)]);
  expect(body.length).toBe(whole.length);
  const written = isText ? content : Buffer.from(content).toString('base64');
  expect(Buffer.from(whole).equals(Buffer.from(JSON.stringify({ text: written })))).toBe(true);
});

test('lets others have the event loop while the length is counted', async () => {
  const file = { mimeType: 'text/plain', bytes: Buffer.alloc(16 * MIB, 1), isText: true };
  const { toStandIn, complete } = createLongContents();
  let turns = 0;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  await complete(Buffer.from(JSON.stringify({ text: toStandIn(file) })));
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(15);
});
