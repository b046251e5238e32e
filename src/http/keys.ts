import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { ServeError } from './fault.ts';

const FETCH_TIMEOUT_MS = 5_000;
const RETRY_MS = 5_000;
/** Keys are read again when they are older; an issuer that takes one back waits for that. */
const KEYS_FRESH_MS = 600_000;
/** How long an outage of the issuer may last: nobody knows what became of older keys. */
const KEYS_TRUSTED_MS = 24 * 3_600_000;

/**
 * Finds the key that signed a token. Keys that were read once stay until others are read: they are read again behind the
 * request that finds them old, and for a key that is not among them.
 */
export function createKeyFinder(options: {
  issuer: string;
  url: URL;
  cooldownSeconds: number;
  now: () => number;
  /** Ends what is being read; undefined where nobody waits for the end. */
  stop: AbortSignal | undefined;
}): JWTVerifyGetKey {
  const { issuer, url: base, cooldownSeconds, now, stop } = options;
  let known: { find: JWTVerifyGetKey; url: URL; at: number } | undefined;
  let reading: Promise<void> | undefined;
  let tried = { at: Number.NEGATIVE_INFINITY, failed: false };

  async function read(): Promise<void> {
    const url = await findJwksUrl(issuer, base, stop).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.url;
    });
    const keys = (await fetchJson(url.href, stop)) as JSONWebKeySet | undefined;
    if (keys === undefined) throw new Error(`no keys at ${url}`);
    known = { find: createLocalJWKSet(keys), url, at: now() };
  }

  /** Reads the keys, unless that is under way, or was tried less than `pause` ms ago. */
  function refresh(pause: number): Promise<void> {
    if (reading === undefined && Math.abs(now() - tried.at) >= pause) {
      tried = { at: now(), failed: false };
      reading = read()
        .catch(() => {
          tried.failed = true;
        })
        .finally(() => {
          reading = undefined;
        });
    }
    return reading ?? Promise.resolve();
  }

  return async (header, jws) => {
    const isOlder = (ms: number) => known === undefined || now() - known.at >= ms;
    // A failure is remembered only for a moment: long enough not to pass a flood on to the issuer.
    const refreshed = isOlder(KEYS_FRESH_MS) ? refresh(RETRY_MS) : undefined;
    if (isOlder(KEYS_TRUSTED_MS)) await refreshed;
    const keys = known;
    if (keys === undefined || isOlder(KEYS_TRUSTED_MS)) throw new Error('the keys cannot be read');
    try {
      return await keys.find(header, jws);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh(tried.failed ? RETRY_MS : cooldownSeconds * 1000);
      if (tried.failed) throw new Error('the keys cannot be read', { cause: error });
      return (known ?? keys).find(header, jws);
    }
  };
}

/** Reads the issuer's metadata: RFC 8414 section 3.1 first, then OpenID Connect's two places. */
async function findJwksUrl(issuer: string, url: URL, stop: AbortSignal | undefined): Promise<URL> {
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${url.origin}${path}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const metadata = await fetchJson(place, stop);
    // RFC 8414 section 3.3: a document of another issuer must not be used.
    if (metadata?.['issuer'] !== issuer) continue;
    const jwks = metadata['jwks_uri'];
    if (typeof jwks === 'string') return toHttpUrl(jwks, 'jwks_uri');
  }
  throw new Error(`no metadata of the issuer "${issuer}" names its keys`);
}

async function fetchJson(url: string, stop: AbortSignal | undefined): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(FETCH_TIMEOUT_MS), ...(stop ? [stop] : [])]),
    });
    const value: unknown = response.ok ? await response.json() : undefined;
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a URL that was set up; throws a `usage` ServeError for one that cannot be meant. */
export function toHttpUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '' || url.username !== '') {
    throw new ServeError('usage', `${what} "${text}" is not an http or https URL`);
  }
  const loopback = /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    throw new ServeError('usage', `${what} "${text}" must be https: what travels there decides who gets in`);
  }
  return url;
}
