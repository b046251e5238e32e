// What carries messages to a server and back. A wire knows JSON-RPC and nothing of skills.
import { isRecord } from '../catalog/foreign.ts';
import { formatNumber } from '../text/count.ts';

/** A JSON-RPC request or notification. */
export interface Message {
  readonly jsonrpc: '2.0';
  /** Absent in a notification. */
  readonly id?: number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A response as it was received, and how long it was. */
export interface RawResponse {
  readonly message: Readonly<Record<string, unknown>>;
  /** In bytes. */
  readonly size: number;
}

/** A connection to a server. Every failure is a {@link ConnectionError}. */
export interface Wire {
  /**
   * Sends a request and gives its response. The signal gives up waiting for it.
   *
   * @param most - how many bytes the response may have
   */
  ask(message: Message, signal: AbortSignal, most: number): Promise<RawResponse>;
  /** Sends a notification. */
  tell(message: Message, signal: AbortSignal): Promise<void>;
  /** Ends the connection, and the server where it was started for it. Never throws. */
  close(): Promise<void>;
}

/** Why a server cannot be verified: it could not be reached, did not respond, or ended. The message is one sentence. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/**
 * The longest message of a server that is read, in bytes. A file of 16 MiB fits, in base64 or as text in which every second byte is
 * escaped; the official client refuses messages of more than 10 MiB over stdio.
 */
export const MAX_MESSAGE = 33 * 1024 * 1024;

/** The most bytes of responses that are received at the same time. */
export const MAX_RECEIVED = 64 * 1024 * 1024;

/** Messages of a server that nobody asked for, such as notifications: more than this is a flood. */
export const MAX_UNASKED = 10_000;

/** The most lists, objects and members of a message: parsed, each costs more than the bytes that it was sent in. */
const MAX_VALUES = 600_000;

/**
 * A JSON-RPC message; undefined where it is anything else.
 *
 * @throws ConnectionError where it would be much larger in memory than it is as JSON
 */
export function readMessage(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.length > MAX_VALUES && countValues(text) > MAX_VALUES) {
    throw new ConnectionError(`the server sent a message of more than ${formatNumber(MAX_VALUES)} values`);
  }
  try {
    const message: unknown = JSON.parse(text);
    return isRecord(message) && message['jsonrpc'] === '2.0' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** How many lists, objects and members a JSON text has. What is in strings is not counted. */
function countValues(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (unit === '[' || unit === '{' || unit === ':') count += 1;
    else if (unit === '"') at = findStringEnd(text, at + 1);
  }
  return count;
}

/** Where a string ends that begins before `from`: at its quotation mark, or at the end of the text. */
function findStringEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > from && text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** How the client responds to a request of the server: it is there, and can do nothing. */
export function answerServer(
  message: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const { id, method } = message;
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32601, message: `this client does not answer ${method.slice(0, 100)}` },
  };
}

/** Whether a message is a response, to a request of the client. */
export function isResponse(message: Readonly<Record<string, unknown>>): boolean {
  return message['method'] === undefined && (Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error'));
}
