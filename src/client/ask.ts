import { escapeText } from '../text/escape.ts';
import type { SkillConnection } from './connection.ts';

/** JSON-RPC: the server knows nothing of that name; -32002 is what revisions before 2026-07-28 say of a resource. */
const NOT_FOUND: readonly unknown[] = [-32602, -32002];

/** How many characters of a server's words a message quotes. */
const QUOTED = 200;

/** A request that got no answer in time. */
class NoAnswer extends Error {}

/**
 * Sends a request that ends: after `timeout` milliseconds, or when the signal aborts, whatever the connection does.
 *
 * @throws what the connection throws, or an error that names the method
 */
export async function askServer(
  connection: SkillConnection,
  method: string,
  params: object,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): Promise<unknown> {
  const controller = new AbortController();
  let end = (_: Error) => {};
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      reject(error);
      controller.abort(error);
    };
  });
  const onAbort = () => end(new NoAnswer(`${method} was aborted`));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(() => end(new NoAnswer(`${method} had no answer after ${timeout} ms`)), timeout);
  try {
    // async, so that a connection that throws at once rejects as well
    const asked = (async () => connection.request(method, params, { signal: controller.signal }))();
    asked.catch(() => {});
    return await Promise.race([ended, asked]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Whether the server answered that it serves no such thing. Any other failure says nothing about what it serves. */
export function isNotFound(error: unknown): boolean {
  return typeof error === 'object' && error !== null && NOT_FOUND.includes((error as { code?: unknown }).code);
}

/** What a failure says, on one line and safe to show: the words may be the server's. */
export function describeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof NoAnswer ? message : `its server answered ${quote(message)}`;
}

/** Words of a server on one line, cut and in quotation marks that they cannot close. */
export function quote(text: string, most = QUOTED): string {
  return `"${toLine(text, most, (part) => part.replace(/[\\"]/g, '\\$&'))}"`;
}

/** Words of a server on one line: white space is one space, what cannot be seen is shown as `\u{…}`. Cut at `most` code points. */
export function toLine(text: string, most: number, toEscaped = (part: string) => part): string {
  // a long text is cut first: it can have megabytes
  const start = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...start];
  const isCut = characters.length > most || text.length > most * 4;
  const shown = isCut ? characters.slice(0, most).join('') : start;
  return `${escapeText(toEscaped(shown))}${isCut ? '…' : ''}`;
}
