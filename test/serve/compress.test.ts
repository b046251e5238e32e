import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCompressor, type Encoding } from '../../src/http/compress.ts';

const MIB = 1024 * 1024;
const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
const ignore = () => {};

/** An answer as the SDK writes it: what differs between two that ask for the same is at the end. */
const toAnswer = (text: string, id: unknown) =>
  Buffer.from(`{"result":{"contents":[{"text":${JSON.stringify(text)}}]},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
const line = 'A line of instructions that is about as long as such lines are: ä, 😀.\n';
const long = line.repeat(Math.ceil((2 * MIB) / line.length));

test.each<Encoding>(['br', 'gzip'])(
  'compresses a large text once for all who ask for it, with %s',
  async (encoding) => {
    const compressor = createCompressor();
    let works = 0;
    const ask = async (id: unknown) => {
      const answer = toAnswer(long, id);
      const pieces =
        (await compressor.compress(answer, encoding, () => {
          works += 1;
        })) ?? [];
      expect(decompress[encoding](Buffer.concat(pieces)).equals(answer)).toBe(true);
      return pieces[0];
    };
    const ids = [1, 'two', null, 'x'.repeat(3000), '","jsonrpc":"2.0","id":', '\u0000'];
    const first = await Promise.all(ids.map(ask));
    const later = await Promise.all([7, 1].map(ask));
    expect([works, new Set([...first, ...later]).size]).toEqual([1, 1]);
    expect(compressor.kept).toBe(first[0]?.length);
  },
);

test('compresses what has no end of its own, and what has a long one, as a whole', async () => {
  const compressor = createCompressor();
  for (const answer of [
    Buffer.from(JSON.stringify([long])),
    toAnswer(long, 'x'.repeat(10_000)),
    toAnswer('short', 1),
  ]) {
    for (const encoding of ['br', 'gzip'] as const) {
      const pieces = (await compressor.compress(answer, encoding, ignore)) ?? [];
      expect(decompress[encoding](Buffer.concat(pieces)).equals(answer)).toBe(true);
    }
  }
});

test('sends a third large text as it is while two are being compressed, and small ones never', async () => {
  const compressor = createCompressor();
  const compress = (text: string) => compressor.compress(toAnswer(text, 1), 'gzip', ignore);
  const large = Array.from({ length: 4 }, (_, i) => compress(`${i} ${long}`));
  const again = compress(`0 ${long}`);
  const small = Array.from({ length: 20 }, (_, i) => compress(`${i} ${line.repeat(100)}`));
  const isCompressed = async (made: typeof large) => (await Promise.all(made)).map((pieces) => pieces !== undefined);
  expect([await isCompressed(large), await isCompressed([again])]).toEqual([[true, true, false, false], [true]]);
  expect(await isCompressed(small)).toEqual(Array(20).fill(true));
  expect(await isCompressed([compress(`3 ${long}`)])).toEqual([true]);
  // nor one that is too large to be worth the memory
  expect(await compressor.compress(Buffer.alloc(33 * MIB, 97), 'gzip', ignore)).toBeUndefined();
});

test('keeps no more than 32 MiB, of those who were asked for last', async () => {
  const compressor = createCompressor();
  const texts = Array.from({ length: 7 }, () => randomBytes(5 * MIB).toString('base64'));
  const works: number[] = [];
  const ask = (index: number) =>
    compressor.compress(toAnswer(texts[index] ?? '', 1), 'gzip', () => {
      works.push(index);
    });
  for (const index of [0, 1, 2, 3, 4, 5, 0, 6]) {
    await ask(index);
    expect(compressor.kept).toBeLessThanOrEqual(32 * MIB);
  }
  for (const index of [0, 6, 1]) await ask(index);
  expect(works).toEqual([0, 1, 2, 3, 4, 5, 6, 1]);
});
