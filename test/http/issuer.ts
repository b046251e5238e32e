import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { close, listen } from './harness.ts';

export interface Issuer {
  url: string;
  /** The private key it signs with now. */
  key(): JWK;
  /** How often its keys were fetched. */
  fetches(): number;
  /** Whether it fails to show its keys from now on. */
  fail(isFailing: boolean): void;
  /** Starts anew with another key under another id. */
  rotate(): Promise<void>;
  /** Gets an access token by the client credentials grant. */
  issue(options: { resource: string; scope?: string }): Promise<string>;
  /** Signs a token as it would, with these claims. */
  sign(claims: Record<string, unknown>, options?: SignOptions): Promise<string>;
  close(): Promise<void>;
}

export interface SignOptions {
  /** Another key than its own. */
  key?: JWK;
  header?: Record<string, string | undefined>;
}

export const CLIENT = { id: 'test-client', secret: 'a-secret-of-the-test-client' };

/** Runs a real authorization server on loopback; its access tokens are JWTs (RFC 9068) that live for an hour. */
export async function startIssuer(): Promise<Issuer> {
  let handler: RequestListener = () => {};
  let key: JWK = {};
  let keys = 0;
  let fetches = 0;
  let isFailing = false;
  const server = createServer((request, response) => {
    if (request.url === '/jwks') fetches += 1;
    if (request.url === '/jwks' && isFailing) response.writeHead(500).end();
    else handler(request, response);
  });
  const url = await listen(server);

  async function rotate(): Promise<void> {
    keys += 1;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    key = { ...(await exportJWK(privateKey)), kid: `key-${keys}`, alg: 'ES256', use: 'sig' };
    const provider = new Provider(url, {
      jwks: { keys: [key] } as never,
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
          id_token_signed_response_alg: 'ES256',
        },
      ],
      scopes: ['skills:read'],
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_context, resource) => ({
            scope: 'skills:read',
            audience: resource,
            accessTokenTTL: 3600,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
    });
    handler = provider.callback();
  }
  await rotate();

  return {
    url,
    key: () => key,
    fetches: () => fetches,
    fail(failing) {
      isFailing = failing;
    },
    rotate,
    async issue({ resource, scope }) {
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource,
          ...(scope !== undefined && { scope }),
        }),
      });
      const { access_token: token } = (await response.json()) as { access_token?: string };
      if (token === undefined) throw new Error(`no token: ${response.status}`);
      return token;
    },
    async sign(claims, options = {}) {
      const now = Math.floor(Date.now() / 1000);
      return new SignJWT({ iss: url, exp: now + 600, iat: now, sub: 'someone', ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: String(key.kid), ...options.header })
        .sign(await importJWK(options.key ?? key, 'ES256'));
    },
    close: () => close(server),
  };
}
