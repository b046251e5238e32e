// A server that is reached over Streamable HTTP.
import { createParser } from 'eventsource-parser';
import { isRecord } from '../catalog/foreign.ts';
import { toBase64 } from '../text/base64.ts';
import { formatNumber } from '../text/count.ts';
import { showValue } from './difference.ts';
import {
  answerServer,
  ConnectionError,
  isResponse,
  MAX_RECEIVED,
  MAX_UNASKED,
  type Message,
  type RawResponse,
  readMessage,
  type Wire,
} from './wire.ts';

/** Where the server is, and what every request to it carries. */
export interface PostOptions {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The revision, once it is known; in the modern era each request names it itself. */
  readonly version: () => string | undefined;
  readonly fetch?: typeof fetch;
}

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

/** The parameter that the header Mcp-Name repeats (MCP 2026-07-28, "Streamable HTTP"). */
const NAMED: Readonly<Record<string, string>> = {
  'resources/read': 'uri',
  'tools/call': 'name',
  'prompts/get': 'name',
};

/** Connects over HTTP: nothing is sent before the first request. */
export function createPost(options: PostOptions): Wire {
  const { url, headers, version, fetch: send = fetch } = options;
  let session: string | undefined;
  const received = { bytes: 0 };

  async function post(message: object, signal: AbortSignal): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const response = await postOnce(message, signal);
      const wait = tries < MAX_TRIES ? findWait(response) : undefined;
      if (wait === undefined) {
        requireOpen(response, url);
        session = response.headers.get('mcp-session-id') ?? session;
        return response;
      }
      await response.body?.cancel();
      await sleep(wait, signal);
    }
  }

  async function postOnce(message: object, signal: AbortSignal): Promise<Response> {
    try {
      return await send(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session === undefined ? {} : { 'mcp-session-id': session }),
          ...toVersionHeaders(message, version()),
        },
        body: JSON.stringify(message),
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      throw signal.aborted
        ? signal.reason
        : new ConnectionError(`${describeUrl(url)} could not be reached: ${describeCause(error)}`);
    }
  }

  return {
    async ask(message, signal, most) {
      const response = await post(message, signal);
      const take = (text: string): RawResponse | undefined => {
        const received = readMessage(text);
        if (received === undefined) return undefined;
        if (isResponse(received) && (received['id'] === message.id || !response.ok))
          return { message: received, size: text.length };
        const answer = answerServer(received);
        if (answer !== undefined)
          void post(answer, signal).then(
            (done) => done.body?.cancel(),
            () => {},
          );
        return undefined;
      };
      const read: Read = (from, chunk) => readChunks(from, received, most, chunk);
      try {
        const isStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
        return isStream ? await readStream(response, take, read) : await readWhole(response, take, read);
      } catch (error) {
        if (error instanceof ConnectionError) throw error;
        throw signal.aborted
          ? signal.reason
          : new ConnectionError(`the response to ${message.method} broke off: ${describeCause(error)}`);
      }
    },
    async tell(message, signal) {
      const response = await post(message, signal);
      await response.body?.cancel();
    },
    async close() {
      if (session === undefined) return;
      const signal = AbortSignal.timeout(2000);
      try {
        const asked = { ...headers, 'mcp-session-id': session, ...toVersionHeaders({}, version()) };
        const response = await send(url, { method: 'DELETE', headers: asked, redirect: 'manual', signal });
        await response.body?.cancel();
      } catch {
        // a session that cannot be ended times out by itself
      }
    },
  };
}

/** How often a request is made whose rate the server limits. */
const MAX_TRIES = 10;

/** The longest wait that a server is granted between two tries, in seconds. */
const MAX_WAIT = 10;

