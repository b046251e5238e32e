import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { isObject } from '../mcp/log.ts';
import { refuseSubscriptions } from '../mcp/subscriptions.ts';
import { PipeTransport } from './transport.ts';

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
  /** Called once, with the name that the client gives itself first. */
  readonly onClient?: (name: string) => void;
}

/**
 * Serves one connection, in the era that its first message is of. Settles when the client hangs up or the signal says so, or with the
 * error that broke the connection.
 */
export async function serveStdio(options: StdioOptions): Promise<Error | undefined> {
  const { input, output, createServer, signal, onError, onClient } = options;
  const transport = new PipeTransport(input, output);
  await new Promise<void>((resolve) => {
    const handle = serveConnection(createServer, { transport, onerror: onError });
    boundSubscriptions(transport);
    if (onClient !== undefined) hearClient(transport, onClient);
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

/** The SDK answers `subscriptions/listen` itself, and takes any number of URIs. */
function boundSubscriptions(transport: PipeTransport): void {
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const refusal = refuseSubscriptions(message);
    if (refusal === undefined) take?.(message, extra);
    else void transport.send(refusal);
  };
}

/** Where a request of 2026-07-28 names its client (MCP, "Request Metadata"). */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';

/** Looks at messages on their way to the server, until one names the client. */
function hearClient(transport: PipeTransport, onClient: (name: string) => void): void {
  const take = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const params = 'params' in message && isObject(message.params) ? message.params : {};
    const meta = isObject(params['_meta']) ? params['_meta'] : {};
    const info = params['clientInfo'] ?? meta[CLIENT_INFO];
    if (isObject(info) && typeof info['name'] === 'string') {
      if (take === undefined) delete transport.onmessage;
      else transport.onmessage = take;
      onClient(info['name']);
    }
    take?.(message, extra);
  };
}
