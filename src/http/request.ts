import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Entry } from '../mcp/log.ts';
import { type Caller, nameCaller } from './caller.ts';
import type { Services } from './context.ts';
import type { Asked } from './metrics.ts';
import type { Held } from './unread.ts';

/** What is known of a request while it is under way. */
export interface RequestState {
  readonly entry: Entry;
  /** Its path as it was written, without the query. */
  readonly path: string;
  /** Its `Host` as it was written; empty where there is none. */
  readonly host: string;
  /** The address, until a token says more. */
  caller: Caller;
  /** Published skills that it asks for; counted where it is answered without an error. */
  readonly asked: Asked[];
  /** Aborted when the client is gone. */
  readonly abort: AbortController;
  /** The response in memory. */
  held: Held | undefined;
  /** Whether its response ends only with a subscription. */
  isStream: boolean;
  /** Whether nothing is logged of it. */
  isQuiet: boolean;
  /** Whether the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1). */
  readonly expectsContinue: boolean;
}

/** Follows one request from its first header to its log line; `over` settles when its memory is free and the line is written. */
export function followRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  services: Services,
  expectsContinue: boolean,
): { state: RequestState; over: Promise<void> } {
  const started = performance.now();
  const path = (incoming.url ?? '').replace(/[?#].*$/s, '');
  const entry: Entry = {
    time: new Date(services.now()).toISOString(),
    verb: incoming.method ?? '',
    path: path.slice(0, 200),
    // Nobody was there to respond to; replaced by the response's.
    status: 499,
    bytes: 0,
    duration_ms: 0,
  };
  const state: RequestState = {
    ...{ entry, path, host: incoming.headers.host ?? '', asked: [], abort: new AbortController(), expectsContinue },
    caller: { name: nameCaller(incoming, services.trustProxy) },
    ...{ held: undefined, isStream: false, isQuiet: false },
  };
  // A pipelined response that never had its turn does not hear that the connection is gone.
  const gone = new Promise<void>((resolve) => {
    outgoing.once('close', resolve);
    incoming.socket.once('close', resolve);
    outgoing.once('close', () => incoming.socket.off('close', resolve));
  });
  // Where the connection breaks, writing fails; `gone` says so.
  outgoing.on('error', () => {});
  return { state, over: gone.then(() => end(state, outgoing, performance.now() - started, services)) };
}

function end(state: RequestState, outgoing: ServerResponse, ms: number, { log, metrics }: Services): void {
  const { entry, abort, held, asked, isQuiet } = state;
  abort.abort(new Error('the client has gone'));
  // Until the last piece has left, its memory is not free.
  held?.release();
  // also where the request was refused before the application saw it
  if (outgoing.writableFinished) entry.status = outgoing.statusCode;
  else entry.aborted = true;
  entry.duration_ms = Math.round(ms * 100) / 100;
  if (!isQuiet) log.request(entry);
  metrics?.observe(entry, entry.status === 200 && entry.error === undefined ? asked : []);
}
