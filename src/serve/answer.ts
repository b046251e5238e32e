import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { hasUnreadBody } from './body.ts';
import type { Outstanding } from './outstanding.ts';
import type { Answer } from './protocol.ts';

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED = 1024;
/** A page of a listing takes a millisecond at these levels; higher ones take twice that for two percent. */
const BROTLI_QUALITY = 3;
const GZIP_LEVEL = 3;
/** 2^18 bytes: the default window would have the encoder take 4 MiB for each answer. */
const BROTLI_WINDOW = 18;
const CHUNK = 256 * 1024;
/** A client has this long to take an answer, and a second more for each SLOWEST bytes of it. */
const PATIENCE_MS = 30_000;
const SLOWEST = 128 * 1024;
const LINGER_MS = 1_000;
const LINGER_BYTES = 32 * 1024 * 1024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Writes `answer` to the client, compressed when it accepts that, in pieces that wait for the client to take them.
 * What it holds meanwhile is put on the account of `client`. Resolves with the number of body bytes handed to the
 * connection, once all of them are or the client is gone (`gone`).
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  outstanding: Outstanding,
  client: string,
  gone: Promise<unknown>,
): Promise<number> {
  const { req: request } = response;
  const { status, body } = answer;
  const headers: Record<string, string> = { ...answer.headers };
  const unread = hasUnreadBody(request);
  if (unread) headers['connection'] = 'close';
  if (!(body instanceof Uint8Array)) {
    response.writeHead(status, headers);
    const sent = body === undefined ? 0 : await writeStream(response, body, gone);
    if (unread) await linger(response);
    if (!request.socket.destroyed) response.end();
    return sent;
  }

  const encoding = body.length < MIN_COMPRESSED ? undefined : chooseEncoding(request.headers['accept-encoding']);
  headers['vary'] = response.hasHeader('vary') ? `${response.getHeader('vary')}, Accept-Encoding` : 'Accept-Encoding';
  let held = body.length;
  outstanding.change(client, 0, held);
  try {
    const bytes = encoding === undefined ? body : await compress(body, encoding);
    outstanding.change(client, held, bytes.length);
    held = bytes.length;
    if (encoding !== undefined) headers['content-encoding'] = encoding;
    headers['content-length'] = String(bytes.length);
    response.writeHead(status, headers);
    const sent = request.method === 'HEAD' ? 0 : await writeBytes(response, bytes, gone);
    if (unread) await linger(response);
    if (!request.socket.destroyed) response.end();
    // Until the last piece has left, the memory behind it is not free.
    await Promise.race([new Promise((resolve) => response.once('finish', resolve)), gone]);
    return sent;
  } finally {
    outstanding.change(client, held, 0);
  }
}

async function writeBytes(response: ServerResponse, bytes: Uint8Array, gone: Promise<unknown>): Promise<number> {
  const { socket } = response.req;
  const deadline = setTimeout(() => socket.destroy(), PATIENCE_MS + (bytes.length / SLOWEST) * 1000);
  void gone.then(() => clearTimeout(deadline));
  let sent = 0;
  while (sent < bytes.length && !socket.destroyed) {
    const chunk = bytes.subarray(sent, sent + CHUNK);
    sent += chunk.length;
    if (!response.write(chunk)) await drained(response, gone);
  }
  return sent;
}

async function writeStream(
  response: ServerResponse,
  body: AsyncIterable<Uint8Array>,
  gone: Promise<unknown>,
): Promise<number> {
  response.flushHeaders();
  let sent = 0;
  for await (const chunk of body) {
    if (response.req.socket.destroyed) break;
    sent += chunk.length;
    if (!response.write(chunk)) await drained(response, gone);
  }
  return sent;
}

async function drained(response: ServerResponse, gone: Promise<unknown>): Promise<void> {
  await Promise.race([new Promise((resolve) => response.once('drain', resolve)), gone]);
}

/**
 * Drops what the client is still sending, for a moment: closing on it would make its system throw away the answer unread.
 */
async function linger(response: ServerResponse): Promise<void> {
  const { req: request } = response;
  if (request.destroyed || request.complete) return;
  response.flushHeaders();
  await new Promise<void>((resolve) => {
    let dropped = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > LINGER_BYTES) stop();
    });
    request.once('end', stop).once('close', stop).resume();
  });
}

/** Picks `br` or `gzip` by the client's `Accept-Encoding` (RFC 9110 section 12.5.3), `br` first when both are as good. */
export function chooseEncoding(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const weights = new Map<string, number>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    if (name !== '') weights.set(name, Number(quality) || 0);
  }
  const any = weights.get('*') ?? 0;
  const br = weights.get('br') ?? any;
  const zip = weights.get('gzip') ?? weights.get('x-gzip') ?? any;
  if (br === 0 && zip === 0) return undefined;
  return br >= zip ? 'br' : 'gzip';
}

function compress(bytes: Uint8Array, encoding: 'br' | 'gzip'): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(bytes, { level: GZIP_LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return toBrotli(bytes, { params });
}
