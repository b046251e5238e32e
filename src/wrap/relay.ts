import type { Readable, Writable } from 'node:stream';
import { LineSource } from './linesource.ts';
import { type Id, type Message, readMessage, toErrorResponse, toResponse } from './message.ts';
import type { Edit, Session } from './session.ts';

/** Bytes of a line, at the most: no client takes a message of that size. */
export const LONGEST_LINE = 32 * 1024 * 1024;

/** Requests that are answered at once, at the most. */
const MOST_ANSWERED = 32;

/** The one revision that has batches. */
const BATCH_REVISION = '2025-03-26';

/** Both sides of the relay. */
export interface RelayOptions {
  /** From the client. */
  readonly input: Readable;
  /** To the client: protocol and nothing else. */
  readonly output: Writable;
  readonly wrapped: { readonly stdin: Writable; readonly stdout: Readable };
  /** Where a line goes that the wrapped server wrote among its messages and that is none. */
  readonly stray: Writable;
  readonly session: Session;
  /** Called once, when the client has no more to say and all of it is passed on. */
  readonly onClientEnd: () => void;
  /** Called for a line that is too long, with who wrote it. Nothing more of that side is taken. */
  readonly onLong: (from: 'the client' | 'the wrapped server') => void;
}

/**
 * Passes lines between a client and the server that it would have without us, and answers what is ours. What needs no change is passed on
 * as the bytes that came. No request is sent that the client did not send, so ids are never ours to choose.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #fromClient: LineSource;
  readonly #fromWrapped: LineSource;
  /** Requests whose responses are changed. */
  readonly #held = new Map<Id, Edit>();
  /** Requests of ours that are not answered yet. */
  readonly #answering = new Set<Id>();
  /** Requests that came before the skills were read. */
  #early: { readonly id: Id; readonly value: unknown; readonly line: Buffer }[] = [];
  #isOutputFull = false;
  #isClosed = false;
  readonly #idle: (() => void)[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    const { input, output, wrapped, onClientEnd, onLong } = options;
    output.on('drain', this.#onDrain);
    wrapped.stdin.on('drain', () => this.#go());
    // its end is seen elsewhere; what is written after it is lost, as it would be without us
    wrapped.stdin.on('error', () => {});
    this.#fromWrapped = new LineSource(wrapped.stdout, LONGEST_LINE, {
      onLine: (line) => this.#takeFromWrapped(line),
      onEnd: () => {},
      onLong: () => onLong('the wrapped server'),
    });
    this.#fromClient = new LineSource(input, LONGEST_LINE, {
      onLine: (line) => this.#takeFromClient(line),
      onEnd: onClientEnd,
      onLong: () => onLong('the client'),
    });
  }

  /** Goes on with what waited for the skills. */
  proceed(): void {
    const early = this.#early;
    this.#early = [];
    for (const { id, value, line } of early) {
      if (this.#answering.delete(id)) this.#takeMessage(value, line, true);
    }
    this.#go();
  }

  /** Sends a line of our own to the client. */
  send(line: string): void {
    this.#write(line);
  }

  /**
   * Refuses everything that the client asked and asks, because nothing can be published.
   *
   * @returns whether a request was refused so far, and what of the input is not taken
   */
  refuse(error: { readonly code: number; readonly message: string; readonly data?: unknown }): {
    readonly isTold: boolean;
    readonly rest: Buffer;
  } {
    const ids = [...this.#held.keys(), ...this.#answering];
    const rest = this.#fromClient.stop();
    this.#fromWrapped.stop();
    for (const id of ids) this.#write(toErrorResponse(id, error));
    return { isTold: ids.length > 0, rest };
  }

  /** Settles when every request of ours is answered. */
  async settle(): Promise<void> {
    while (this.#answering.size > 0 && !this.#isClosed) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Takes and sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#fromClient.stop();
    this.#fromWrapped.stop();
    this.#options.output.off('drain', this.#onDrain);
  }

  readonly #onDrain = (): void => {
    this.#isOutputFull = false;
    this.#go();
  };

  /** Goes on where there is room. */
  #go(): void {
    if (this.#isClosed) return;
    if (!this.#isOutputFull) this.#fromWrapped.go();
    if (!this.#options.wrapped.stdin.writableNeedDrain) this.#fromClient.go();
  }

  #takeFromClient(line: Buffer): boolean {
    const value = parse(line.toString('utf8'));
    const { session } = this.#options;
    if (!Array.isArray(value) || session.revision !== BATCH_REVISION) return this.#takeMessage(value, line);
    // a batch is taken apart where something in it is ours: answers may come one by one
    if (!value.some((each) => session.concerns(readMessage(each)))) return this.#pass(line);
    if (!this.#hasRoom()) return false;
    for (const each of value) this.#takeMessage(each, Buffer.from(`${JSON.stringify(each)}\n`), true);
    return true;
  }

  /**
   * @param line - the message and its end
   * @param isForced - whether it is taken even where there is no room
   */
  #takeMessage(value: unknown, line: Buffer, isForced = false): boolean {
    const message = readMessage(value);
    const { id, params } = message;
    const { session } = this.#options;
    if (message.method === 'notifications/cancelled' && this.#cancel(params['requestId'])) return true;
    if (id === undefined || !session.concerns(message)) return this.#pass(line);
    const verdict = session.judge(id, message, line);
    if (verdict.kind === 'pass') return this.#pass(line);
    if (verdict.kind === 'edit') {
      this.#held.set(id, verdict.edit);
      return this.#pass(verdict.line ?? line);
    }
    if (verdict.kind === 'wait') {
      this.#answering.add(id);
      this.#early.push({ id, value, line });
      return true;
    }
    if (!isForced && !this.#hasRoom()) return false;
    this.#answer(id, message, verdict.make);
    return true;
  }

  /** Whether an answer of ours can be written, or be made beside others. */
  #hasRoom(): boolean {
    return !this.#isOutputFull && this.#answering.size < MOST_ANSWERED;
  }

  #answer(id: Id, { params }: Message, make: () => unknown): void {
    const { session } = this.#options;
    const send = (line: string) => {
      // a request that was cancelled is not answered
      if (this.#answering.delete(id)) this.#write(line);
      this.#wake();
    };
    this.#answering.add(id);
    const toLine = (result: unknown) => toResponse(id, session.envelop(result as Record<string, unknown>, params));
    try {
      const result = make();
      if (!(result instanceof Promise)) {
        send(toLine(result));
        return;
      }
      result.then(
        (value) => send(toLine(value)),
        (error: unknown) => send(toErrorResponse(id, error)),
      );
    } catch (error) {
      send(toErrorResponse(id, error));
    }
  }

  #wake(): void {
    if (this.#answering.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
    if (this.#hasRoom()) setImmediate(() => this.#go());
  }

  /** @returns whether the request was ours, so that nobody else hears of it */
  #cancel(id: unknown): boolean {
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    if (this.#answering.delete(id)) {
      this.#wake();
      return true;
    }
    this.#held.delete(id);
    return this.#options.session.cancel(id);
  }

  #pass(line: Buffer | string): boolean {
    const { stdin } = this.#options.wrapped;
    if (stdin.writable && !stdin.write(line)) this.#fromClient.hold();
    return true;
  }

  #takeFromWrapped(line: Buffer): boolean {
    const text = line.toString('utf8');
    const value = parse(text);
    if (value === undefined) {
      this.#options.stray.write(line);
      return true;
    }
    const message = readMessage(value);
    const { method, id } = message;
    const { session } = this.#options;
    if (method !== undefined || id === undefined) {
      this.#write((Array.isArray(value) ? undefined : session.widen(message, text)) ?? line);
      return true;
    }
    const edit = this.#held.get(id);
    if (edit !== undefined && !session.isReady) return false;
    this.#held.delete(id);
    this.#write(edit === undefined ? line : (this.#apply(edit, message, text) ?? line));
    return true;
  }

  /** A response that is not of the form that its method asks for is the client's to judge. */
  #apply(edit: Edit, message: Message, text: string): string | undefined {
    try {
      return edit(message, text);
    } catch {
      return undefined;
    }
  }

  #write(line: Buffer | string): void {
    const { output } = this.#options;
    if (this.#isClosed || !output.writable) return;
    if (output.write(line)) return;
    this.#isOutputFull = true;
    this.#fromWrapped.hold();
  }
}

/** The value of a line; undefined for one that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
