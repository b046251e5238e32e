import { createHmac, timingSafeEqual } from 'node:crypto';

/** Who has a token: its name, and the SHA-256 of what the client sends. A name may have several. */
export interface Holder {
  readonly name: string;
  readonly digest: Uint8Array;
}

/** How long a session lasts, in milliseconds: a working day. */
export const SESSION_MS = 12 * 60 * 60 * 1000;

/** Before what is sealed, so that no other use of a digest makes the same seal. */
const PURPOSE = 'mcp-server-skills page session 1';

/**
 * The value of a cookie that says who its browser is: until when, a seal over both, and the name. It holds nothing of the token, ends with
 * the token, and is known wherever the token is.
 *
 * @param now - wall-clock milliseconds
 */
export function createSession(holder: Holder, now: number): string {
  const expires = String(now + SESSION_MS);
  return `${expires}.${seal(holder, expires).toString('base64url')}.${holder.name}`;
}

/** The name of who a cookie says its browser is; undefined for one that nobody sealed who has a token now, and for one that is over. */
export function readSession(value: string, holders: readonly Holder[], now: number): string | undefined {
  const [, expires = '', sealed = '', name] = /^(\d{1,16})\.([\w-]{43})\.([\w.@-]{1,64})$/.exec(value) ?? [];
  const given = Buffer.from(sealed, 'base64url');
  let isKnown = false;
  for (const holder of holders) {
    const wanted = seal({ ...holder, name: name ?? '' }, expires);
    const isSame = given.length === wanted.length && timingSafeEqual(given, wanted);
    if (isSame && holder.name === name) isKnown = true;
  }
  return isKnown && Number(expires) > now && Number(expires) <= now + SESSION_MS ? name : undefined;
}

function seal({ name, digest }: Holder, expires: string): Buffer {
  return createHmac('sha256', digest).update(`${PURPOSE}\n${expires}\n${name}`).digest();
}
