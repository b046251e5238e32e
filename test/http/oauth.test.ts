import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CommandError } from '../../src/error.ts';
import { createOAuth } from '../../src/http/oauth.ts';
import { findPort, post, type Started, start, toCall } from './harness.ts';
import { CLIENT, type Issuer, type SignOptions, startIssuer } from './issuer.ts';

const audience = 'https://skills.example.com/mcp';
const scope = 'skills:read';
const metadataUrl = 'https://skills.example.com/.well-known/oauth-protected-resource/mcp';
let issuer: Issuer;
let server: Started;

beforeAll(async () => {
  issuer = await startIssuer();
  server = await start({
    auth: {
      token: 'static-token-beside',
      oauth: { issuer: issuer.url, audience, scopes: [scope], keyCooldownSeconds: 0 },
    },
  });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

async function ask(token: string, { url } = server): Promise<[number, string | null]> {
  const response = await post(url, toCall('ping'), { authorization: `Bearer ${token}` });
  await response.text();
  return [response.status, response.headers.get('www-authenticate')];
}

/** What is wrong with a token, as the challenge says it. */
async function complain(token: string): Promise<string | undefined> {
  const [status, challenge] = await ask(token);
  expect(status).toBe(401);
  expect(challenge).toContain(`error="invalid_token"`);
  expect(challenge).toContain(`resource_metadata="${metadataUrl}"`);
  return /error_description="([^"]*)"/.exec(challenge ?? '')?.[1];
}

/** A token as the issuer would sign it, with some claims changed. */
function forge(claims: Record<string, unknown>, options?: SignOptions): Promise<string> {
  return issuer.sign({ aud: audience, scope, ...claims }, options);
}

