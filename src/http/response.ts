import type { ServerResponse } from 'node:http';
import { type Answer, countBytes } from '../mcp/protocol.ts';
import { chooseEncoding } from './accept.ts';
import { hasUnreadBody } from './body.ts';
import type { Compressor } from './compress.ts';
import type { Hold } from './context.ts';

/** Below this many bytes compression costs more than it saves. */
const MIN_COMPRESSED = 1024;
const CHUNK = 256 * 1024;
/** A client has this long to take an answer, and a second more for each SLOWEST bytes of it. */
const PATIENCE_MS = 30_000;
const SLOWEST = 128 * 1024;
const LINGER_MS = 1_000;
const LINGER_BYTES = 32 * 1024 * 1024;

/**
 * Writes `answer` to the client, compressed when it accepts that, in pieces that wait for the client to take them; tells
 * `hold` what that keeps in memory. Resolves with the number of body bytes handed to the connection, once all of them
 * are or the client is gone (`gone`).
 */
export async function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  compressor: Compressor,
  hold: Hold,
  gone: Promise<unknown>,
): Promise<number> {
  const { req: request } = response;
  const unread = hasUnreadBody(request);
  const headers: Record<string, string> = { ...answer.headers, ...(unread && { connection: 'close' }) };
  if (answer.body instanceof Uint8Array) {
    const { length } = answer.body;
    const encoding = length < MIN_COMPRESSED ? undefined : chooseEncoding(request.headers['accept-encoding']);
    hold(length, () => request.socket.destroy());
    const pieces = encoding && (await compressor.compress(answer.body, encoding, () => hold(length)));
    // In its place: whoever has the answer must not keep the longer form while a client takes the shorter one.
    if (pieces !== undefined) answer.body = pieces;
    headers['vary'] = response.hasHeader('vary') ? `${response.getHeader('vary')}, Accept-Encoding` : 'Accept-Encoding';
    if (pieces !== undefined && encoding !== undefined) headers['content-encoding'] = encoding;
  }
  if (answer.body !== undefined && !(Symbol.asyncIterator in answer.body))
    headers['content-length'] = String(countBytes(answer));
  response.writeHead(answer.status, headers);
  const sent = request.method === 'HEAD' ? 0 : await writeBody(response, answer.body, hold, gone);
  if (unread) await linger(response);
  if (!request.socket.destroyed) response.end();
  return sent;
}

async function writeBody(
  response: ServerResponse,
  body: Answer['body'],
  hold: Hold,
  gone: Promise<unknown>,
): Promise<number> {
  if (body === undefined) return 0;
  if (body instanceof Uint8Array) return writePieces(response, [body], hold, gone);
  return Symbol.asyncIterator in body ? writeStream(response, body, gone) : writePieces(response, body, hold, gone);
}

async function writePieces(
  response: ServerResponse,
  pieces: readonly Uint8Array[],
  hold: Hold,
  gone: Promise<unknown>,
): Promise<number> {
  const { socket } = response.req;
  const length = countBytes({ body: pieces });
  const deadline = setTimeout(() => socket.destroy(), PATIENCE_MS + (length / SLOWEST) * 1000);
  void gone.then(() => clearTimeout(deadline));
  let sent = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length && !socket.destroyed; ) {
      hold(length, () => socket.destroy(), length - sent);
      const chunk = piece.subarray(at, at + CHUNK);
      at += chunk.length;
      sent += chunk.length;
      if (!response.write(chunk)) await drained(response, gone);
    }
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
