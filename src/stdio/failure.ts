import type { Readable, Writable } from 'node:stream';
import { STDIO_DEFAULT_MAX_BUFFER_SIZE, serializeMessage } from '@modelcontextprotocol/server';
import { isObject } from '../mcp/log.ts';
import { LineBuffer } from '../text/lines.ts';

/** Why nothing is served. */
export interface Failure {
  /** One line: the reason, and what to do. */
  readonly message: string;
  readonly data?: unknown;
}

/** What {@link answerFailure} works with. */
export interface FailureOptions {
  readonly input: Readable & { readonly isTTY?: boolean };
  /** Gets protocol and nothing else. */
  readonly output: Writable;
  /** Ends the wait when aborted. */
  readonly signal: AbortSignal;
  /** How long a client may take to its first request, in milliseconds. Default: 10,000. */
  readonly patience?: number;
}

/** How long a client may take to its next request, in milliseconds: after `server/discover` it may try `initialize`. */
const NEXT = 2000;

/** JSON-RPC 2.0, "Internal error": to a client, a server that has nothing to serve is at fault itself. */
const INTERNAL_ERROR = -32603;

/**
 * Answers a client that asks a server which cannot serve anything: a host shows what is answered, and of what a process writes to
 * stderr only that it has ended. Settles after `initialize` is answered, when the input ends, or when nobody asks; at once for a
 * terminal.
 */
export async function answerFailure(failure: Failure, options: FailureOptions): Promise<void> {
  const { input, output, signal, patience = 10_000 } = options;
  if (input.isTTY === true || input.readableEnded || input.destroyed || signal.aborted) return;
  const lines = new LineBuffer(STDIO_DEFAULT_MAX_BUFFER_SIZE);
  await new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    let timer = setTimeout(settle, patience);
    const onData = (chunk: Buffer) => {
      try {
        lines.append(chunk);
      } catch {
        settle();
        return;
      }
      for (let line = lines.next(); line !== undefined; line = lines.next()) {
        const request = readRequest(line);
        if (request === undefined) continue;
        const error = { code: INTERNAL_ERROR, ...failure };
        output.write(serializeMessage({ jsonrpc: '2.0', id: request.id, error }));
        clearTimeout(timer);
        timer = setTimeout(settle, request.method === 'initialize' ? 0 : NEXT);
      }
    };
    input.on('data', onData);
    // the listeners of errors stay: a pipe that breaks late must not end the process with a stack trace
    for (const event of ['end', 'close']) input.once(event, settle);
    for (const stream of [input, output]) stream.on('error', settle);
    signal.addEventListener('abort', settle, { once: true });
  });
  input.destroy();
  if (output.destroyed) return;
  // what was written has to leave, where anybody takes it
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, NEXT);
    output.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** A request as far as it has to be understood to be answered. */
function readRequest(line: string): { id: string | number; method: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, method } = value;
  if (typeof method !== 'string' || (typeof id !== 'string' && !Number.isSafeInteger(id))) return undefined;
  return { id: id as string | number, method };
}
