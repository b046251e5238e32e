import type { IncomingMessage } from 'node:http';
import { type AuthInfo, isJsonContentType } from '@modelcontextprotocol/server';
import { readTrace } from '../mcp/log.ts';
import { type Answer, countBytes, readId, type Turned, toError } from '../mcp/protocol.ts';
import { accepts } from './accept.ts';
import { admit, refuseFlood } from './admit.ts';
import { readBody } from './body.ts';
import { type Deps, ENDPOINT, refuse, type Turn } from './context.ts';
import { readSubject } from './subject.ts';

class TimeoutError extends Error {}

const TOO_LATE = 'the answer took too long';

/** Bytes of files; an answer with less is made in a few milliseconds. */
const LARGE = 256 * 1024;

/** Answers a message of MCP: whether it may be asked first, then its body. Undefined when the client is gone. */
export async function answerEndpoint(turn: Turn, deps: Deps): Promise<Answer | undefined> {
  const { request, response, entry } = turn;
  const { limits } = deps;
  const { refusal, info } = await admit(turn, deps);
  if (refusal !== undefined) return refusal;
  if (request.method !== 'POST') return refuse(entry, 405, 'only POST is served here', { Allow: 'POST, OPTIONS' });
  if (!isJsonContentType(request.headers['content-type'])) {
    return refuse(entry, 415, 'the Content-Type must be application/json');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refuse(entry, 415, 'the body must not be compressed', { 'Accept-Encoding': 'identity' });
  }
  if (!accepts(request.headers.accept, 'application/json')) {
    return refuse(entry, 406, 'the Accept header must allow application/json and text/event-stream');
  }
  const body = await readBody(request, response, limits.bodyBytes);
  if (body.kind === 'gone') return undefined;
  if (body.kind === 'too-large') return refuse(entry, 413, `the body is over ${limits.bodyBytes} bytes`);
  const message = body.kind === 'text' ? parseJson(body.text) : undefined;
  if (message === undefined) return toError(400, -32700, 'the body is not JSON in UTF-8');
  describe(message, turn, deps);
  if (Array.isArray(message) && message.length > 1) {
    const wait = deps.limiter.take(turn.client, message.length - 1);
    if (wait > 0) return refuseFlood(entry, wait);
  }

  if (entry.method === 'subscriptions/listen' && !accepts(request.headers.accept, 'text/event-stream')) {
    return refuse(entry, 406, 'the Accept header must allow text/event-stream');
  }
  // The answers to a batch have a turn each, so that the others do not wait for all of them.
  if (Array.isArray(message)) return answerMessage(turn, deps, message, info);
  return (await makeInTurn(turn, deps, message, (onWork) => answerMessage(turn, deps, message, info, onWork)))?.answer;
}

/** Judged after the body and made in turn, so that no answer is made before those before it are counted. */
async function makeInTurn(
  { client, abort, entry, hold, request }: Turn,
  { lane, outstanding, findSubject }: Deps,
  message: unknown,
  make: (onWork: () => void) => Promise<Answer | undefined>,
): Promise<Turned | undefined> {
  const size = (findSubject(readSubject(message))?.bytes ?? 0) > LARGE ? 'large' : 'small';
  const answerInTurn = async (onWork: () => void) => {
    if (outstanding.judge(client) !== 'free') {
      const answer = refuse(entry, 429, 'too many unread responses', { 'Retry-After': '1' });
      return { answer, isRefused: true };
    }
    const answer = await make(onWork);
    const bytes = answer === undefined ? 0 : countBytes(answer);
    if (bytes > 0) hold(bytes, () => request.socket.destroy());
    return answer && { answer, isRefused: false };
  };
  return lane(client, abort.signal, answerInTurn, size);
}

/** Notes what a message, or each one of a batch, is about: the log shows it of a message alone. */
function describe(message: unknown, { entry, asked }: Turn, { findSubject }: Deps): void {
  const messages = Array.isArray(message) ? message : [message];
  for (const each of messages) {
    const subject = readSubject(each);
    const known = findSubject(subject);
    if (known !== undefined && subject.method !== undefined) asked.push({ skill: known.skill, method: subject.method });
    if (each === message) Object.assign(entry, subject, known && { skill: known.skill }, readTrace(each));
  }
  if (Array.isArray(message)) entry.method = 'batch';
}

async function answerMessage(
  turn: Turn,
  deps: Deps,
  message: unknown,
  auth?: AuthInfo,
  onWork?: () => void,
): Promise<Answer | undefined> {
  const { request, entry, abort } = turn;
  const { answerMs, answerBytes } = deps.limits;
  const timer = setTimeout(() => abort.abort(new TimeoutError()), answerMs);
  const fail = (status: number, reason: string) => {
    entry.error = -32603;
    return toError(status, -32603, reason, readId(message));
  };
  try {
    const answer = await deps.protocol.answer({
      request: toWebRequest(request, abort.signal),
      body: message,
      signal: abort.signal,
      inTurn: (each, make) => makeInTurn(turn, deps, each, make),
      onGrowth(bytes) {
        turn.hold(bytes, () => request.socket.destroy());
        onWork?.();
      },
      ...(auth && { auth }),
    });
    if (abort.signal.reason instanceof TimeoutError) return fail(504, TOO_LATE);
    const size = countBytes(answer);
    if (size > answerBytes) return fail(500, `the answer is ${size} bytes, over the limit of ${answerBytes}`);
    const error = readErrorCode(answer);
    if (error !== undefined) entry.error = error;
    return answer;
  } catch (error) {
    if (error instanceof TimeoutError) return fail(504, TOO_LATE);
    if (abort.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The request as the SDK reads it. The body travels parsed, beside it; the token stays here. The SDK wants both media
 * types named where HTTP lets a client say the same with a wildcard or without the header.
 */
function toWebRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && name !== 'cookie' && value !== undefined) headers.set(name, String(value));
  }
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(`http://${request.headers.host}${ENDPOINT}`, { method: 'POST', headers, signal });
}

/** JSON has no undefined, so that can stand for what is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors are short; what is longer is not worth the parsing. */
function readErrorCode({ body }: Answer): number | undefined {
  if (!(body instanceof Uint8Array) || body.length > 4096) return undefined;
  const message = parseJson(new TextDecoder().decode(body));
  const error = typeof message === 'object' && message !== null && 'error' in message ? message.error : undefined;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;
}
