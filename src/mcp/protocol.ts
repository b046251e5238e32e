import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { isObject } from './log.ts';
import type { Fill } from './long.ts';

/** One message of a client, with the headers it came with. */
interface Message {
  /** The request without its body, which stands in `body`. */
  request: Request;
  /** The parsed JSON. */
  body: unknown;
  auth?: AuthInfo;
  /** Makes one of the answers to a batch in its turn; undefined when nobody waits for it. Each of them is one request. */
  inTurn: (message: unknown, make: (onWork: () => void) => Promise<Answer>) => Promise<Turned | undefined>;
  /** Hears how many bytes of the answers to a batch, or of a long answer, there are so far. */
  onGrowth: (bytes: number) => void;
  /** Aborted when nobody waits for the answer. Not the request's own, which follows this one only while it is not collected. */
  signal: AbortSignal;
}

/** An answer whose body is known, whole or in pieces, grows as it is asked for, or is empty. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array> | undefined;
}

/** An answer that was made, or the one that refused to make any. */
export interface Turned {
  readonly answer: Answer;
  readonly isRefused: boolean;
}

export interface Protocol {
  /** Answers one message, or one batch of messages of the 2025-03-26 revision. Rejects when its signal is aborted. */
  answer(message: Message): Promise<Answer>;
  /** Ends open subscriptions as the protocol asks, and aborts what is still being answered. */
  close(): Promise<void>;
}

/** The SDK's own bound; each message costs a server object. */
const MAX_BATCH = 100;

/** Of all answers to a batch together: they wait in memory until the last is made. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** The one revision that has batches; what comes without a revision is taken for it. */
const BATCH_REVISION = '2025-03-26';

const [OPENING, SEPARATOR, CLOSING] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];

/**
 * Serves both eras with one factory. The SDK's handler has a leg for 2025, but it frames every answer as an event
 * stream; here it is the same transport told to answer with JSON, which can be compressed and whose length is known. `onerror` hears of
 * a factory that fails; its request is answered with 500. `fill` completes what the factory's servers leave out.
 */
export function createProtocol(
  factory: McpServerFactory,
  maxSubscriptions: number,
  onerror: (error: unknown) => void,
  fill: Fill = async (body) => body,
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
  const modern = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions });

  async function answerLegacy({ request, body, auth, signal, onGrowth }: Message): Promise<Answer> {
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
      return await complete(await toAnswer(await orAbort(response, signal)), { signal, onGrowth });
    } finally {
      await server.close();
    }
  }

  /** Answers a batch as one answer, and not a large one: a batch is no way to fill the memory. */
  async function answerBatch(messages: readonly unknown[], message: Message): Promise<Answer> {
    const revision = message.request.headers.get('mcp-protocol-version') ?? BATCH_REVISION;
    if (revision !== BATCH_REVISION)
      return toError(400, -32600, `revision ${revision} has no batches: send one message`);
    if (messages.length > MAX_BATCH) return toError(400, -32600, `a batch holds at most ${MAX_BATCH} messages`);
    if (messages.some(isInitialize)) return toError(400, -32600, 'initialize cannot be part of a batch');
    const parts: Uint8Array[] = [];
    let size = 0;
    for (const body of messages) {
      const turned = await message.inTurn(body, (onWork) => {
        const onGrowth = (bytes: number) => {
          message.onGrowth(size + bytes);
          onWork();
        };
        return answerLegacy({ ...message, body, onGrowth });
      });
      if (turned === undefined) throw message.signal.reason;
      const { answer, isRefused } = turned;
      if (isRefused) return answer;
      if (countBytes(answer) === 0 || !isRequest(body)) continue;
      parts.push(parts.length === 0 ? OPENING : SEPARATOR, ...toPieces(answer));
      size += countBytes(answer);
      message.onGrowth(size);
      if (size > MAX_BATCH_BYTES) {
        return toError(
          400,
          -32600,
          `the answers are over ${MAX_BATCH_BYTES} bytes together: send the messages one by one`,
        );
      }
    }
    if (parts.length === 0) return { status: 202, headers: {}, body: undefined };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.concat([...parts, CLOSING]) };
  }

  async function complete(answer: Answer, waiting: Parameters<Fill>[1]): Promise<Answer> {
    return answer.body instanceof Uint8Array ? { ...answer, body: await fill(answer.body, waiting) } : answer;
  }

  let closed = false;

  return {
    async answer(message) {
      const { request, body, auth, signal } = message;
      // On a connection that was open before; its client, or the proxy, finds another replica.
      if (closed) return toError(503, -32000, 'the server is shutting down');
      if (await isLegacyRequest(request, body)) {
        return Array.isArray(body) ? answerBatch(body, message) : answerLegacy(message);
      }
      const response = modern.fetch(request, { parsedBody: body, ...(auth && { authInfo: auth }) });
      return complete(await toAnswer(await orAbort(response, signal)), message);
    },
    close() {
      closed = true;
      return modern.close();
    },
  };
}

/** The body of an answer in pieces; none where it is empty or still growing. */
function toPieces({ body }: Pick<Answer, 'body'>): readonly Uint8Array[] {
  if (body === undefined || Symbol.asyncIterator in body) return [];
  return body instanceof Uint8Array ? [body] : body;
}

/** Bytes of the body of an answer, as far as they are known. */
export function countBytes(answer: Pick<Answer, 'body'>): number {
  return toPieces(answer).reduce((sum, { length }) => sum + length, 0);
}

/** A JSON-RPC error as an answer. `id` is the request's, where it could be read. */
export function toError(status: number, code: number, message: string, id: unknown = null): Answer {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
  return { status, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(body) };
}

/** The id of a request that an answer of ours has to name; null where there is none to name. */
export function readId(message: unknown): unknown {
  return isRequest(message) && isObject(message) ? message['id'] : null;
}

async function toAnswer(response: Response): Promise<Answer> {
  const headers = Object.fromEntries(response.headers);
  const { status, body } = response;
  if (body === null) return { status, headers, body: undefined };
  if (!headers['content-type']?.startsWith('application/json')) return { status, headers, body: readChunks(body) };
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(body)) chunks.push(chunk);
  const [only] = chunks;
  return { status, headers, body: only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks) };
}

async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
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

function isInitialize(message: unknown): boolean {
  return isObject(message) && message['method'] === 'initialize';
}