/** How long a server that limits the rate of requests asks to wait, in milliseconds; undefined where it asks for nothing or too much. */
function findWait({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return status === 429 && seconds >= 0 && seconds <= MAX_WAIT ? Math.max(seconds, 0.1) * 1000 : undefined;
}

/** @throws the reason of the signal, when that is aborted meanwhile */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Refuses what is no response of an MCP server: a redirect, a demand for credentials. */
function requireOpen(response: Response, url: URL): void {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = headers.get('location') ?? 'nowhere';
    throw new ConnectionError(`${describeUrl(url)} redirects to ${showValue(target)}: use that URL if you trust it`);
  }
  if (status === 401)
    throw new ConnectionError(`${describeUrl(url)} wants credentials (HTTP 401): use --token-env or --header`);
  if (status === 403)
    throw new ConnectionError(`${describeUrl(url)} refuses these credentials or this client (HTTP 403)`);
  if (status === 429)
    throw new ConnectionError(
      `${describeUrl(url)} limits the rate of requests (HTTP 429): lower --concurrency, or try later`,
    );
}

/** What of all responses that are being received has come so far. */
interface Received {
  bytes: number;
}

/** Whether more chunks are wanted. */
type TakeChunk = (chunk: Uint8Array) => boolean;

/** Reads the body of a response. */
type Read = (response: Response, take: TakeChunk) => Promise<void>;

type Take = (text: string) => RawResponse | undefined;

async function readWhole(response: Response, take: Take, read: Read): Promise<RawResponse> {
  let text = '';
  const decoder = new TextDecoder();
  await read(response, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
    return true;
  });
  const found = take(text);
  if (found !== undefined) return found;
  if (!response.ok) return toStatusError(response.status);
  const shown = text.trim() === '' ? 'an empty body' : showValue(text.trim());
  throw new ConnectionError(
    `the server answered with HTTP ${response.status} and ${shown}, not with a JSON-RPC response`,
  );
}

/** A refusal by HTTP alone, such as a proxy gives, is an error response without a code. */
function toStatusError(status: number): RawResponse {
  return { message: { jsonrpc: '2.0', error: { message: `HTTP ${status}` } }, size: 0 };
}

async function readStream(response: Response, take: Take, read: Read): Promise<RawResponse> {
  let found: RawResponse | undefined;
  let unasked = 0;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (found !== undefined || (event !== undefined && event !== 'message') || data === '') return;
      found = take(data);
      unasked += 1;
      if (unasked > MAX_UNASKED) {
        throw new ConnectionError(
          `the server sent more than ${formatNumber(MAX_UNASKED)} messages that are not responses to a request`,
        );
      }
    },
  });
  const decoder = new TextDecoder();
  await read(response, (chunk) => {
    parser.feed(decoder.decode(chunk, { stream: true }));
    return found === undefined;
  });
  if (found === undefined) throw new ConnectionError('the server closed the stream before it responded');
  return found;
}

/** Reads a body until it ends, `take` has enough, or there is too much. */
async function readChunks(response: Response, received: Received, most: number, take: TakeChunk): Promise<void> {
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      received.bytes += chunk.length;
      if (length > most) {
        throw new ConnectionError(`the server sent a message of more than ${formatNumber(most)} bytes`);
      }
      if (received.bytes > MAX_RECEIVED) {
        throw new ConnectionError(`the server sent more than ${formatNumber(MAX_RECEIVED)} bytes at the same time`);
      }
      if (!take(chunk)) return;
    }
  } finally {
    received.bytes -= length;
  }
}

/** The headers that repeat what the body says, so that proxies need not parse it. */
function toVersionHeaders(message: Partial<Message>, version: string | undefined): Record<string, string> {
  const { method, params = {} } = message;
  const meta = params['_meta'];
  const named = isRecord(meta) ? meta[VERSION_META] : undefined;
  if (typeof named !== 'string' || method === undefined)
    return version === undefined ? {} : { 'mcp-protocol-version': version };
  const name = params[NAMED[method] ?? ''];
  return {
    'mcp-protocol-version': named,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': encodeHeader(name) } : {}),
  };
}

/** A value as a header carries it: what is not visible ASCII, or looks encoded, is base64 in a frame of its own. */
function encodeHeader(value: string): string {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(value) && !value.startsWith('=?base64?')) return value;
  return `=?base64?${toBase64(new TextEncoder().encode(value))}?=`;
}

/** A URL without what may be secret in it. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

/** What `fetch` hides in a cause. */
function describeCause(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
