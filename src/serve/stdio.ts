import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { PipeTransport } from './pipe.ts';

/** What {@link serveStdio} works with. */
export interface StdioOptions {
  readonly input: Readable;
  /** Gets protocol and nothing else. */
  readonly output: Writable;
  /** One server object; called once for the connection, and once more for a probe that is dropped. */
  readonly createServer: () => Server;
  /** Ends the connection when aborted. */
  readonly signal: AbortSignal;
  readonly onError: (error: Error) => void;
}

/**
 * Serves one connection, in the era that its first message is of. Settles when the client hangs up or the signal says so, or with the
 * error that broke the connection.
 */
export async function serveStdio(options: StdioOptions): Promise<Error | undefined> {
  const { input, output, createServer, signal, onError } = options;
  const transport = new PipeTransport(input, output);
  await new Promise<void>((resolve) => {
    const handle = serveConnection(createServer, { transport, onerror: onError });
    const close = transport.onclose;
    transport.onclose = () => {
      close?.();
      resolve();
    };
    if (signal.aborted) void handle.close();
    else signal.addEventListener('abort', () => void handle.close(), { once: true });
  });
  input.destroy();
  // what was written last leaves now, where anybody reads
  await setImmediate();
  return transport.failure;
}
