import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { PinnedFile } from '../../src/catalog/catalog.ts';
import { createCompressor, type Encoding, type MakePiece } from '../../src/http/compress.ts';
import { createLongContents, type LongBody, toPieces } from '../../src/mcp/long.ts';

const MIB = 1024 * 1024;
const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
const now: MakePiece = async (make) => make();

const toFile = (text: string): PinnedFile => ({ mimeType: 'text/plain', bytes: Buffer.from(text), isText: true });

/** A response as the SDK writes it: what differs between two to the same request is at the end. */
async function toResponse(file: PinnedFile, id: unknown): Promise<LongBody> {
  const { toStandIn, complete } = createLongContents();
  const content = JSON.stringify(toStandIn(file));
  const written = `{"result":{"contents":[{"text":${content}}]},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  const body = await complete(Buffer.from(written));
  if (body instanceof Uint8Array) throw new Error('the file is too short for this test');
  return body;
}

const line = 'A line of instructions that is about as long as such lines are: ä, 😀.\n';
const long = line.repeat(Math.ceil((2 * MIB) / line.length));

test.each<Encoding>(['br', 'gzip'])(
  'compresses a large text once for all who ask for it, with %s',
  async (encoding) => {
    const compressor = createCompressor();
    const file = toFile(long);
    let made = 0;
    const ask = async (id: unknown) => {
      const response = await toResponse(file, id);
      const count: MakePiece = async (make) => {
        made += 1;
        return make();
      };
      const pieces = (await compressor.compressLong(response, encoding, count)) ?? [];
      expect(decompress[encoding](Buffer.concat(pieces)).equals(Buffer.concat([...toPieces(response)]))).toBe(true);
      return pieces[0];
    };
    const ids = [1, 'two', null, 'x'.repeat(3000), '","jsonrpc":"2.0","id":', '\u0000'];
    const first = await Promise.all(ids.map(ask));
    const once = made;
    const later = await Promise.all([7, 1].map(ask));
    expect([made, new Set([...first, ...later]).size]).toEqual([once, 1]);
    expect(compressor.kept).toBe(first[0]?.length);
  },
);

test('compresses each file for itself', async () => {
  const compressor = createCompressor();
  for (const text of [`1${long}`, `2${long}`]) {
    const response = await toResponse(toFile(text), 1);
    const pieces = (await compressor.compressLong(response, 'gzip', now)) ?? [];
    expect(gunzipSync(Buffer.concat(pieces)).includes(text.slice(0, 20))).toBe(true);
  }
});

test('sends a long response with an id that is as long as a client likes as it is', async () => {
  const response = await toResponse(toFile(long), 'x'.repeat(10_000));
  expect(await createCompressor().compressLong(response, 'gzip', now)).toBeUndefined();
});

test('sends a third large text as it is while two are being compressed, and small ones never', async () => {
  const compressor = createCompressor();
  const files = Array.from({ length: 4 }, (_, i) => toFile(`${i} ${long}`));
  const compress = async (file: PinnedFile) => compressor.compressLong(await toResponse(file, 1), 'gzip', now);
  const responses = await Promise.all(files.map((file) => toResponse(file, 1)));
  const large = responses.map((response) => compressor.compressLong(response, 'gzip', now));
  const again = compressor.compressLong(responses[0] as LongBody, 'gzip', now);
  const whole = compressor.compress(Buffer.from(long), 'gzip');
  const small = Array.from({ length: 20 }, (_, i) => compressor.compress(Buffer.from(`${i} ${line}`), 'gzip'));
  const areCompressed = async (made: Promise<unknown>[]) => (await Promise.all(made)).map((each) => each !== undefined);
  expect(await areCompressed([...large, again, whole])).toEqual([true, true, false, false, true, false]);
  expect(await areCompressed(small)).toEqual(Array(20).fill(true));
  expect(await areCompressed([compress(files[3] as PinnedFile)])).toEqual([true]);
  // nor one that is too large to be worth the memory
  expect(await compressor.compress(Buffer.alloc(33 * MIB, 97), 'gzip')).toBeUndefined();
});

test('keeps no more than 32 MiB, of those who were asked for last', async () => {
  const compressor = createCompressor();
  const files = Array.from({ length: 7 }, () => toFile(randomBytes(5 * MIB).toString('base64')));
  const works = new Set<number>();
  const made: number[] = [];
  const ask = async (index: number) => {
    works.clear();
    const response = await toResponse(files[index] as PinnedFile, 1);
    await compressor.compressLong(response, 'gzip', async (make) => {
      works.add(index);
      return make();
    });
    made.push(...works);
  };
  for (const index of [0, 1, 2, 3, 4, 5, 0, 6]) {
    await ask(index);
    expect(compressor.kept).toBeLessThanOrEqual(32 * MIB);
  }
  for (const index of [0, 6, 1]) await ask(index);
  expect(made).toEqual([0, 1, 2, 3, 4, 5, 6, 1]);
});
