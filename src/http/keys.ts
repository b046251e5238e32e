import { createRemoteJWKSet, customFetch, type JWKSCacheInput, type JWTVerifyGetKey, jwksCache } from 'jose';
import { CommandError, EXIT } from '../error.ts';

const FETCH_TIMEOUT_MS = 5_000;
/** A failure is remembered for a moment: long enough not to pass a flood on to the issuer. */
const RETRY_MS = 5_000;
/** Keys are read again when they are older; an issuer that takes one back waits for that. */
const KEYS_FRESH_MS = 600_000;
/** How long an outage of the issuer may last: nobody knows what became of older keys. */
const KEYS_TRUSTED_MS = 24 * 3_600_000;

/**
 * Finds the key that signed a token. `jose` keeps the keys and reads them for a key that is not among them; when they are ten minutes old they
 * are read again behind the request that finds them so, so that an outage of the issuer is not felt for a day.
 */
export function createKeyFinder(options: {
  issuer: string;
  url: URL;
  cooldownSeconds: number;
  /** Ends what is being read; undefined where nobody waits for the end. */
  stop: AbortSignal | undefined;
}): JWTVerifyGetKey {
  const { issuer, url: base, cooldownSeconds, stop } = options;
  const cache: JWKSCacheInput & { uat?: number } = {};
  let known: { url: URL; keys: ReturnType<typeof createRemoteJWKSet> } | undefined;
  let reading: Promise<void> | undefined;
  let failed = Number.NEGATIVE_INFINITY;

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    if (!isOlder(failed, RETRY_MS)) throw new Error('the keys could not be read a moment ago');
    try {
      return await work();
    } catch (cause) {
      failed = Date.now();
      // never an error of jose's, which would blame the token
      throw new Error('the keys cannot be read', { cause });
    }
  }

  function createKeys(url: URL): typeof known {
    const keys = createRemoteJWKSet(url, {
      cacheMaxAge: KEYS_TRUSTED_MS,
      cooldownDuration: cooldownSeconds * 1000,
      [jwksCache]: cache,
      [customFetch]: (href) => attempt(async () => Response.json(JSON.parse(await fetchText(href, stop)))),
    });
    return { url, keys };
  }

  async function read(): Promise<void> {
    const url = await attempt(() => findJwksUrl(issuer, base, stop)).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.url;
    });
    if (known?.url.href !== url.href) known = createKeys(url);
    await known?.keys.reload();
  }

  /** Reads the keys, one reading at a time. */
  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return async (header, jws) => {
    if (known === undefined) await refresh();
    else if (isOlder(cache.uat ?? 0, KEYS_FRESH_MS)) refresh().catch(() => {});
    if (known === undefined) throw new Error('the keys cannot be read');
    return known.keys(header, jws);
  };
}

/** Whether a moment is more than that long ago, or the clock was set back since. */
function isOlder(moment: number, ms: number): boolean {
  return Math.abs(Date.now() - moment) >= ms;
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
    const value: unknown = JSON.parse(await fetchText(url, stop));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function fetchText(url: string, stop: AbortSignal | undefined): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.any([AbortSignal.timeout(FETCH_TIMEOUT_MS), ...(stop ? [stop] : [])]),
  });
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`);
  return response.text();
}

/** Reads a URL that was set up; throws a CommandError (`usage`) for one that cannot be meant. */
export function toHttpUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hash !== '' || url.username !== '') {
    throw new CommandError(EXIT.usage, `${what} "${text}" is not an http or https URL`);
  }
  const loopback = /^(?:localhost|127(?:\.[0-9]+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !loopback) {
    throw new CommandError(EXIT.usage, `${what} "${text}" must be https: what travels there decides who gets in`);
  }
  return url;
}
