import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isObject } from './log.ts';
import { type LongBody, type LongContents, toPieces } from './long.ts';
import { createSubscriptions, refuseSubscriptions } from './subscriptions.ts';

/** One message of a client, with the headers it came with. */
interface Message {
  /** The request without its body, which is in `body`. */
  request: Request;
  /** The parsed JSON. */
  body: unknown;
  auth?: AuthInfo;
  /** Makes one of the responses to a batch in its turn; undefined when nobody waits for it. Each of them is one request. */
  inTurn: (message: unknown, make: () => Promise<HttpResponse>) => Promise<Turned | undefined>;
  /** Aborted when nobody waits for the response. Not the request's own, which follows this one only while it is not collected. */
  signal: AbortSignal;
}

/** A response whose body is known, is made while the client takes it, grows as it is asked for, or is empty. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | LongBody | ReadableStream<Uint8Array> | undefined;
}

/** A response that was made, or the one that refused to make any. */
export interface Turned {
  readonly response: HttpResponse;
  readonly isRefused: boolean;
}

export interface Protocol {
  /** Answers one message, or one batch of messages of the 2025-03-26 revision. Rejects when its signal is aborted. */
  answer(message: Message): Promise<HttpResponse>;
  /** Tells the open streams of 2026-07-28 what has changed. */
  readonly notify: McpHttpHandler['notify'];
  /** Whether an open stream has asked to hear of a file. */
  readonly isSubscribed: (uri: string) => boolean;
  /** Ends open subscriptions as the protocol asks, and takes no others. */
  endSubscriptions(): Promise<void>;
  /** The same, and aborts what is still being answered. */
  close(): Promise<void>;
}

/** The SDK's own bound; each message costs a server object. */
const MAX_BATCH = 100;

/** Of all responses to a batch together: they wait in memory until the last is made. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** The one revision that has batches; what comes without a revision is taken for it. */
const BATCH_REVISION = '2025-03-26';

const [OPENING, SEPARATOR, CLOSING] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/**
 * Serves both eras with one factory, which is asked at each request. The SDK's handler has a leg for 2025, but it frames every response as
 * an event stream; here it is the same transport told to respond with JSON, which can be compressed and whose length is known.
 *
 * @param onerror - hears of a factory that fails; its request is answered with 500
 * @param complete - puts in what the factory's servers leave out
 */
export function createProtocol(
  factory: McpServerFactory,
  maxSubscriptions: number,
  onerror: (error: unknown) => void,
  complete: LongContents['complete'] = async (body) => body,
): Protocol {
  // The SDK's own `onerror` would hear of every request that a client got wrong, too.
  const createServer = async (context: McpRequestContext) => {
    try {
      return await factory(context);
    } catch (error) {
      onerror(error);
      throw error;
    }
  };
  const modern = createMcpHandler(createServer, { legacy: 'reject' });
  // in a handler of their own, because the SDK ends them together with everything else of a handler
  const streams = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions });

  async function answerLegacy({ request, body, auth, signal }: Message): Promise<HttpResponse> {
    const known = auth && { authInfo: auth };
    const server = await createServer({ era: 'legacy', requestInfo: request, ...known }).catch(() => undefined);
    if (server === undefined) return toError(500, -32603, 'internal error', readId(body));
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    try {
      await server.connect(transport);
      const response = transport.handleRequest(request, { parsedBody: body, ...known });
      return await readResponse(await orAbort(response, signal), complete);
    } finally {
      await server.close();
    }
  }

  /** Answers a batch with one response, and not a large one: a batch is no way to fill the memory. */
  async function answerBatch(messages: readonly unknown[], message: Message): Promise<HttpResponse> {
    const revision = message.request.headers.get('mcp-protocol-version') ?? BATCH_REVISION;
    if (revision !== BATCH_REVISION)
      return toError(400, -32600, `revision ${revision} has no batches: send one message`);
    if (messages.length > MAX_BATCH) return toError(400, -32600, `a batch can contain at most ${MAX_BATCH} messages`);
    if (messages.some(isInitialize)) return toError(400, -32600, 'initialize cannot be part of a batch');
    const parts: Uint8Array[] = [];
    let size = 0;
    for (const body of messages) {
      const turned = await message.inTurn(body, () => answerLegacy({ ...message, body }));
      if (turned === undefined) throw message.signal.reason;
      const { response, isRefused } = turned;
      if (isRefused) return response;
      if (response.body === undefined || !isRequest(body)) continue;
      size += countBytes(response);
      if (size > MAX_BATCH_BYTES) {
        const advice = 'send the messages one by one';
        return toError(400, -32600, `the responses are over ${MAX_BATCH_BYTES} bytes together: ${advice}`);
      }
      parts.push(parts.length === 0 ? OPENING : SEPARATOR, ...toParts(response));
    }
    if (parts.length === 0) return { status: 202, headers: {}, body: undefined };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.concat([...parts, CLOSING]) };
  }

  const subscriptions = createSubscriptions();
  let closed = false;

  return {
    notify: streams.notify,
    isSubscribed: subscriptions.has,
    async answer(message) {
      const { request, body, auth, signal } = message;
      // On a connection that was open before; its client, or the proxy, finds another replica.
      if (closed) return toError(503, -32000, 'the server is shutting down');
      if (await isLegacyRequest(request, body)) {
        return Array.isArray(body) ? answerBatch(body, message) : answerLegacy(message);
      }
      const refusal = refuseSubscriptions(body);
      if (refusal !== undefined) return toError(200, refusal.error.code, refusal.error.message, refusal.id);
      subscriptions.add(body, signal);
      const handler = isListen(body) ? streams : modern;
      const response = handler.fetch(request, { parsedBody: body, ...(auth && { authInfo: auth }) });
      return readResponse(await orAbort(response, signal), complete);
    },
    endSubscriptions: () => streams.close(),
    async close() {
      closed = true;
      await Promise.all([streams.close(), modern.close()]);
    },
  };
}

function toParts({ body }: HttpResponse): Iterable<Uint8Array> {
  if (body === undefined || body instanceof ReadableStream) return [];
  return body instanceof Uint8Array ? [body] : toPieces(body);
}

/** Bytes of the body of a response, as far as they are known. */
export function countBytes({ body }: Pick<HttpResponse, 'body'>): number {
  return body === undefined || body instanceof ReadableStream ? 0 : body.length;
}

/** A JSON-RPC error as a response. `id` is the request's, where it could be read. */
export function toError(status: number, code: number, message: string, id: unknown = null): HttpResponse {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
  return { status, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(body) };
}

/** The id of a request that a response of ours has to name; null where there is none to name. */
export function readId(message: unknown): unknown {
  return isRequest(message) && isObject(message) ? message['id'] : null;
}

async function readResponse(response: Response, complete: LongContents['complete']): Promise<HttpResponse> {
  const headers = Object.fromEntries(response.headers);
  const { status } = response;
  if (headers['content-type']?.startsWith('application/json')) {
    return { status, headers, body: await complete(new Uint8Array(await response.arrayBuffer())) };
  }
  return { status, headers, body: response.body ?? undefined };
}

function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function isRequest(message: unknown): boolean {
  return isObject(message) && typeof message['method'] === 'string' && message['id'] !== undefined;
}

/** Whether a message opens a stream of notifications. */
export function isListen(message: unknown): boolean {
  return isObject(message) && message['method'] === 'subscriptions/listen';
}

function isInitialize(message: unknown): boolean {
  return isObject(message) && message['method'] === 'initialize';
}
