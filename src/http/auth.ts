import type { AuthInfo } from '@modelcontextprotocol/server';
import { createOAuth, type OAuth, type OAuthOptions } from './oauth.ts';
import { type Entry, loadTokens } from './tokens.ts';

/** Who may ask. Tokens and OAuth can stand beside each other: a bearer that is no known token is taken for a JWT. */
export interface AuthOptions {
  /** A file of tokens; see loadTokens. */
  tokenFile?: string;
  /** One more token, from the environment. */
  token?: string;
  oauth?: OAuthOptions;
}

/** Who asks (`name` is what logs may show, `claims` those of an access token), or the response that refuses. */
export type Admission =
  | { kind: 'admitted'; name: string; info: AuthInfo; claims?: Readonly<Record<string, unknown>> }
  | { kind: 'refused'; status: 401 | 403 | 503; headers: Record<string, string>; message: string };

export interface Auth {
  /** Judges the value of an `Authorization` header. */
  admit(header: string | undefined): Promise<Admission>;
  /** The accepted tokens, without those of an issuer. */
  holders(): readonly Entry[];
  /** Reads the token file again; throws a CommandError and changes nothing when that fails. */
  reload(): Promise<void>;
  readonly oauth: OAuth | undefined;
}

/** Prepares the checks; `stop` ends those that wait for an issuer. Throws a CommandError for what cannot be meant or read. */
export async function createAuth(options: AuthOptions, stop: AbortSignal): Promise<Auth> {
  const { tokenFile, token, oauth: oauthOptions } = options;
  const oauth = oauthOptions && createOAuth(oauthOptions, stop);
  const tokens = await loadTokens({
    ...(tokenFile !== undefined && { file: tokenFile }),
    ...(token !== undefined && { token }),
  });

  function refuse(status: 401 | 403, error?: string, message = 'a bearer token is needed'): Admission {
    // RFC 6750 section 3.1: a request without any credentials is told no error code.
    const parts = error === undefined ? [] : [`error="${error}"`, `error_description="${message}"`];
    if (oauth !== undefined && oauth.scopes.length > 0) parts.push(`scope="${oauth.scopes.join(' ')}"`);
    if (oauth !== undefined) parts.push(`resource_metadata="${oauth.metadataUrl}"`);
    const challenge = ['Bearer realm="mcp-server-skills"', ...parts].join(', ');
    return { kind: 'refused', status, headers: { 'WWW-Authenticate': challenge }, message };
  }

  return {
    oauth,
    holders: () => tokens.list(),
    reload: () => tokens.reload(),
    async admit(header) {
      if (header === undefined) return refuse(401);
      const bearer = /^bearer +([^\s,]+) *$/i.exec(header)?.[1];
      if (bearer === undefined) return refuse(401);
      const name = tokens.find(bearer);
      if (name !== undefined) return { kind: 'admitted', name, info: { token: '', clientId: name, scopes: [] } };
      if (oauth === undefined) return refuse(401, 'invalid_token', 'the token is not known');
      const grant = await oauth.verify(bearer);
      switch (grant.kind) {
        case 'granted':
          return { kind: 'admitted', name: grant.name, info: grant.auth, claims: grant.claims };
        case 'scope':
          return refuse(403, 'insufficient_scope', 'the token lacks a scope');
        case 'invalid':
          return refuse(401, 'invalid_token', grant.reason);
        case 'unavailable':
          return { kind: 'refused', status: 503, headers: { 'Retry-After': '5' }, message: grant.reason };
      }
    },
  };
}
