import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { type Outstanding, sendAnswer } from './answer.ts';
import type { Auth } from './auth.ts';
import { readBody } from './body.ts';
import { nameClient } from './client.ts';
import { type Guard, toPreflightHeaders } from './guard.ts';
import { describeMessage, type Entry, type Log } from './log.ts';
import { type CatalogSummary, type Gauges, METRICS_TYPE, type Metrics } from './metrics.ts';
import { type Answer, type Protocol, toError } from './protocol.ts';
import type { Limiter } from './rate.ts';

/** What answering a request needs; one set for the life of the server. */
export interface Deps {
  protocol: Protocol;
  guard: Guard;
  auth: Auth | undefined;
  limiter: Limiter;
  catalog: CatalogSummary;
  log: Log;
  metrics: Metrics | undefined;
  outstanding: Outstanding;
  limits: { bodyBytes: number; answerMs: number; answerBytes: number; outstandingBytes: number };
  trustProxy: boolean;
  /** Whether the server has stopped taking connections. */
  isDraining(): boolean;
  gauges(): Gauges;
  /** Wall-clock milliseconds. */
  now(): number;
}

const ENDPOINT = '/mcp';
const GREETING = `This is mcp-server-skills, an MCP server for Agent Skills. Connect an MCP client to ${ENDPOINT} on this host.\n`;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Answers one request from its first header to its log line. Never rejects. */
export async function exchange(request: IncomingMessage, response: ServerResponse, deps: Deps): Promise<void> {
  const started = performance.now();
  const entry: Entry = {
    time: new Date(deps.now()).toISOString(),
    verb: request.method ?? '',
    path: (request.url ?? '').replace(/[?#].*$/s, '').slice(0, 200),
    status: 0,
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
  let finished = false;
  response.once('finish', () => {
    finished = true;
  });
  void gone.then(() => abort.abort(new Error('the client has gone')));
  try {
    const answer = await route(request, response, deps, entry, abort);
    if (answer !== undefined && !request.socket.destroyed) {
      if (deps.isDraining()) response.setHeader('Connection', 'close');
      entry.status = answer.status;
      entry.bytes = await sendAnswer(response, limitSize(answer, deps), deps.outstanding, gone);
    }
  } catch (error) {
    // An answer that is under way cannot be taken back: the client must see that it is broken off.
    if (!abort.signal.aborted)
      deps.log.note('error', error instanceof Error ? (error.stack ?? error.message) : String(error));
    request.socket.destroy();
  }
  await gone;
  if (!finished) entry.aborted = true;
  entry.duration_ms = Math.round((performance.now() - started) * 100) / 100;
  deps.log.request(entry);
  deps.metrics?.observe(entry);
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  deps: Deps,
  entry: Entry,
  abort: AbortController,
): Promise<Answer | undefined> {
  const { path } = entry;
  const isProbe = path === '/healthz' || path === '/readyz' || path === '/metrics';
  const verdict = deps.guard.check(request, isProbe);
  if ('refused' in verdict) return refuse(entry, 403, verdict.refused);
  for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value);
  if (request.method === 'OPTIONS') return { status: 204, headers: toPreflightHeaders(request), body: undefined };

  if (path === ENDPOINT) return answerEndpoint(request, response, deps, entry, abort);
  const isMetrics = path === '/metrics' && deps.metrics !== undefined;
  const isMetadata = deps.auth?.oauth?.metadataPaths.includes(path) === true;
  if (!isMetrics && !isMetadata && path !== '/healthz' && path !== '/readyz') {
    if (path === '/') return toText(404, GREETING);
    return refuse(entry, 404, `nothing is here: the endpoint is ${ENDPOINT}`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(entry, 405, 'this path is only read', { Allow: 'GET, HEAD, OPTIONS' });
  }
  if (isMetadata) return toJson(200, deps.auth?.oauth?.metadata, { 'cache-control': 'max-age=3600' });
  if (isMetrics) {
    const refused = await admit(request, deps, entry);
    return 'status' in refused ? refused : toText(200, deps.metrics?.render(deps.gauges()) ?? '', METRICS_TYPE);
  }
  if (path === '/readyz' && deps.isDraining()) return toJson(503, { status: 'draining' });
  return toJson(200, { status: 'ok', ...(path === '/healthz' && deps.catalog) });
}

async function answerEndpoint(
  request: IncomingMessage,
  response: ServerResponse,
  deps: Deps,
  entry: Entry,
  abort: AbortController,
): Promise<Answer | undefined> {
  const { limits } = deps;
  const admitted = await admit(request, deps, entry);
  if ('status' in admitted) return admitted;
  if (request.method !== 'POST') return refuse(entry, 405, 'only POST is served here', { Allow: 'POST, OPTIONS' });
  if (!isJsonContentType(request.headers['content-type'])) {
    return refuse(entry, 415, 'the Content-Type must be application/json');
  }
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refuse(entry, 415, 'the body must not be compressed', { 'Accept-Encoding': 'identity' });
  }
  if (!acceptsJson(request.headers.accept)) {
    return refuse(entry, 406, 'the Accept header must allow application/json and text/event-stream');
  }
  if (deps.outstanding.bytes >= limits.outstandingBytes) {
    return refuse(entry, 503, 'too many answers wait for their clients', { 'Retry-After': '1' });
  }
  const body = await readBody(request, response, limits.bodyBytes);
  if (body.kind === 'gone') return undefined;
  if (body.kind === 'too-large') return refuse(entry, 413, `the body is over ${limits.bodyBytes} bytes`);
  const message = body.kind === 'text' ? parseJson(body.text) : undefined;
  if (message === undefined) return toError(400, -32700, 'the body is not JSON in UTF-8');
  Object.assign(entry, describeMessage(message));
  if (Array.isArray(message) && message.length > 1) {
    const wait = deps.limiter.take(admitted.client, message.length - 1);
    if (wait > 0) return tooMany(entry, wait);
  }

  const timer = setTimeout(() => abort.abort(new TimeoutError()), limits.answerMs);
  try {
    const answer = await deps.protocol.answer({
      request: toWebRequest(request, abort.signal),
      body: message,
      ...(admitted.info && { auth: admitted.info }),
    });
    const error = readErrorCode(answer);
    if (error !== undefined) entry.error = error;
    return abort.signal.reason instanceof TimeoutError ? timedOut(entry, message) : answer;
  } catch (error) {
    if (error instanceof TimeoutError) return timedOut(entry, message);
    if (abort.signal.aborted) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

class TimeoutError extends Error {}

/** Finds out who asks and whether they may ask now: the answer that refuses, or the client's name for the limiter. */
async function admit(request: IncomingMessage, deps: Deps, entry: Entry) {
  const admission = await deps.auth?.admit(request.headers.authorization);
  const name = admission?.kind === 'admitted' ? admission.name : undefined;
  if (name !== undefined) entry.token = name.slice(0, 128);
  const client = nameClient(request, name, deps.trustProxy);
  // Refused tokens count too, so that nobody tries many of them.
  const wait = deps.limiter.take(client);
  if (wait > 0) return tooMany(entry, wait);
  if (admission?.kind === 'refused') return refuse(entry, admission.status, admission.message, admission.headers);
  return { client, info: admission?.info };
}

function tooMany(entry: Entry, wait: number): Answer {
  return refuse(entry, 429, `too many requests: wait ${wait} s`, { 'Retry-After': String(wait) });
}

function timedOut(entry: Entry, message: unknown): Answer {
  entry.error = -32603;
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return toError(504, -32603, 'the answer took too long', id);
}

function refuse(entry: Entry, status: number, message: string, headers: Record<string, string> = {}): Answer {
  entry.refused = message;
  const answer = toError(status, -32000, message);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function toText(status: number, text: string, type = 'text/plain; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': type, 'cache-control': 'no-store' }, body: Buffer.from(text) };
}

function toJson(
  status: number,
  value: unknown,
  headers: Record<string, string> = { 'cache-control': 'no-store' },
): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(JSON.stringify(value)) };
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

function acceptsJson(header: string | undefined): boolean {
  return header === undefined || /(?:^|,)\s*(?:application\/(?:json|\*)|\*\/\*)\s*(?:[;,]|$)/i.test(header);
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

function limitSize(answer: Answer, { limits }: Deps): Answer {
  if (!(answer.body instanceof Uint8Array) || answer.body.length <= limits.answerBytes) return answer;
  return toError(500, -32603, `the answer is ${answer.body.length} bytes, over the limit of ${limits.answerBytes}`);
}
