import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { isObject } from './log.ts';

/** URIs that one stream may ask to hear of. A host that subscribes to every file it sees must not fill the memory. */
const MOST = 1000;

/** The answer to a `subscriptions/listen` that asks for too many files; undefined for every other message. */
export function refuseSubscriptions(message: unknown): JSONRPCErrorResponse | undefined {
  if (!isObject(message) || message['method'] !== 'subscriptions/listen') return undefined;
  const count = listSubscribed(message).length;
  const { id } = message;
  if (count <= MOST || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  const text = `${count} URIs in "resourceSubscriptions" are more than ${MOST}: "resourcesListChanged" reports every change`;
  return { jsonrpc: '2.0', id, error: { code: -32602, message: text } };
}

/** The URIs that a `subscriptions/listen` asks to hear of. */
function listSubscribed(message: Record<string, unknown>): readonly unknown[] {
  const params = isObject(message['params']) ? message['params'] : {};
  const filter = isObject(params['notifications']) ? params['notifications'] : {};
  const uris = filter['resourceSubscriptions'];
  return Array.isArray(uris) ? uris : [];
}
