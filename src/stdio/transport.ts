import { nextTick } from 'node:process';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { LineBuffer } from '../text/lines.ts';
import { toRefusal } from './refusal.ts';

/** Requests that may be under way at once while answers are small; behind a large one, a single one. */
const MAX_PENDING = 32;

/** The one revision that has batches. */
const BATCH_REVISION = '2025-03-26';

/** UTF-16 units of a large answer: a file may make one of 20 million. It is written in pieces of so many bytes. */
const LARGE = 256 * 1024;

/** Bytes of requests that may wait: the end of the input shows only to one who reads it, whether the output takes answers or not. */
const READ_AHEAD = 1024 * 1024;

/** How long answers may take after the input ended, in milliseconds, counted again from each piece that the client took. */
const GRACE = 5000;

/**
 * A stdio transport that keeps memory flat: it takes the next request only while the output takes answers, and it answers what was
 * asked before the input ended. (The SDK's own hands on whatever arrives, adds listeners to the output for each answer that waits,
 * and drops what is under way at the end of the input.)
 */
export class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** What broke the connection, where it did not just end. */
  failure?: Error;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineBuffer(STDIO_DEFAULT_MAX_BUFFER_SIZE);
  /** What is left of a batch, last message first. */
  #batch: unknown[] = [];
  #revision: string | undefined;
  readonly #pending = new Set<string | number>();
  /** How many may be under way now: it doubles with each small answer. */
  #limit = 1;
  #deadline: NodeJS.Timeout | undefined;
  #isBlocked = false;
  #isEnded = false;
  #isClosed = false;
  #isPumping = false;
  #isCorked = false;
  /** While a large answer is written: whole lines wait until its last piece is taken. */
  #isLong = false;
  readonly #waiting: string[] = [];
  #unwritten = 0;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
    this.#input.on('end', this.#onEnd);
    this.#input.on('close', this.#onEnd);
    this.#input.on('error', this.#onFailure);
    this.#output.on('error', this.#onFailure);
    this.#output.on('drain', this.#onDrain);
    // later, when whoever starts this has set what it wants to hear of
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    if ('id' in message && message.id !== undefined && !('method' in message)) this.#pending.delete(message.id);
    this.#unwritten += 1;
    const line = serializeMessage(message);
    this.#limit = line.length > LARGE ? 1 : Math.min(MAX_PENDING, this.#limit * 2);
    if (this.#isLong) this.#waiting.push(line);
    else this.#write(line);
    this.#pump();
  }

  /** Called by the SDK when `initialize` is answered. */
  readonly setProtocolVersion = (revision: string): void => {
    this.#revision = revision;
  };

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#deadline);
    this.#input.off('data', this.#onData);
    this.#input.off('end', this.#onEnd);
    this.#input.off('close', this.#onEnd);
    this.#output.off('drain', this.#onDrain);
    // the two error listeners stay: a pipe that breaks late must not end the process with a stack trace
    this.#input.pause();
    this.#lines.clear();
    this.#batch = [];
    this.onclose?.();
  }

  readonly #onData = (chunk: Buffer): void => {
    try {
      this.#lines.append(chunk);
    } catch (error) {
      const most = `${STDIO_DEFAULT_MAX_BUFFER_SIZE / 1024 / 1024} MiB`;
      this.#onFailure(new Error(`a line on stdin is longer than ${most}: no request is`, { cause: error }));
      return;
    }
    this.#pump();
  };

  readonly #onWritten = (): void => {
    this.#unwritten -= 1;
    this.#deadline?.refresh();
    if (this.#isEnded && this.#unwritten === 0) this.#pump();
  };

  readonly #onDrain = (): void => {
    if (this.#isLong) return;
    this.#isBlocked = false;
    this.#pump();
  };

  readonly #onEnd = (): void => {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#deadline = setTimeout(this.#onDeadline, GRACE).unref();
    this.#pump();
  };

  readonly #onDeadline = (): void => {
    if (this.#unwritten === 0) void this.close();
    else this.#onFailure(new Error('the input has ended and the client takes no answers: what is left is not sent'));
  };

  readonly #onFailure = (error: Error): void => {
    // somebody hung up: nothing to report, and nobody to report it to
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') {
      this.failure = error;
      this.onerror?.(error);
    }
    void this.close();
  };

  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    let isEmpty = false;
    while (!this.#isClosed && !this.#isBlocked && this.#pending.size < this.#limit) {
      const value = this.#next();
      if (value === undefined) {
        isEmpty = true;
        break;
      }
      this.#take(value);
    }
    this.#isPumping = false;
    if (this.#isClosed) return;
    if (!isEmpty && this.#lines.length >= READ_AHEAD) this.#input.pause();
    else if (!this.#isEnded) this.#input.resume();
    else if (isEmpty && this.#pending.size === 0 && this.#unwritten === 0) void this.close();
  }

  #write(line: string): void {
    if (line.length <= LARGE) {
      this.#cork();
      if (!this.#output.write(line, this.#onWritten)) this.#isBlocked = true;
      return;
    }
    this.#isLong = true;
    this.#isBlocked = true;
    this.#writePieces(Buffer.from(line));
  }

  /** Each piece when the one before it is taken: the stream would join them, and tell nothing until the last one is. */
  #writePieces(rest: Buffer): void {
    this.#output.write(rest.subarray(0, LARGE), () => {
      this.#deadline?.refresh();
      if (this.#isClosed) return;
      if (rest.length > LARGE) {
        this.#writePieces(rest.subarray(LARGE));
        return;
      }
      this.#isLong = false;
      this.#isBlocked = false;
      while (!this.#isLong && this.#waiting.length > 0) this.#write(this.#waiting.shift() ?? '');
      this.#onWritten();
      this.#pump();
    });
  }

  /** Holds answers back until all that are ready are written, so that they leave together. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#output.cork();
    nextTick(() => {
      this.#isCorked = false;
      this.#output.uncork();
    });
  }

  /** The next value that came, parsed; undefined where none has come whole. */
  #next(): unknown {
    if (this.#batch.length > 0) return this.#batch.pop();
    for (;;) {
      const line = this.#lines.next();
      if (line === undefined) return undefined;
      try {
        if (line !== '') return JSON.parse(line);
      } catch (error) {
        // not answered: an error that names no request is more than some clients take
        this.onerror?.(new Error('a line on stdin is not JSON', { cause: error }));
      }
    }
  }

  #take(value: unknown): void {
    // answers to a batch come one by one, which costs a client nothing: it looks for them by their ids
    if (Array.isArray(value) && this.#revision === BATCH_REVISION) {
      this.#batch = this.#batch.concat(value.reverse());
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch (error) {
      this.onerror?.(new Error('a line on stdin is not a JSON-RPC message', { cause: error }));
      for (const each of Array.isArray(value) ? value : [value]) {
        const refusal = toRefusal(each, Array.isArray(value));
        if (refusal !== undefined) void this.send(refusal);
      }
      return;
    }
    this.#deliver(message);
  }

  #deliver(message: JSONRPCMessage): void {
    if ('method' in message) {
      if ('id' in message && message.method !== 'subscriptions/listen') this.#pending.add(message.id);
      const { requestId } = (message.params ?? {}) as { requestId?: string | number };
      if (message.method === 'notifications/cancelled' && requestId !== undefined) this.#pending.delete(requestId);
    }
    this.onmessage?.(message);
  }
}
