import { webcrypto } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { addChecksum, toChecksum } from './checksum.ts';
import { createLimit } from './limit.ts';

/** How an answer can be compressed. */
export type Encoding = 'br' | 'gzip';

/** Compresses answers, so many at a time. */
export interface Compressor {
  /** Bytes of compressed texts that are kept. */
  readonly kept: number;
  /**
   * The compressed form of an answer, in pieces; undefined where it is to be sent as it is.
   *
   * @param onStart - called when the answer is being compressed itself: from then on it cannot be given up
   */
  compress(bytes: Uint8Array, encoding: Encoding, onStart: () => void): Promise<readonly Uint8Array[] | undefined>;
}

/** A page of a listing takes a millisecond at these levels; higher ones take twice that for two percent. */
const BROTLI_QUALITY = 3;
const GZIP_LEVEL = 3;
/** 2^18 bytes: the default window would have the encoder take 4 MiB for each answer. */
const BROTLI_WINDOW = 18;

/** Longer than a page of a listing: the text of a file. */
const LARGE = 1024 * 1024 + 64 * 1024;
/** What is longer is sent as it is: two of them at a time would hold as much as all answers together may. */
const LARGEST = 32 * 1024 * 1024;
/** Small answers that are compressed at a time; each is over in a few milliseconds. */
const SMALL_AT_ONCE = 4;
/** Large ones: Node has four threads for this, and for reading files and names. */
const LARGE_AT_ONCE = 2;
/** Bytes of compressed large texts that are kept, and of one of them. */
const KEPT = 32 * 1024 * 1024;
const KEPT_EACH = KEPT / 4;

/** What answers to the same question differ in stands at the end (JSON-RPC 2.0, 5); a longer id is nobody's. */
const ENVELOPE = Buffer.from(',"jsonrpc":"2.0","id":');
const LONGEST_END = 4096;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** A text whose compressed form can be ended in any way. */
interface Kept {
  readonly bytes: Uint8Array;
  /** Of the text; 0 for `br`. */
  readonly checksum: number;
  readonly length: number;
}

/**
 * Makes what compresses answers. Small ones wait for each other, a few at a time. A large one is compressed once for all who ask for the
 * same, and kept; where too many others are being compressed it is sent as it is, rather than kept in memory until its turn comes.
 */
export function createCompressor(): Compressor {
  const small = createLimit(SMALL_AT_ONCE);
  const identifying = createLimit(1);
  // the last one used comes last
  const texts = new Map<string, Kept>();
  const running = new Map<string, Promise<Kept>>();
  let kept = 0;

  function keep(key: string, text: Kept): void {
    if (text.bytes.length > KEPT_EACH) return;
    texts.set(key, text);
    kept += text.bytes.length;
    for (const [oldest, { bytes }] of texts) {
      if (kept <= KEPT) break;
      texts.delete(oldest);
      kept -= bytes.length;
    }
  }

  function find(key: string): Kept | undefined {
    const text = texts.get(key);
    if (text === undefined) return undefined;
    texts.delete(key);
    texts.set(key, text);
    return text;
  }

  function start(key: string, text: Uint8Array, encoding: Encoding): Promise<Kept> {
    const made = compressOpen(text, encoding).finally(() => running.delete(key));
    running.set(key, made);
    return made.then((result) => {
      keep(key, result);
      return result;
    });
  }

  return {
    get kept() {
      return kept;
    },
    async compress(bytes, encoding, onStart) {
      if (bytes.length > LARGEST) return undefined;
      if (bytes.length <= LARGE) {
        return small(() => {
          onStart();
          return compressWhole(bytes, encoding).then((piece) => [piece]);
        });
      }
      const end = bytes.length - findEnd(bytes);
      const [text, rest] = [bytes.subarray(0, end), bytes.slice(end)];
      const key = `${encoding} ${await identifying(() => identify(text))}`;
      const known = find(key);
      if (known !== undefined) return close(known, rest, encoding);
      const shared = running.get(key);
      if (shared === undefined) {
        if (running.size >= LARGE_AT_ONCE) return undefined;
        onStart();
      }
      return close(await (shared ?? start(key, text, encoding)), rest, encoding);
    },
  };
}

/** How many bytes at the end of an answer are not those of the text: 0 where it does not end as all do. */
function findEnd(bytes: Uint8Array): number {
  const from = Math.max(0, bytes.length - LONGEST_END);
  const at = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from).lastIndexOf(ENVELOPE);
  return at === -1 ? 0 : bytes.length - from - at;
}

/** Off the event loop, which a digest of megabytes would keep. */
async function identify(text: Uint8Array): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', text)).toString('base64');
}

function compressWhole(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  return encoding === 'gzip' ? toGzip(bytes, { level: GZIP_LEVEL }) : toBrotli(bytes, { params: toParams(bytes) });
}

/** Compresses a text up to a byte boundary, from where {@link close} goes on. */
async function compressOpen(text: Uint8Array, encoding: Encoding): Promise<Kept> {
  const { length } = text;
  if (encoding === 'br') {
    const options = { params: toParams(text), finishFlush: constants.BROTLI_OPERATION_FLUSH };
    return { bytes: await toBrotli(text, options), checksum: 0, length };
  }
  const options = { level: GZIP_LEVEL, finishFlush: constants.Z_SYNC_FLUSH };
  const [bytes, checksum] = await Promise.all([toGzip(text, options), toChecksum(text)]);
  return { bytes, checksum, length };
}

/** Ends a compressed text with bytes of its own, which stay as they are: RFC 7932 section 9.2, RFC 1951 section 3.2.4. */
function close({ bytes, checksum, length }: Kept, rest: Uint8Array, encoding: Encoding): Uint8Array[] {
  return encoding === 'br' ? [bytes, toLastBrotli(rest)] : [bytes, toLastGzip(rest, checksum, length)];
}

function toLastBrotli(rest: Uint8Array): Uint8Array {
  // an empty block that is the last one
  if (rest.length === 0) return Uint8Array.of(3);
  // ISLAST 0, MNIBBLES 0 (four), MLEN - 1, ISUNCOMPRESSED 1
  const header = ((rest.length - 1) << 3) | (1 << 19);
  return Buffer.concat([Uint8Array.of(header & 255, (header >> 8) & 255, header >> 16), rest, Uint8Array.of(3)]);
}

function toLastGzip(rest: Uint8Array, checksum: number, length: number): Uint8Array {
  const block = Buffer.alloc(5);
  // BFINAL 1, BTYPE 00 (stored)
  block.writeUInt8(1, 0);
  block.writeUInt16LE(rest.length, 1);
  block.writeUInt16LE(~rest.length & 0xffff, 3);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(addChecksum(rest, checksum), 0);
  trailer.writeUInt32LE(length + rest.length, 4);
  return Buffer.concat([block, rest, trailer]);
}

function toParams(bytes: Uint8Array): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
}
