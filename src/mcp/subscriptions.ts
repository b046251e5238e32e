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

/** The files that open streams have asked to hear of. */
export interface Subscriptions {
  readonly has: (uri: string) => boolean;
  /** Takes note of a `subscriptions/listen`, until its signal is aborted. Every other message is left alone. */
  readonly add: (message: unknown, signal: AbortSignal) => void;
}

/** Counts the streams of each file, so that of a change of many only what somebody hears is told. */
export function createSubscriptions(): Subscriptions {
  const counts = new Map<unknown, number>();
  const count = (uri: unknown, by: number) => {
    const left = (counts.get(uri) ?? 0) + by;
    if (left === 0) counts.delete(uri);
    else counts.set(uri, left);
  };
  return {
    has: (uri) => counts.has(uri),
    add(message, signal) {
      if (!isObject(message) || message['method'] !== 'subscriptions/listen' || signal.aborted) return;
      const uris = new Set(listSubscribed(message));
      if (uris.size === 0) return;
      for (const uri of uris) count(uri, 1);
      const end = () => {
        for (const uri of uris) count(uri, -1);
      };
      signal.addEventListener('abort', end, { once: true });
    },
  };
}
