import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { PinnedFile } from '../catalog/catalog.ts';
import { readPart } from './tools/parts.ts';

/** Puts the content of a file into an answer that has a stand-in for it; any other answer stays as it is. */
export type Fill = (
  body: Uint8Array,
  waiting: { /** Aborted when nobody waits for the answer. */ readonly signal: AbortSignal } & {
    /** Hears how many bytes of the answer there are so far. */
    readonly onGrowth: (bytes: number) => void;
  },
) => Promise<Uint8Array | readonly Uint8Array[]>;

/** Contents that are too long to become JSON in one go, which would keep the event loop. */
export interface LongContents {
  /** What the SDK is given instead of a content; undefined for a file that is short enough. */
  readonly toStandIn: (file: PinnedFile) => string | undefined;
  readonly fill: Fill;
}

/** Bytes of a file; a shorter one is JSON in a few milliseconds. */
const LONG = 512 * 1024;
/** Bytes that become JSON in one go; a multiple of three, so that base64 goes on without padding. */
const SLICE = 96 * 1024;
/** Milliseconds without a rest for the event loop. */
const REST_MS = 5;
/** An answer with a stand-in is short: nothing but the URI is as long as a client likes. */
const LONGEST_ENVELOPE = 256 * 1024;
/** What is longer is not compressed, and stays in pieces. */
const LARGEST_WHOLE = 32 * 1024 * 1024;

/**
 * Keeps long contents out of what the SDK turns into JSON at once, and puts them into its answer in slices. What stands in for a content
 * is random for each process, and is never sent: no skill can hold it.
 */
export function createLongContents(): LongContents {
  const mark = randomBytes(16).toString('hex');
  const numbers = new WeakMap<PinnedFile, number>();
  const files: PinnedFile[] = [];
  return {
    toStandIn(file) {
      if (file.bytes.length <= LONG) return undefined;
      const number = numbers.get(file) ?? files.push(file) - 1;
      numbers.set(file, number);
      return `${mark} ${number} `;
    },
    async fill(body, { signal, onGrowth }) {
      const envelope = Buffer.from(body.buffer, body.byteOffset, body.length);
      const at = body.length > LONGEST_ENVELOPE ? -1 : envelope.indexOf(mark);
      const [standIn, number] =
        /^\w+ (\d+) /.exec(envelope.subarray(Math.max(at, 0), at + mark.length + 16).toString()) ?? [];
      const file = at === -1 ? undefined : files[Number(number)];
      if (file === undefined || standIn === undefined) return body;
      const pieces: Uint8Array[] = [envelope.subarray(0, at)];
      let size = body.length - standIn.length;
      const rest = createRest(signal);
      for (const piece of encode(file)) {
        pieces.push(piece);
        size += piece.length;
        if (rest.isDue()) onGrowth(size);
        await rest.take();
      }
      pieces.push(envelope.subarray(at + standIn.length));
      return size > LARGEST_WHOLE ? pieces : join(pieces, size, rest.take);
    },
  };
}

/** Lets the event loop go round where it was kept for a while. */
function createRest(signal: AbortSignal): { isDue(): boolean; take(): Promise<void> } {
  let rested = performance.now();
  const isDue = () => performance.now() - rested > REST_MS;
  return {
    isDue,
    async take() {
      if (!isDue()) return;
      await setImmediate();
      signal.throwIfAborted();
      rested = performance.now();
    },
  };
}

async function join(pieces: readonly Uint8Array[], size: number, rest: () => Promise<void>): Promise<Uint8Array> {
  const whole = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    await rest();
  }
  return whole;
}

/** A content as it is written between the quotes of a JSON string. */
function* encode({ bytes, isText }: PinnedFile): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    if (isText) {
      const { text, end } = readPart(bytes, at, SLICE);
      yield Buffer.from(JSON.stringify(text).slice(1, -1));
      at = end;
    } else {
      yield Buffer.from(
        Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(SLICE, bytes.length - at)).toString('base64'),
      );
      at += SLICE;
    }
  }
}
