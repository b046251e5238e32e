import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOAuth } from '../../src/http/oauth.ts';
import { close, listen, post, type Started, start, toCall } from './harness.ts';
import { type Issuer, startIssuer } from './issuer.ts';

const audience = 'https://skills.example.com/mcp';
let issuer: Issuer;

beforeAll(async () => {
  issuer = await startIssuer();
});
afterAll(() => issuer.close());

afterEach(() => {
  vi.useRealTimers();
});

/** Lets that many milliseconds pass on the clock alone. */
function pass(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

async function ask(token: string, { url }: Started): Promise<number> {
  const response = await post(url, toCall('ping'), { authorization: `Bearer ${token}` });
  await response.text();
  return response.status;
}

test('keeps the keys, and asks for unknown ones only now and then', async () => {
  const calm = await start({ auth: { oauth: { issuer: issuer.url, audience } } });
  const token = await issuer.issue({ resource: audience });
  const before = issuer.fetches();
  for (let i = 0; i < 5; i += 1) expect(await ask(token, calm)).toBe(200);
  const unknown = await Promise.all(
    Array.from({ length: 5 }, (_, i) => issuer.sign({ aud: audience }, { header: { kid: `made-up-${i}` } })),
  );
  for (const forged of unknown) expect(await ask(forged, calm)).toBe(401);
  expect(issuer.fetches()).toBe(before + 1);
  await calm.close();
});

test('says 503, not 401, when the issuer cannot be asked', async () => {
  const down = await startIssuer();
  const token = await down.issue({ resource: audience });
  const waiting = await start({ auth: { oauth: { issuer: down.url, audience } } });
  await down.close();
  const response = await post(waiting.url, toCall('ping'), { authorization: `Bearer ${token}` });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  await waiting.close();
});

test('does not pass a flood on to an issuer that is down', async () => {
  const down = await startIssuer();
  const token = await down.issue({ resource: audience });
  const waiting = await start({ auth: { oauth: { issuer: down.url, audience } } });
  down.fail(true);
  for (let i = 0; i < 10; i += 1) expect(await ask(token, waiting)).toBe(503);
  expect(down.fetches()).toBe(1);
  down.fail(false);
  pass(6_000);
  expect(await ask(token, waiting)).toBe(200);
  await waiting.close();
  await down.close();
});

test('asks again for a new key a moment after a blip of the issuer', async () => {
  const shaky = await startIssuer();
  const server = await start({ auth: { oauth: { issuer: shaky.url, audience } } });
  expect(await ask(await shaky.sign({ aud: audience }), server)).toBe(200);
  await shaky.rotate();
  const token = await shaky.sign({ aud: audience });
  shaky.fail(true);
  pass(31_000);
  expect([await ask(token, server), await ask(token, server), shaky.fetches()]).toEqual([503, 503, 2]);
  shaky.fail(false);
  pass(6_000);
  expect(await ask(token, server)).toBe(200);
  await server.close();
  await shaky.close();
});

test('outlasts an outage of the issuer, and then learns its new key', async () => {
  const shaky = await startIssuer();
  const hour = 3_600_000;
  const patient = await start({ auth: { oauth: { issuer: shaky.url, audience } } });
  const sign = () => shaky.sign({ aud: audience, exp: 4e9 });
  const token = await sign();
  const status = async (sent: string) => await ask(sent, patient);
  expect(await status(token)).toBe(200);
  shaky.fail(true);
  for (const hours of [1, 1, 21]) {
    pass(hours * hour);
    const before = shaky.fetches();
    expect([hours, await status(token), await status(token)]).toEqual([hours, 200, 200]);
    // tried once, behind the request
    await expect.poll(() => shaky.fetches()).toBe(before + 1);
  }
  await shaky.rotate();
  expect(await status(await sign())).toBe(503);
  expect(await status(token)).toBe(200);
  shaky.fail(false);
  pass(31_000);
  expect(await status(await sign())).toBe(200);
  expect(await status(token)).toBe(401);
  // What a day has not confirmed is no longer known.
  shaky.fail(true);
  pass(25 * hour);
  expect(await status(await sign())).toBe(503);
  await patient.close();
  await shaky.close();
});

describe("the issuer's metadata", () => {
  /** An issuer with a path, whose documents stand where `documents` says. */
  async function verifyWith(documents: (origin: string) => Record<string, unknown>) {
    let found: Record<string, unknown> = {};
    const asked: string[] = [];
    const host = createServer((request, response) => {
      asked.push(request.url ?? '');
      const document = found[request.url ?? ''];
      response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document ?? {}));
    });
    const origin = await listen(host);
    const { d: _, ...publicKey } = issuer.key();
    found = { '/keys': { keys: [publicKey] }, ...documents(origin) };
    const oauth = createOAuth({ issuer: `${origin}/tenant`, audience });
    const { kind } = await oauth.verify(await issuer.sign({ aud: audience, iss: `${origin}/tenant` }));
    await close(host);
    return [kind, asked];
  }
  const document = (origin: string, iss = `${origin}/tenant`) => ({ issuer: iss, jwks_uri: `${origin}/keys` });
  const rfc8414 = '/.well-known/oauth-authorization-server/tenant';
  const inserted = '/.well-known/openid-configuration/tenant';
  const appended = '/tenant/.well-known/openid-configuration';

  test('is looked for in the three places, in order', async () => {
    expect(await verifyWith((o) => ({ [rfc8414]: document(o) }))).toEqual(['granted', [rfc8414, '/keys']]);
    expect(await verifyWith((o) => ({ [inserted]: document(o) }))).toEqual(['granted', [rfc8414, inserted, '/keys']]);
    expect(await verifyWith((o) => ({ [appended]: document(o) }))).toEqual([
      'granted',
      [rfc8414, inserted, appended, '/keys'],
    ]);
    expect(await verifyWith(() => ({}))).toEqual(['unavailable', [rfc8414, inserted, appended]]);
  });

  test('must be its own', async () => {
    expect(await verifyWith((o) => ({ [rfc8414]: document(o, o) }))).toEqual([
      'unavailable',
      [rfc8414, inserted, appended],
    ]);
    const plain = { jwks_uri: 'http://keys.example.com/' };
    expect((await verifyWith((o) => ({ [rfc8414]: { ...document(o), ...plain } })))[0]).toBe('unavailable');
  });
});
