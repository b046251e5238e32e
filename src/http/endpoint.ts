import { isJsonContentType } from '@modelcontextprotocol/server';
import type { MiddlewareHandler } from 'hono';
import { isObject, readTrace } from '../mcp/log.ts';
import { countBytes, type HttpResponse, readId, type Turned, toError } from '../mcp/protocol.ts';
import { accepts } from './accept.ts';
import { readBody, refuseBody } from './body.ts';
import { ENDPOINT, type HttpContext, type HttpEnv, type Services } from './context.ts';
import type { View } from './publication.ts';
import { createFloodRefusal, createRefusal, hold, refuse, respond } from './response.ts';
import { readSubject } from './subject.ts';

class TimeoutError extends Error {}

/** Bytes of files; a response with less is made in a few milliseconds. */
const LARGE = 256 * 1024;

const TOO_LATE = 'the response took too long';

/** Refuses a message by its headers, before its body is read. */
export function checkHeaders(services: Services): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    if (!isJsonContentType(c.req.header('content-type') ?? null)) {
      return refuse(c, 415, 'the Content-Type must be application/json', services);
    }
    const encoding = c.req.header('content-encoding');
    if (encoding !== undefined && encoding !== 'identity') {
      return refuse(c, 415, 'the body must not be compressed', services, { 'Accept-Encoding': 'identity' });
    }
    if (!accepts(c.req.header('accept'), 'application/json')) {
      return refuse(c, 406, 'the Accept header must allow application/json and text/event-stream', services);
    }
    return next();
  };
}

/** Responds to a message of MCP, or to a batch of them, as the caller's view does. */
export async function respondToMessage(c: HttpContext, services: Services): Promise<Response> {
  const { entry, caller } = c.env.state;
  const body = await readBody(c, services.limits.bodyBytes);
  if (body === undefined) return refuseBody(c, services);
  const message = parseJson(decode(body));
  if (message === undefined) return respond(c, toError(400, -32700, 'the body is not JSON in UTF-8'), services);
  const view = services.publication.choose(caller);
  describe(message, c, view);
  if (Array.isArray(message) && message.length > 1) {
    const wait = services.limiter.take(caller.name, message.length - 1);
    if (wait > 0) return respond(c, createFloodRefusal(c, wait), services);
  }
  if (entry.method === 'subscriptions/listen' && !accepts(c.req.header('accept'), 'text/event-stream')) {
    return refuse(c, 406, 'the Accept header must allow text/event-stream', services);
  }
  // The responses to a batch have a turn each, so that the others do not wait for all of them.
  if (Array.isArray(message)) return respond(c, await answer(c, services, view, message), services);
  const turned = await makeInTurn(c, services, view, message, () => answer(c, services, view, message));
  return turned === undefined ? c.body(null, 500) : respond(c, turned.response, services);
}

/** Judged and counted in turn, so that no response is made before those before it are counted. */
function makeInTurn(
  c: HttpContext,
  { lane, unread }: Services,
  { findSubject }: View,
  message: unknown,
  make: () => Promise<HttpResponse>,
): Promise<Turned | undefined> {
  const { caller, abort } = c.env.state;
  const size = (findSubject(readSubject(message))?.bytes ?? 0) > LARGE ? 'large' : 'small';
  const makeCounted = async () => {
    if (!unread.hasRoom(caller.name)) {
      return { response: createRefusal(c, 429, 'too many unread responses', { 'Retry-After': '1' }), isRefused: true };
    }
    const response = await make();
    if (response.body instanceof Uint8Array) hold(c, response.body.length, unread);
    return { response, isRefused: false };
  };
  return lane(caller.name, abort.signal, makeCounted, size);
}

/** Notes what a message, or each one of a batch, is about: the log shows it of a message alone. */
function describe(message: unknown, c: HttpContext, { findSubject }: View): void {
  const { entry, asked } = c.env.state;
  const messages = Array.isArray(message) ? message : [message];
  for (const each of messages) {
    const subject = readSubject(each);
    const known = findSubject(subject);
    if (known !== undefined && subject.method !== undefined) asked.push({ skill: known.skill, method: subject.method });
    if (each === message) Object.assign(entry, subject, known && { skill: known.skill }, readTrace(each));
  }
  if (Array.isArray(message)) entry.method = 'batch';
}

async function answer(c: HttpContext, services: Services, view: View, message: unknown): Promise<HttpResponse> {
  const { entry, abort, caller } = c.env.state;
  const { responseMs, responseBytes } = services.limits;
  const timer = setTimeout(() => abort.abort(new TimeoutError()), responseMs);
  const fail = (status: number, reason: string) => {
    entry.error = -32603;
    return toError(status, -32603, reason, readId(message));
  };
  try {
    const response = await view.protocol.answer({
      request: toWebRequest(c, abort.signal),
      body: message,
      signal: abort.signal,
      inTurn: (each, make) => makeInTurn(c, services, view, each, make),
      ...(caller.auth && { auth: caller.auth }),
    });
    if (abort.signal.reason instanceof TimeoutError) return fail(504, TOO_LATE);
    const size = countBytes(response);
    if (size > responseBytes) return fail(500, `the response is ${size} bytes, over the limit of ${responseBytes}`);
    const error = readErrorCode(response);
    if (error !== undefined) entry.error = error;
    return response;
  } catch (error) {
    if (error instanceof TimeoutError) return fail(504, TOO_LATE);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A text in UTF-8; undefined where it is none. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The request as the SDK reads it. The body travels parsed, beside it; credentials stay here. The SDK wants both media types named where
 * HTTP lets a client say the same with a wildcard or without the header.
 */
function toWebRequest(c: HttpContext, signal: AbortSignal): Request {
  const { host } = c.env.state;
  const headers = new Headers();
  for (const [name, value] of Object.entries(c.env.incoming.headers)) {
    if (name !== 'authorization' && name !== 'cookie' && value !== undefined) headers.set(name, String(value));
  }
  headers.set('host', host);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(`http://${host}${ENDPOINT}`, { method: 'POST', headers, signal });
}

/** JSON has no undefined, so that can stand for what is none. */
function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors are short; what is longer is not worth the parsing. */
function readErrorCode({ body }: HttpResponse): number | undefined {
  if (!(body instanceof Uint8Array) || body.length > 4096) return undefined;
  const message = parseJson(new TextDecoder().decode(body));
  const error = isObject(message) ? message['error'] : undefined;
  return isObject(error) && typeof error['code'] === 'number' ? error['code'] : undefined;
}
