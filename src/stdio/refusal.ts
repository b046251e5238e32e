import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { isObject } from '../mcp/log.ts';

/** Of a request (JSON-RPC 2.0, 4). */
const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/** The answer to what has the id of a request and no request's shape; undefined for what cannot be answered. */
export function toRefusal(value: unknown, isBatched: boolean): JSONRPCErrorResponse | undefined {
  if (!isObject(value) || 'result' in value || 'error' in value) return undefined;
  const { id, jsonrpc, method, params } = value;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  const refuse = (code: number, message: string): JSONRPCErrorResponse => ({
    jsonrpc: '2.0',
    id: id as string | number,
    error: { code, message },
  });
  if (isBatched) return refuse(-32600, 'batches are only of revision 2025-03-26: send one message a line');
  if (jsonrpc !== '2.0') return refuse(-32600, 'the request has no "jsonrpc": "2.0"');
  if (typeof method !== 'string') return refuse(-32600, 'the member "method" is missing or is not a string');
  if (params !== undefined && !isObject(params))
    return refuse(-32602, 'the member "params" is not an object: leave it out, or send {}');
  const meta = params?.['_meta'];
  if (meta !== undefined && !isObject(meta)) return refuse(-32602, 'the parameter "_meta" is not an object');
  const other = Object.keys(value).find((key) => !MEMBERS.has(key));
  if (other !== undefined) return refuse(-32600, `a request has no member ${JSON.stringify(other.slice(0, 100))}`);
  if (meta?.['progressToken'] !== undefined)
    return refuse(-32602, 'the parameter "_meta.progressToken" is neither a string nor a whole number');
  return refuse(-32600, 'the message is not a JSON-RPC request');
}
