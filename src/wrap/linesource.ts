import type { Readable } from 'node:stream';
import { LineBuffer } from '../text/lines.ts';

/** What a {@link LineSource} tells of. */
export interface LineListener {
  /** Takes a line with its end; false where there is no room for what it brings, and it is to come again. */
  readonly onLine: (line: Buffer) => boolean;
  /** Called once, when there is nothing more and every line is taken. */
  readonly onEnd: () => void;
  /** Called for a line that is longer than the most. Nothing comes after it. */
  readonly onLong: () => void;
}

/** The lines of a stream, one after another, as fast as they are taken and no faster. */
export class LineSource {
  readonly #stream: Readable;
  readonly #listener: LineListener;
  readonly #lines: LineBuffer;
  #waiting: Buffer | undefined;
  #isHeld = false;
  #isEnded = false;
  #isDone = false;
  #isPumping = false;

  /** @param most - bytes of a line */
  constructor(stream: Readable, most: number, listener: LineListener) {
    this.#stream = stream;
    this.#listener = listener;
    this.#lines = new LineBuffer(most);
    stream.on('data', this.#onData);
    stream.on('end', this.#onEnd);
    stream.on('close', this.#onEnd);
    // somebody hung up, and "close" follows
    stream.on('error', () => {});
    if (stream.readableEnded || stream.destroyed) setImmediate(this.#onEnd);
  }

  /** Takes no more lines until {@link go}. */
  hold(): void {
    this.#isHeld = true;
  }

  /** Goes on where there was no room. */
  go(): void {
    this.#isHeld = false;
    this.#pump();
  }

  /** Stops for good, and gives what came and was not taken. */
  stop(): Buffer {
    this.#isDone = true;
    this.#stream.off('data', this.#onData);
    this.#stream.off('end', this.#onEnd);
    this.#stream.off('close', this.#onEnd);
    this.#stream.pause();
    return Buffer.concat([this.#waiting ?? Buffer.alloc(0), this.#lines.drain()]);
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#lines.append(chunk);
    } catch {
      this.stop();
      this.#listener.onLong();
      return;
    }
    this.#pump();
  };

  readonly #onEnd = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pump();
  };

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    while (!this.#isDone && !this.#isHeld) {
      this.#waiting ??= this.#lines.take();
      if (this.#waiting === undefined) break;
      if (!this.#listener.onLine(this.#waiting)) this.#isHeld = true;
      else this.#waiting = undefined;
    }
    this.#isPumping = false;
    if (this.#isDone) return;
    if (this.#isHeld) this.#stream.pause();
    else if (!this.#isEnded) this.#stream.resume();
    else this.#finish();
  }

  /** The last line may have no end. */
  #finish(): void {
    const rest = this.#lines.drain();
    if (rest.length > 0 && !this.#listener.onLine(rest)) {
      this.#waiting = rest;
      this.#isHeld = true;
      return;
    }
    this.#isDone = true;
    this.#listener.onEnd();
  }
}
