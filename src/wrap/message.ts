import type { Params, Result } from '../mcp/methods.ts';
import { isRecord } from '../text/jsonvalue.ts';

/** What tells requests of one side apart (JSON-RPC 2.0, 4). */
export type Id = string | number;

/** A JSON-RPC message as far as it has to be understood. */
export interface Message {
  readonly method: string | undefined;
  readonly id: Id | undefined;
  readonly params: Params;
  readonly result: Params | undefined;
  /** The code of an error; undefined where there is none. */
  readonly error: unknown;
}

/** JSON-RPC 2.0: there is no such method. */
export const METHOD_NOT_FOUND = -32601;

const INTERNAL_ERROR = -32603;

/** Reads a parsed line; what is no message has no method and no id. */
export function readMessage(value: unknown): Message {
  const { method, id, params, result, error } = isRecord(value) ? value : ({} as Params);
  return {
    method: typeof method === 'string' ? method : undefined,
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    params: isRecord(params) ? params : {},
    result: isRecord(result) ? result : undefined,
    error: isRecord(error) ? (error['code'] ?? null) : undefined,
  };
}

/** The line that answers a request. */
export function toResponse(id: Id, result: Result): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
}

/** The line that refuses a request: with the code, the message and the data of an error that has a code. */
export function toErrorResponse(id: Id, error: unknown): string {
  const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
  const body =
    typeof code === 'number' && typeof message === 'string'
      ? { code, message, ...(data === undefined ? {} : { data }) }
      : { code: INTERNAL_ERROR, message: 'internal error' };
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: body })}\n`;
}

/** The line of a notification. */
export function toNotification(method: string, params: Result): string {
  return `${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`;
}
