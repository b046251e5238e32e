import { createHash } from 'node:crypto';
import { LIMITS, tooLarge } from './bounds.ts';
import { maskUrl } from './grammar.ts';
import { SourceError } from './trouble.ts';

/** How many redirects are followed. */
const REDIRECTS = 5;

/** How long a server may take, in milliseconds. */
const PATIENCE = 120_000;

/**
 * Fetches an archive whose content is known. A redirect is followed, and the content decides.
 *
 * @param sha256 - 64 lowercase hex digits
 * @throws SourceError
 */
export async function download(url: string, sha256: string): Promise<Buffer> {
  const shown = maskUrl(url);
  try {
    const response = await follow(url, shown, AbortSignal.timeout(PATIENCE));
    if (!response.ok) throw new SourceError('unreadable', `${shown} answers ${response.status}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > LIMITS.packed) throw tooLarge(`${shown} has more than`, bytes, LIMITS.packed);
      chunks.push(chunk);
    }
    const content = Buffer.concat(chunks);
    const actual = createHash('sha256').update(content).digest('hex');
    if (actual === sha256) return content;
    throw new SourceError('unreadable', `${shown} has the SHA-256 ${actual}, and ${sha256} is pinned`);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
    const why = name === 'TimeoutError' ? 'it took too long' : (cause?.code ?? cause?.message ?? message);
    throw new SourceError('unreadable', `${shown} cannot be fetched: ${why}`, undefined, { cause: error });
  }
}

/** Follows redirects, none of them to a server without TLS. */
async function follow(url: string, shown: string, signal: AbortSignal): Promise<Response> {
  let place = url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const response = await fetch(place, { signal, redirect: 'manual' });
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    place = new URL(location, place).href;
    if (!place.startsWith('https:')) throw new SourceError('unreadable', `${shown} leads to a server without TLS`);
  }
  throw new SourceError('unreadable', `${shown} leads to more than ${REDIRECTS} others`);
}
