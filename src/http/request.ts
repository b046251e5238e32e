import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Entry } from '../mcp/log.ts';
import { type Answer, toError } from '../mcp/protocol.ts';
import { nameClient } from './client.ts';
import type { Deps, Turn } from './context.ts';
import { sendAnswer } from './response.ts';
import { answerPath } from './route.ts';

/** Answers one request from its first header to its log line. Never rejects. */
export async function exchange(request: IncomingMessage, response: ServerResponse, deps: Deps): Promise<void> {
  const started = performance.now();
  const entry: Entry = {
    time: new Date(deps.now()).toISOString(),
    verb: request.method ?? '',
    path: (request.url ?? '').replace(/[?#].*$/s, '').slice(0, 200),
    // Nobody was there to answer; replaced by what is answered.
    status: 499,
    bytes: 0,
    duration_ms: 0,
  };
  const abort = new AbortController();
  // A pipelined answer that never had its turn does not hear that the connection is gone.
  const gone = new Promise<void>((resolve) => {
    response.once('close', resolve);
    request.socket.once('close', resolve);
    response.once('close', () => request.socket.off('close', resolve));
  });
  // Where the connection breaks, writing fails; `gone` says so.
  response.on('error', () => {});
  let finished = false;
  response.once('finish', () => {
    finished = true;
  });
  void gone.then(() => abort.abort(new Error('the client has gone')));
  const account = deps.outstanding.open();
  const turn: Turn = {
    ...{ request, response, entry, abort, asked: [] },
    client: nameClient(request, undefined, deps.trustProxy),
    hold(bytes, breakOff, left) {
      account.hold(
        turn.client,
        bytes,
        breakOff &&
          (() => {
            entry.refused = 'broken off: its client takes too much too slowly';
            breakOff();
          }),
        left,
      );
    },
    isQuiet: false,
  };
  const send = async (answer: Answer) => {
    if (request.socket.destroyed) return;
    if (deps.isDraining()) response.setHeader('Connection', 'close');
    entry.status = answer.status;
    entry.bytes = await sendAnswer(response, answer, deps.compressor, turn.hold, gone);
  };
  try {
    const answer = await answerPath(turn, deps);
    if (answer !== undefined) await send(answer);
  } catch (error) {
    if (!abort.signal.aborted) deps.log.failure(error);
    // An answer that is under way cannot be taken back: the client must see that it is broken off.
    if (response.headersSent) request.socket.destroy();
    else await send(toError(500, -32603, 'internal error'));
  }
  // Until the last piece has left, the memory behind it is not free.
  await gone;
  account.close();
  if (!finished) entry.aborted = true;
  entry.duration_ms = Math.round((performance.now() - started) * 100) / 100;
  if (!turn.isQuiet) deps.log.request(entry);
  const isAnswered = entry.status === 200 && entry.error === undefined;
  deps.metrics?.observe(entry, isAnswered ? turn.asked : []);
}
