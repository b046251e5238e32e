import { type AuthInfo, getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServeError } from './error.ts';

/** An authorization server whose access tokens (signed JWTs) are accepted. */
export interface OAuthOptions {
  /** Its issuer identifier, exactly as it stands in the `iss` of its tokens. */
  issuer: string;
  /** The public URL of this server's endpoint: the `aud` of its tokens and the `resource` of RFC 9728. */
  audience: string;
  /** Every one of them must be granted. Default none. */
  scopes?: readonly string[];
  /** Seconds by which the two clocks may differ. Default 30. */
  clockSkewSeconds?: number;
  /** Seconds before an unknown key id may cause another look at the issuer's keys. Default 30. */
  keyCooldownSeconds?: number;
}

type Grant =
  | { kind: 'granted'; auth: AuthInfo; name: string }
  | { kind: 'invalid'; reason: string }
  | { kind: 'scope'; name: string }
  | { kind: 'unavailable'; reason: string };

export interface OAuth {
  verify(token: string): Promise<Grant>;
  /** The document of RFC 9728 section 2. */
  readonly metadata: Record<string, unknown>;
  /** Where it stands, as clients see it. */
  readonly metadataUrl: string;
  /** The paths it is served at: with the endpoint's path as RFC 9728 section 3.1 inserts it, and without. */
  readonly metadataPaths: readonly string[];
  readonly scopes: readonly string[];
}

/** Only signatures that a public key checks: with an HMAC, whoever can verify a token could forge one. */
const ALGORITHMS = [
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ...['PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512'],
];
/** RFC 6749 section 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
const FETCH_TIMEOUT_MS = 5_000;
const DISCOVERY_MAX_AGE_MS = 3_600_000;
const DISCOVERY_RETRY_MS = 5_000;

/**
 * Makes the resource server's half of OAuth 2.1 as the MCP authorization pages ask for it. Nothing is fetched before the
 * first token arrives, so an issuer that is down does not keep the server from starting. `now` is wall-clock
 * milliseconds. Throws a `usage` ServeError for URLs that cannot be meant.
 */
export function createOAuth(options: OAuthOptions, now: () => number): OAuth {
  const issuer = toHttpUrl(options.issuer, '--oauth-issuer');
  const audience = toHttpUrl(options.audience, '--oauth-audience');
  const scopes = options.scopes ?? [];
  const badScope = scopes.find((scope) => !SCOPE.test(scope));
  if (badScope !== undefined) throw new ServeError('usage', `"${badScope}" is not an OAuth scope`);
  const findKey = createKeyFinder(options, issuer, now);
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(audience);

  return {
    scopes,
    metadataUrl,
    metadataPaths: [...new Set([new URL(metadataUrl).pathname, '/.well-known/oauth-protected-resource'])],
    metadata: {
      resource: options.audience,
      authorization_servers: [options.issuer],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'mcp-server-skills',
    },
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, findKey, {
          algorithms: ALGORITHMS,
          issuer: options.issuer,
          audience: toAudiences(options.audience),
          requiredClaims: ['exp'],
          clockTolerance: options.clockSkewSeconds ?? 30,
          currentDate: new Date(now()),
        });
        return toGrant(payload, scopes, audience);
      } catch (error) {
        const reason = error instanceof errors.JOSEError ? toReason(error) : undefined;
        if (reason !== undefined) return { kind: 'invalid', reason };
        return { kind: 'unavailable', reason: 'the keys of the issuer cannot be read' };
      }
    },
  };
}

/** Finds the key that signed a token, after a look at where the issuer keeps its keys. */
function createKeyFinder(options: OAuthOptions, issuer: URL, now: () => number): JWTVerifyGetKey {
  let found: { keys: Promise<JWTVerifyGetKey>; until: number } | undefined;
  return async (header, jws) => {
    if (found === undefined || now() >= found.until) {
      const keys = findJwksUrl(options.issuer, issuer).then((url) =>
        createRemoteJWKSet(url, {
          timeoutDuration: FETCH_TIMEOUT_MS,
          cooldownDuration: (options.keyCooldownSeconds ?? 30) * 1000,
        }),
      );
      const mine = { keys, until: now() + DISCOVERY_MAX_AGE_MS };
      found = mine;
      // A failure is remembered only for a moment: long enough not to pass a flood on to the issuer.
      keys.catch(() => {
        mine.until = now() + DISCOVERY_RETRY_MS;
      });
    }
    const findKey = await found.keys;
    return findKey(header, jws);
  };
}

/** Reads the issuer's metadata: RFC 8414 section 3.1 first, then OpenID Connect's two places. */
async function findJwksUrl(issuer: string, url: URL): Promise<URL> {
  const path = url.pathname.replace(/\/$/, '');
  const places = [
    `${url.origin}/.well-known/oauth-authorization-server${path}`,
    `${url.origin}/.well-known/openid-configuration${path}`,
    ...(path === '' ? [] : [`${url.origin}${path}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const metadata = await fetchJson(place);
    // RFC 8414 section 3.3: a document of another issuer must not be used.
    if (metadata?.['issuer'] !== issuer) continue;
    const jwks = metadata['jwks_uri'];
    if (typeof jwks === 'string') return toHttpUrl(jwks, 'jwks_uri');
  }
  throw new Error(`no metadata of the issuer "${issuer}" names its keys`);
}

async function fetchJson(url: string): Promise<Record<string, unknown> | undefined> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    const value: unknown = response.ok ? await response.json() : undefined;
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function toGrant(payload: JWTPayload, required: readonly string[], audience: URL): Grant {
  const claims = [payload['scope'], payload['scp']].flat();
  const scopes = claims.flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : []));
  const client = payload['client_id'] ?? payload['azp'];
  // a signed claim may still be of any type
  const subject: unknown = payload.sub;
  const clientId = typeof client === 'string' ? client : typeof subject === 'string' ? subject : 'unknown';
  const name = typeof subject === 'string' ? subject : clientId;
  if (!required.every((scope) => scopes.includes(scope))) return { kind: 'scope', name };
  // The token stays here: what answers requests has no use for it.
  const auth = { token: '', clientId, scopes, resource: audience, ...(payload.exp && { expiresAt: payload.exp }) };
  return { kind: 'granted', auth, name };
}

/** What is wrong with a token, in words that fit a quoted header value; undefined when it is the issuer that failed. */
function toReason(error: errors.JOSEError): string | undefined {
  // jose reports an answer of the issuer that is not 200 or not JSON as the bare base class.
  if (error.code === 'ERR_JOSE_GENERIC') return undefined;
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return undefined;
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} does not fit`;
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the algorithm is not allowed';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no such key';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not fit';
  return 'the token is no signed JWT of the issuer';
}

/** A resource identifier may be written with or without the slash that ends it. */
function toAudiences(audience: string): string[] {
  return audience.endsWith('/') ? [audience, audience.slice(0, -1)] : [audience, `${audience}/`];
}

function toHttpUrl(text: string, what: string): URL {
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
