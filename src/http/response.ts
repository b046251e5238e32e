import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import { type LongBody, toPieces } from '../mcp/long.ts';
import { type HttpResponse, toError } from '../mcp/protocol.ts';
import { chooseEncoding } from './accept.ts';
import type { MakePiece } from './compress.ts';
import type { HttpContext, Services } from './context.ts';
import type { Unread } from './unread.ts';

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED = 1024;
/** A longer body is written in pieces of that many bytes, each when the client has taken those before it. */
const PIECE = 256 * 1024;
/** A client has this long to take a response, and a second more for each SLOWEST bytes of it. */
const PATIENCE_MS = 30_000;
const SLOWEST = 128 * 1024;

/** Makes Hono's response: compressed when the client accepts that, counted while it is in memory, and broken off where nobody takes it. */
export async function respond(c: HttpContext, response: HttpResponse, services: Services): Promise<Response> {
  const { body, status, headers } = response;
  if (body === undefined) return c.body(null, { status: status as StatusCode, headers });
  c.header('Vary', 'Accept-Encoding', { append: true });
  if (body instanceof ReadableStream) {
    c.env.state.isStream = true;
    const reader = body.getReader();
    const take = async () => (await reader.read()).value;
    return c.body(
      createBody(c, take, () => reader.cancel()),
      { status: status as ContentfulStatusCode, headers },
    );
  }
  const encoding = body.length < MIN_COMPRESSED ? undefined : chooseEncoding(c.req.header('accept-encoding'));
  const pieces = encoding && (await compress(c, body, encoding, services));
  if (pieces !== undefined)
    return send(c, status, { ...headers, 'content-encoding': encoding ?? '' }, pieces, services);
  if (body instanceof Uint8Array) return send(c, status, headers, [body], services);
  return sendLong(c, status, headers, body, services);
}

/** A response that refuses before anything was done; the log says why. */
export function createRefusal(
  c: HttpContext,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): HttpResponse {
  c.env.state.entry.refused = message;
  const response = toError(status, -32000, message);
  return { ...response, headers: { ...response.headers, ...headers } };
}

/** The response to a client that asked too often, with the seconds it has to wait. */
export function createFloodRefusal(c: HttpContext, wait: number): HttpResponse {
  return createRefusal(c, 429, `too many requests: wait ${wait} s`, { 'Retry-After': String(wait) });
}

/** Makes Hono's response of a refusal. */
export function refuse(
  c: HttpContext,
  status: number,
  message: string,
  services: Services,
  headers?: Record<string, string>,
): Promise<Response> {
  return respond(c, createRefusal(c, status, message, headers), services);
}

/** Counts a response in memory, in the place of what its request holds so far. */
export function hold(c: HttpContext, bytes: number, unread: Unread): void {
  const { state, incoming } = c.env;
  state.held?.release();
  state.held = unread.hold(state.caller.name, bytes, () => {
    state.entry.refused = 'broken off: its client takes too much too slowly';
    incoming.socket.destroy();
  });
}

async function compress(
  c: HttpContext,
  body: Uint8Array | LongBody,
  encoding: 'br' | 'gzip',
  { compressor, lane }: Services,
): Promise<readonly Uint8Array[] | undefined> {
  if (!(body instanceof Uint8Array)) {
    // for all who ask for it, even when this client goes
    const { signal } = new AbortController();
    return compressor.compressLong(body, encoding, (make) => lane(c.env.state.caller.name, signal, make, 'large'));
  }
  const compressed = await compressor.compress(body, encoding);
  return compressed && [compressed];
}

/** Sends a body that is in memory. */
function send(
  c: HttpContext,
  status: number,
  headers: Record<string, string>,
  pieces: readonly Uint8Array[],
  { unread }: Services,
): Response {
  const { state, incoming } = c.env;
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const init = { status: status as ContentfulStatusCode, headers: { ...headers, 'content-length': String(length) } };
  // The longer form is not kept while a client takes the shorter one.
  hold(c, length, unread);
  setDeadline(c, length);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && length <= PIECE) {
    if (incoming.method !== 'HEAD') state.entry.bytes = length;
    return c.body(only as Uint8Array<ArrayBuffer>, init);
  }
  const parts = cut(pieces);
  let left = length;
  const take = async () => {
    state.held?.move(left);
    const part = parts.next().value;
    left -= part?.length ?? 0;
    return part;
  };
  return c.body(createBody(c, take), init);
}

function* cut(pieces: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const piece of pieces) for (let at = 0; at < piece.length; at += PIECE) yield piece.subarray(at, at + PIECE);
}

/** Sends a body that is made while the client takes it: however many clients take it, and however slowly, it is in memory once. */
function sendLong(
  c: HttpContext,
  status: number,
  headers: Record<string, string>,
  long: LongBody,
  { lane }: Services,
): Response {
  const { caller, abort } = c.env.state;
  const pieces = toPieces(long);
  const inTurn: MakePiece = (make) => lane(caller.name, abort.signal, make, 'large');
  setDeadline(c, long.length);
  return c.body(
    createBody(c, () => inTurn(() => pieces.next().value)),
    { status: status as ContentfulStatusCode, headers: { ...headers, 'content-length': String(long.length) } },
  );
}

function createBody(
  c: HttpContext,
  take: () => Promise<Uint8Array | undefined>,
  cancel: () => Promise<void> = async () => {},
): ReadableStream<Uint8Array> {
  const { state, incoming } = c.env;
  return new ReadableStream(
    {
      async pull(controller) {
        // A response that is under way cannot be taken back: the client must see that it is broken off.
        const piece = await take().catch(() => void incoming.socket.destroy());
        if (piece === undefined) {
          controller.close();
          return;
        }
        state.entry.bytes += piece.length;
        controller.enqueue(piece);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}

function setDeadline(c: HttpContext, length: number): void {
  const { incoming, outgoing } = c.env;
  const timer = setTimeout(() => incoming.socket.destroy(), PATIENCE_MS + (length / SLOWEST) * 1000);
  outgoing.once('close', () => clearTimeout(timer));
}