describe('a token of the authorization server', () => {
  test('is accepted, and is not logged', async () => {
    const token = await issuer.issue({ resource: audience, scope });
    expect(await ask(token)).toEqual([200, null]);
    expect(server.entries().at(-1)).toMatchObject({ status: 200, token: `oauth:${CLIENT.id}` });
    expect(server.log()).not.toContain(token.slice(0, 30));
    expect(await ask(await forge({}))).toEqual([200, null]);
    expect(await ask(await forge({ aud: ['https://other.example', audience] }))).toEqual([200, null]);
    expect(await ask(await forge({ aud: `${audience}/` }))).toEqual([200, null]);
    expect(await ask(await forge({ scope: undefined, scp: ['profile', scope] }))).toEqual([200, null]);
  });

  test('expires, give or take half a minute', async () => {
    const token = await issuer.issue({ resource: audience, scope });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_620_000 });
    expect((await ask(token))[0]).toBe(200);
    vi.setSystemTime(Date.now() + 20_000);
    expect(await complain(token)).toBe('the token has expired');
    vi.useRealTimers();
    expect((await ask(await forge({ nbf: Math.floor(Date.now() / 1000) + 20 })))[0]).toBe(200);
    expect(await complain(await forge({ nbf: Math.floor(Date.now() / 1000) + 60 }))).toBe('the claim nbf does not fit');
  });

  test('is for this server alone', async () => {
    const token = await issuer.issue({ resource: 'https://other.example.com/mcp', scope });
    expect(await complain(token)).toBe('the claim aud does not fit');
    expect(await complain(await forge({ aud: 'https://skills.example.com' }))).toBe('the claim aud does not fit');
    expect(await complain(await forge({ aud: undefined }))).toBe('the claim aud does not fit');
  });

  test('comes from its issuer alone', async () => {
    const other = await startIssuer();
    const foreign = await other.issue({ resource: audience, scope });
    expect(await complain(foreign)).toBe('the signature does not fit');
    expect(await complain(await forge({ iss: other.url }))).toBe('the claim iss does not fit');
    expect(await complain(await forge({ iss: `${issuer.url}/` }))).toBe('the claim iss does not fit');
    expect(await complain(await forge({}, { key: other.key() }))).toBe('the signature does not fit');
    await other.close();
  });

  test('is signed with a public key', async () => {
    const claims = { sub: 'someone', scope };
    const none = new UnsecuredJWT(claims).setIssuer(issuer.url).setAudience(audience).setExpirationTime('1h').encode();
    expect(await complain(none)).toBe('the algorithm is not allowed');
    const { d: _, ...publicKey } = issuer.key();
    const confused = await new SignJWT({ iss: issuer.url, aud: audience, ...claims })
      .setProtectedHeader({ alg: 'HS256', kid: String(publicKey.kid) })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(JSON.stringify(publicKey)));
    expect(await complain(confused)).toBe('the algorithm is not allowed');
    const [head, body] = (await forge({})).split('.');
    expect(await complain(`${head}.${body}.`)).toBe('the signature does not fit');
    expect(await complain(await forge({ exp: undefined }))).toBe('the claim exp does not fit');
    expect(await complain('an-opaque-token')).toBe('the token is not a signed JWT of the issuer');
    expect(await complain(`${head}.${body}`)).toBe('the token is not a signed JWT of the issuer');
  });

  test('is an access token, and nothing else that the issuer signs', async () => {
    for (const typ of ['at+jwt', 'application/at+jwt', 'AT+JWT', 'JWT', 'application/jwt', undefined]) {
      expect([typ, ...(await ask(await forge({}, { header: { typ } })))]).toEqual([typ, 200, null]);
    }
    for (const typ of ['id+jwt', 'logout+jwt', 'dpop+jwt', 'at+jwt2', '']) {
      expect([typ, await complain(await forge({}, { header: { typ } }))]).toEqual([
        typ,
        'the token is not an access token',
      ]);
    }
  });

  test('must carry the scope: 403 says which', async () => {
    const refused = `Bearer realm="mcp-server-skills", error="insufficient_scope", error_description="the token lacks a scope", scope="${scope}", resource_metadata="${metadataUrl}"`;
    expect(await ask(await issuer.issue({ resource: audience }))).toEqual([403, refused]);
    expect(await ask(await forge({ scope: 'skills:reads' }))).toEqual([403, refused]);
  });

  test('stands beside static tokens, and its absence is no error', async () => {
    expect(await ask('static-token-beside')).toEqual([200, null]);
    const response = await post(server.url, toCall('ping'));
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="mcp-server-skills", scope="${scope}", resource_metadata="${metadataUrl}"`,
    ]);
  });
});

test('tells clients where to get a token', async () => {
  for (const path of ['/mcp', '/mcp/', '']) {
    const response = await fetch(new URL(`/.well-known/oauth-protected-resource${path}`, server.url));
    expect(await response.json()).toEqual({
      resource: audience,
      authorization_servers: [issuer.url],
      scopes_supported: [scope],
      bearer_methods_supported: ['header'],
      resource_name: 'mcp-server-skills',
    });
  }
  expect((await fetch(new URL('/.well-known/oauth-protected-resource/other', server.url))).status).toBe(404);
});

test('follows the issuer to its next key', async () => {
  const old = await issuer.issue({ resource: audience, scope });
  expect((await ask(old))[0]).toBe(200);
  await issuer.rotate();
  const fresh = await issuer.issue({ resource: audience, scope });
  expect((await ask(fresh))[0]).toBe(200);
  expect(await complain(old)).toBe('the issuer has no such key');
});

test('is another client than a static token of the same name', async () => {
  const auth = { token: 'static-token-beside', oauth: { issuer: issuer.url, audience } };
  const strict = await start({ auth, limits: { burst: 2, requestsPerSecond: 0.001 } });
  const token = await forge({ sub: 'env' });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await ask(token, strict))[0]);
  expect([...statuses, (await ask('static-token-beside', strict))[0]]).toEqual([200, 200, 429, 200]);
  await strict.close();
  expect(strict.entries().map((entry) => entry['token'])).toEqual(['oauth:env', 'oauth:env', 'oauth:env', 'env']);
});

test.each([
  { issuer: 'accounts.example.com' },
  { issuer: 'http://accounts.example.com' },
  { audience: 'api://skills' },
  { audience: 'http://skills.example.com/mcp' },
  { audience: 'https://skills.example.com/mcp#x' },
  { scopes: ['a b'] },
  { scopes: ['"'] },
])('cannot be set up with %o', (wrong) => {
  const options = { issuer: 'https://accounts.example.com', audience, ...wrong };
  expect(() => createOAuth(options)).toThrow(CommandError);
});

test('lets the official client in, which finds its own way to a token', async () => {
  const port = await findPort();
  const resource = `http://127.0.0.1:${port}/mcp`;
  const guarded = await start({ port, auth: { oauth: { issuer: issuer.url, audience: resource, scopes: [scope] } } });
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const authProvider = new ClientCredentialsProvider({
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      expectedIssuer: issuer.url,
    });
    const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(guarded.url), { authProvider }));
    expect((await client.listResources()).resources).toHaveLength(3);
    await client.close();
  }
  await guarded.close();
});
