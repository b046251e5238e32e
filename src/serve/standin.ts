import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server';
import { isObject } from './log.ts';

/** Long content of an answer, and what is in its place while the SDK makes the answer. */
interface StandIn {
  readonly token: string;
  readonly text: string;
}

/** UTF-16 units above which content gets a stand-in: what is shorter is written in a few milliseconds. */
const LONG = 256 * 1024;

/** UTF-16 units that are written as JSON at a time. */
const SLICE = 128 * 1024;

const standIns = new WeakMap<Request, StandIn[]>();

/**
 * Has a server put stand-ins into its answer to a request where the content of a resource is long. The SDK writes an answer as JSON in
 * one go: a file of 16 MiB would keep everybody else waiting for a second.
 */
export function useStandIns(server: Server, request: Request): void {
  const connect = server.connect;
  server.connect = (transport) => {
    const send = transport.send;
    transport.send = (message, options) => send.call(transport, replaceContents(message, request), options);
    return connect.call(server, transport);
  };
}

function replaceContents(message: JSONRPCMessage, request: Request): JSONRPCMessage {
  if (!('result' in message) || !Array.isArray(message.result['contents'])) return message;
  const contents = message.result['contents'].map((content: unknown) => {
    if (!isObject(content)) return content;
    const field = 'text' in content ? 'text' : 'blob';
    const text = content[field];
    return typeof text === 'string' && text.length > LONG ? { ...content, [field]: toStandIn(text, request) } : content;
  });
  return { ...message, result: { ...message.result, contents } };
}

function toStandIn(text: string, request: Request): string {
  // nothing that was written before can hold it
  const token = randomUUID();
  standIns.set(request, [...(standIns.get(request) ?? []), { token, text }]);
  return token;
}

/**
 * The body of an answer to a request, with the content in place of its stand-ins. Written in slices, between which the event loop turns.
 *
 * @param waiting - `signal` is aborted where nobody waits for it any more: then this rejects; `onWork` is called after each slice
 */
export async function fillStandIns(
  body: Uint8Array,
  { request, signal, onWork }: { readonly request: Request; readonly signal: AbortSignal; readonly onWork: () => void },
): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let rest = Buffer.from(body.buffer, body.byteOffset, body.length);
  for (const { token, text } of standIns.get(request) ?? []) {
    const at = rest.indexOf(token);
    if (at === -1) continue;
    pieces.push(rest.subarray(0, at));
    rest = rest.subarray(at + token.length);
    for (let from = 0; from < text.length; ) {
      const end = endSlice(text, from + SLICE);
      pieces.push(Buffer.from(JSON.stringify(text.slice(from, end)).slice(1, -1)));
      from = end;
      await setImmediate();
      signal.throwIfAborted();
      onWork();
    }
  }
  standIns.delete(request);
  return [...pieces, rest];
}

/** A slice does not end between the halves of a character. */
function endSlice(text: string, end: number): number {
  return end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end;
}
