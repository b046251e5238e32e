import { type AuthInfo, getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { CommandError, EXIT } from '../error.ts';
import { createKeyFinder, toHttpUrl } from './keys.ts';

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
  | { kind: 'granted'; auth: AuthInfo; name: string; claims: JWTPayload }
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
/**
 * RFC 9068 section 4; many issuers say `JWT` or nothing, which ID tokens have as well: `aud` keeps those out. What says
 * that it is something else (a logout) must not pass for an access token (RFC 8725 section 3.11).
 */
const ACCESS_TOKEN = /^(?:application\/)?(?:at\+jwt|jwt)$/i;
/** RFC 6749 section 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * Makes the resource server's half of OAuth 2.1 as the MCP authorization pages ask for it. Nothing is fetched before the
 * first token arrives, so an issuer that is down does not keep the server from starting. `stop` ends what is being fetched. Throws a CommandError (`usage`) for URLs that cannot be meant.
 */
export function createOAuth(options: OAuthOptions, stop?: AbortSignal): OAuth {
  const issuer = toHttpUrl(options.issuer, '--oauth-issuer');
  const audience = toHttpUrl(options.audience, '--oauth-audience');
  const scopes = options.scopes ?? [];
  const badScope = scopes.find((scope) => !SCOPE.test(scope));
  if (badScope !== undefined) throw new CommandError(EXIT.usage, `"${badScope}" is not an OAuth scope`);
  const findKey = createKeyFinder({
    issuer: options.issuer,
    url: issuer,
    cooldownSeconds: options.keyCooldownSeconds ?? 30,
    stop,
  });
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(audience);

  return {
    scopes,
    metadataUrl,
    metadataPaths: toMetadataPaths(new URL(metadataUrl).pathname),
    metadata: {
      resource: options.audience,
      authorization_servers: [options.issuer],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
      bearer_methods_supported: ['header'],
      resource_name: 'mcp-server-skills',
    },
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findKey, {
          algorithms: ALGORITHMS,
          issuer: options.issuer,
          audience: toAudiences(options.audience),
          requiredClaims: ['exp'],
          clockTolerance: options.clockSkewSeconds ?? 30,
        });
        if (!ACCESS_TOKEN.test(protectedHeader.typ ?? 'JWT')) {
          return { kind: 'invalid', reason: 'the token is not an access token' };
        }
        return toGrant(payload, scopes, audience);
      } catch (error) {
        const reason = error instanceof errors.JOSEError ? toReason(error) : undefined;
        if (reason !== undefined) return { kind: 'invalid', reason };
        return { kind: 'unavailable', reason: 'the keys of the issuer cannot be read' };
      }
    },
  };
}

/** A client that was given the endpoint with a slash at its end looks for the document with one. */
function toMetadataPaths(path: string): string[] {
  const bare = path.replace(/\/$/, '');
  return [...new Set([bare, `${bare}/`, '/.well-known/oauth-protected-resource'])];
}

function toGrant(payload: JWTPayload, required: readonly string[], audience: URL): Grant {
  const claims = [payload['scope'], payload['scp']].flat();
  const scopes = claims.flatMap((claim) => (typeof claim === 'string' ? claim.split(' ') : []));
  const client = payload['client_id'] ?? payload['azp'];
  // a signed claim may still be of any type
  const subject: unknown = payload.sub;
  const clientId = typeof client === 'string' ? client : typeof subject === 'string' ? subject : 'unknown';
  // With a colon, which the name of a static token never has: the two are different clients.
  const name = `oauth:${typeof subject === 'string' ? subject : clientId}`;
  if (!required.every((scope) => scopes.includes(scope))) return { kind: 'scope', name };
  // The token stays here: nothing that answers requests has a use for it.
  const auth = { token: '', clientId, scopes, resource: audience, ...(payload.exp && { expiresAt: payload.exp }) };
  return { kind: 'granted', auth, name, claims: payload };
}

/** What is wrong with a token, in words that fit a quoted header value; undefined when it is the issuer that failed. */
function toReason(error: errors.JOSEError): string | undefined {
  if (error instanceof errors.JWKSInvalid) return undefined;
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return `the claim ${error.claim} does not fit`;
  if (error instanceof errors.JOSEAlgNotAllowed) return 'the algorithm is not allowed';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the issuer has no such key';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature does not fit';
  return 'the token is not a signed JWT of the issuer';
}

/** A resource identifier may be written with or without the slash that ends it. */
function toAudiences(audience: string): string[] {
  return audience.endsWith('/') ? [audience, audience.slice(0, -1)] : [audience, `${audience}/`];
}
