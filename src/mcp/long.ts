import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PinnedFile } from '../catalog/catalog.ts';

/**
 * A response with the content of a file that is too long to be copied for each client: JSON up to the content, the file, and the JSON
 * that follows. Its pieces are made while the client takes them.
 */
export interface LongBody {
  readonly head: Uint8Array;
  readonly file: PinnedFile;
  readonly tail: Uint8Array;
  /** Bytes of the whole response. */
  readonly length: number;
}

/** Contents that are too long for the SDK, which would turn each into JSON in one go and keep the event loop. */
export interface LongContents {
  /** What the SDK is given instead of a content; undefined for a file that is short enough. */
  readonly toStandIn: (file: PinnedFile) => string | undefined;
  /** Puts the file in the place of its stand-in; a response without one stays as it is. */
  readonly complete: (body: Uint8Array) => Promise<Uint8Array | LongBody>;
}

/** Bytes of a file; a shorter one is JSON in a few milliseconds. */
const LONG = 256 * 1024;
/** Bytes that become JSON in one go; a multiple of three, so that base64 goes on without padding. */
const SLICE = 96 * 1024;
/** Bytes that are counted in one go. */
const COUNTED = 768 * 1024;
/** A response with a stand-in is short: only the URI is as long as a client likes. */
const LONGEST_ENVELOPE = 256 * 1024;
/** A response that has not been completed by then never is: its client has gone. */
const ABANDONED_MS = 60_000;

/**
 * Keeps long contents out of what the SDK turns into JSON. What stands in for a content is random for each process, and is never sent: no
 * skill can hold it.
 */
export function createLongContents(): LongContents {
  const mark = randomBytes(16).toString('hex');
  // oldest first; a file is kept here from its stand-in to the end of that response, so that old catalogs are not kept
  const waiting = new Map<string, { readonly file: PinnedFile; readonly since: number }>();
  let last = 0;
  return {
    toStandIn(file) {
      if (file.bytes.length <= LONG) return undefined;
      const since = performance.now();
      for (const [key, other] of waiting) {
        if (since - other.since < ABANDONED_MS) break;
        waiting.delete(key);
      }
      last += 1;
      waiting.set(String(last), { file, since });
      return `${mark} ${last} `;
    },
    async complete(body) {
      const envelope = Buffer.from(body.buffer, body.byteOffset, body.length);
      const at = body.length > LONGEST_ENVELOPE ? -1 : envelope.indexOf(mark);
      if (at === -1) return body;
      const [standIn = '', key = ''] = /^\w+ (\d+) /.exec(envelope.toString('latin1', at, at + mark.length + 20)) ?? [];
      const file = waiting.get(key)?.file;
      waiting.delete(key);
      if (file === undefined) return body;
      const [head, tail] = [envelope.subarray(0, at), envelope.subarray(at + standIn.length)];
      return { head, file, tail, length: head.length + (await countJson(file)) + tail.length };
    },
  };
}

/** The pieces of a long response, in order; each is made when it is asked for, in less than a millisecond. */
export function* toPieces({ head, file, tail }: LongBody): Generator<Uint8Array, undefined> {
  yield head;
  for (let at = 0; at < file.bytes.length; at += SLICE) yield Buffer.from(encode(file, at, SLICE), 'latin1');
  yield tail;
}

const lengths = new WeakMap<PinnedFile, Promise<number>>();

/** Bytes of a content as JSON; counted once for a file. */
function countJson(file: PinnedFile): Promise<number> {
  const known = lengths.get(file) ?? countSlices(file);
  lengths.set(file, known);
  return known;
}

async function countSlices(file: PinnedFile): Promise<number> {
  const { bytes, isText } = file;
  if (!isText) return Math.ceil(bytes.length / 3) * 4;
  let length = 0;
  for (let at = 0; at < bytes.length; at += COUNTED) {
    // others have the event loop
    if (at > 0) await setImmediate();
    length += encode(file, at, COUNTED).length;
  }
  return length;
}

/**
 * A part of a content as it is between the quotes of a JSON string, one character for each byte: what JSON escapes (RFC 8259 section 7) is
 * ASCII, so that UTF-8 need not be decoded for it, and a part may end anywhere.
 */
function encode({ bytes, isText }: PinnedFile, at: number, length: number): string {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(length, bytes.length - at));
  return isText ? JSON.stringify(part.toString('latin1')).slice(1, -1) : part.toString('base64');
}
