import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request's body as text, or why there is none. */
export type Body = { kind: 'text'; text: string } | { kind: 'too-large' } | { kind: 'malformed' } | { kind: 'gone' };

const awaitingContinue = new WeakSet<IncomingMessage>();

/** Notes that the client waits for `100 Continue` before it sends its body (RFC 9110 section 10.1.1). */
export function expectContinue(request: IncomingMessage): void {
  awaitingContinue.add(request);
}

/**
 * Reads the body of `request`, up to `limit` bytes; a length that is announced to be more is refused unread. Answers
 * `gone` when the client goes away (or is thrown out for being slow) before its body is complete.
 */
export function readBody(request: IncomingMessage, response: ServerResponse, limit: number): Promise<Body> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve({ kind: 'too-large' });
  if (awaitingContinue.delete(request)) response.writeContinue();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const settle = (body: Body) => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(body);
    };
    const onData = (chunk: Buffer) => {
      received += chunk.length;
      if (received > limit) settle({ kind: 'too-large' });
      else chunks.push(chunk);
    };
    const onEnd = () => settle(toText(Buffer.concat(chunks, received)));
    const onGone = () => settle({ kind: 'gone' });
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}

/** Whether the client may still be sending: its bytes must be taken or the connection closed. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  return (
    !request.complete && (request.headers['transfer-encoding'] ?? request.headers['content-length'] ?? '0') !== '0'
  );
}

function toText(bytes: Buffer): Body {
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'malformed' };
  }
}
