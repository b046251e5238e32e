import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Entry } from '../mcp/log.ts';
import { nameCaller } from './caller.ts';
import type { RequestState, Services } from './context.ts';

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
