import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PinnedFile } from '../catalog/catalog.ts';
import { type LongBody, toPieces } from '../mcp/long.ts';
import { addChecksum, toChecksum } from './checksum.ts';
import { createLimit } from './limit.ts';

/** How a response can be compressed. */
export type Encoding = 'br' | 'gzip';

/** Makes a piece of a long response when it is the turn of its client. */
export type MakePiece = (make: () => Uint8Array | undefined) => Promise<Uint8Array | undefined>;

/**
 * Compresses responses, N at a time. `hono/compress` served a listing 0.37x as often with gzip in the comparison (2,000 requests per second
 * to 5,400), has no brotli, sends no length, and would compress a large text anew for each client.
 */
export interface Compressor {
  /** Bytes of compressed texts that are kept. */
  readonly kept: number;
  /** The compressed form; undefined where the response is to be sent as it is. */
  compress(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array | undefined>;
  /** The same of a long response, in pieces; its text is compressed once for all who ask for it. */
  compressLong(long: LongBody, encoding: Encoding, inTurn: MakePiece): Promise<readonly Uint8Array[] | undefined>;
}

/** A page of a listing takes a millisecond at these levels; higher ones take twice that for two percent. */
const BROTLI_QUALITY = 3;
const GZIP_LEVEL = 3;
/** 2^18 bytes: the default window would have the encoder take 4 MiB for each response. */
const BROTLI_WINDOW = 18;

/** Longer than a page of a listing: files that a tool returns. */
const LARGE = 1024 * 1024 + 64 * 1024;
/** What is longer is sent as it is: two of them at a time would hold as much as all responses together may. */
const LARGEST = 32 * 1024 * 1024;
/** Small responses that are compressed at a time; each is over in a few milliseconds. */
const SMALL_AT_ONCE = 4;
/** Large ones: Node has four threads for this, and for reading files and names. */
const LARGE_AT_ONCE = 2;
/** Bytes of compressed texts that are kept, and of one of them. */
const KEPT = 32 * 1024 * 1024;
const KEPT_EACH = KEPT / 4;

/** What responses to the same request differ in is at the end (JSON-RPC 2.0, 5); a longer one is nobody's. */
const ENVELOPE = Buffer.from(',"jsonrpc":"2.0","id":');
const LONGEST_ENVELOPE = 4096;

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
 * Makes what compresses responses. Small ones wait for each other. Where too many others are being compressed, a large one is sent as it is,
 * rather than kept in memory until its turn comes.
 */
export function createCompressor(): Compressor {
  const small = createLimit(SMALL_AT_ONCE);
  // the last one used comes last
  const texts = new Map<string, Kept>();
  const running = new Map<string, Promise<Kept>>();
  const numbers = new WeakMap<PinnedFile, number>();
  let files = 0;
  let large = 0;
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

  async function compressLarge<T>(work: () => Promise<T>): Promise<T> {
    large += 1;
    try {
      return await work();
    } finally {
      large -= 1;
    }
  }

  function start(key: string, makeText: () => Promise<Uint8Array>, encoding: Encoding): Promise<Kept> {
    const made = compressLarge(async () => {
      const text = await compressOpen(await makeText(), encoding);
      keep(key, text);
      return text;
    }).finally(() => running.delete(key));
    running.set(key, made);
    return made;
  }

  function identify({ head, file, tail }: LongBody, end: number): string {
    let number = numbers.get(file);
    if (number === undefined) {
      files += 1;
      number = files;
      numbers.set(file, number);
    }
    return [number, Buffer.from(head).toString('latin1'), Buffer.from(tail.subarray(0, end)).toString('latin1')].join();
  }

  return {
    get kept() {
      return kept;
    },
    async compress(bytes, encoding) {
      if (bytes.length <= LARGE) return small(() => compressWhole(bytes, encoding));
      if (bytes.length > LARGEST || large >= LARGE_AT_ONCE) return undefined;
      return compressLarge(() => compressWhole(bytes, encoding));
    },
    async compressLong(long, encoding, inTurn) {
      const { head, tail, length } = long;
      if (length > LARGEST || head.length + tail.length > LONGEST_ENVELOPE) return undefined;
      const end = Buffer.from(tail).lastIndexOf(ENVELOPE);
      if (end === -1) return undefined;
      const key = `${encoding} ${identify(long, end)}`;
      let text = find(key) ?? running.get(key);
      if (text === undefined) {
        if (large >= LARGE_AT_ONCE) return undefined;
        text = start(key, () => join(long, length - tail.length + end, inTurn), encoding);
      }
      return close(await text, tail.subarray(end), encoding);
    },
  };
}

/** The first bytes of a long response in one piece. */
async function join(long: LongBody, length: number, inTurn: MakePiece): Promise<Uint8Array> {
  const pieces = toPieces(long);
  const whole = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; ) {
    const piece = (await inTurn(() => pieces.next().value)) ?? new Uint8Array();
    whole.set(piece.subarray(0, length - at), at);
    at += piece.length;
  }
  return whole;
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
