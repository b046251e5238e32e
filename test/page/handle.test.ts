import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createSession, type Holder, readSession, SESSION_MS } from '../../src/page/cookieseal.ts';
import { handlePage, type PageContext } from '../../src/page/handle.ts';
import { createRecent } from '../../src/page/recent.ts';
import { createSite } from '../../src/page/site.ts';
import { makeCatalog } from '../mcp/catalog.ts';

const NOW = 1_800_000_000_000;
const HOST = 'skills.example.com';
const ORIGIN = `https://${HOST}`;

const catalog = makeCatalog([
  {
    path: 'billing/refunds',
    files: {
      'assets/page.html': '<script>1</script>',
      'assets/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]),
      'assets/form.pdf': new Uint8Array([0x25, 0x50, 0x44, 0x46, 0xff]),
    },
  },
]);
const site = createSite(catalog, { title: 'Team skills', install: { hosts: [] }, problems: [], signOut: '.session' });

const ALICE = toHolder('alice', 'a-token');
const BOB = toHolder('bob@example.com', 'b-token');

function toHolder(name: string, token: string): Holder {
  return { name, digest: createHash('sha256').update(token).digest() };
}

function ask(path: string, init: RequestInit = {}, context: Partial<PageContext> = {}): Promise<Response> {
  return handlePage(new Request(`http://localhost${path}`, init), {
    title: 'Team skills',
    holders: [ALICE, BOB],
    toSite: () => site,
    toBytes: createRecent(),
    path: path.replace(/\?.*$/, ''),
    host: HOST,
    now: NOW,
    ...context,
  });
}

function send(form: Record<string, string>, headers: Record<string, string> = {}, context: Partial<PageContext> = {}) {
  const body = new URLSearchParams(form);
  return ask('/.session', { method: 'POST', body, headers: { origin: ORIGIN, ...headers } }, context);
}

/** The cookie of a signed-in browser, as it sends it back. */
async function signIn(token: string, origin = ORIGIN): Promise<string> {
  const response = await send({ token }, { origin });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

describe('without a session', () => {
  test.each([
    '/',
    '/index.html',
    '/billing/',
    '/billing/refunds/files/SKILL.md',
    '/gone',
    '/catalog.json',
    '/.well-known/agent-skills/index.json',
  ])('%s is the form of signing in, and shows nothing of what is there', async (path) => {
    const response = await ask(path);
    const text = await response.text();
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="mcp-server-skills"',
    ]);
    expect(text).toContain(`<input name="to" type="hidden" value="${path}">`);
    expect(text).not.toMatch(/refunds(?!\/files\/SKILL\.md">)/);
  });

  test('where nobody needs a token, everybody gets the pages', async () => {
    expect((await ask('/', {}, { holders: undefined })).status).toBe(200);
  });

  test('whoever shows a token needs none', async () => {
    expect((await ask('/catalog.json', {}, { caller: 'ci' })).status).toBe(200);
  });
});

describe('signing in', () => {
  test('a known token gives a cookie that holds a seal, and leads on', async () => {
    const response = await send({ token: 'a-token', to: '/billing/refunds/index.html' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/billing/refunds/index.html']);
    const cookie = response.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-mcp-skills=1800043200000\.[\w-]{43}\.alice; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
    expect(cookie).not.toContain('a-token');
    expect(cookie).not.toContain(Buffer.from(ALICE.digest).toString('base64url'));
  });

  test('without TLS, the cookie is one that the browser takes', async () => {
    expect((await send({ token: 'a-token' }, { origin: `http://${HOST}` })).headers.get('set-cookie')).toMatch(
      /^mcp-skills=\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
  });

  test('an unknown token gives the form again', async () => {
    const response = await send({ token: 'c-token', to: '/billing/' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([401, null]);
    const text = await response.text();
    expect(text).toContain('This token is not known here.');
    expect(text).toContain('value="/billing/"');
    expect(text).not.toContain('c-token');
  });

  test.each([
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/a\r\nset-cookie: x=1',
    'javascript:1',
    '/.session',
    '/a?b"c',
  ])('leads to no other place: %s', async (to) => {
    expect((await send({ token: 'a-token', to })).headers.get('location')).toBe('/');
  });

  test.each([
    ['from another site', { origin: 'https://evil.example' }, 403],
    ['from a page without an origin', { origin: 'null' }, 403],
    ['as JSON', { 'content-type': 'application/json' }, 415],
  ])('%s is refused', async (_, headers, status) => {
    const response = await send({ token: 'a-token' }, headers);
    expect([response.status, response.headers.get('set-cookie')]).toEqual([status, null]);
  });

  test('a long form is refused', async () => {
    expect((await send({ token: 'a'.repeat(9000) })).status).toBe(413);
  });
});

describe('a session', () => {
  test.each([ORIGIN, `http://${HOST}`])('gives the pages to a browser that signed in at %s', async (origin) => {
    const cookie = await signIn('b-token', origin);
    const seen: (string | undefined)[] = [];
    const response = await ask(
      '/',
      { headers: { cookie: `other=1; ${cookie}` } },
      {
        toSite: (caller) => {
          seen.push(caller);
          return site;
        },
      },
    );
    expect([response.status, seen]).toEqual([200, ['bob@example.com']]);
  });

  test('ends with its token', async () => {
    const cookie = await signIn('a-token');
    expect((await ask('/', { headers: { cookie } }, { holders: [BOB] })).status).toBe(401);
    expect((await ask('/', { headers: { cookie } }, { holders: [toHolder('alice', 'another'), BOB] })).status).toBe(
      401,
    );
    expect((await ask('/', { headers: { cookie } }, { holders: [toHolder('alice', 'another'), ALICE] })).status).toBe(
      200,
    );
  });

  test('ends after twelve hours', async () => {
    const cookie = await signIn('a-token');
    expect((await ask('/', { headers: { cookie } }, { now: NOW + SESSION_MS - 1 })).status).toBe(200);
    expect((await ask('/', { headers: { cookie } }, { now: NOW + SESSION_MS })).status).toBe(401);
  });

  test('ends when it is signed out of', async () => {
    const response = await send({ end: 'session' });
    expect([response.status, response.headers.get('set-cookie')]).toEqual([
      303,
      '__Host-mcp-skills=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    ]);
  });

  test('is sealed for its name and its end', () => {
    const value = createSession(ALICE, NOW);
    const [expires = '', sealed = ''] = value.split('.');
    const forged = [
      value.replace(/alice$/, 'bob@example.com'),
      value.replace(/alice$/, 'alicf'),
      `${Number(expires) + 1}.${sealed}.alice`,
      `${expires}.${sealed.slice(0, -1)}.alice`,
      `${expires}.${sealed.replace(/^./, (char) => (char === 'A' ? 'B' : 'A'))}.alice`,
      `${expires}..alice`,
      'a-token',
      '',
    ];
    expect(forged.map((each) => readSession(each, [ALICE, BOB], NOW))).toEqual(forged.map(() => undefined));
    expect(readSession(value, [BOB, ALICE], NOW)).toBe('alice');
  });

  test('is known to a replica that has the digest of the token alone', () => {
    const digest = Buffer.from(createHash('sha256').update('a-token').digest('hex'), 'hex');
    expect(readSession(createSession(ALICE, NOW), [{ name: 'alice', digest }], NOW)).toBe('alice');
  });
});

describe('what is sent', () => {
  const get = (path: string, init: RequestInit = {}) => ask(path, init, { holders: undefined });

  test.each([
    ['/', 'text/html; charset=utf-8', null],
    ['/billing/', 'text/html; charset=utf-8', null],
    ['/billing/refunds/index.html', 'text/html; charset=utf-8', null],
    ['/billing/refunds/files/SKILL.md', 'text/plain; charset=utf-8', null],
    ['/billing/refunds/files/assets/page.html.txt', 'text/plain; charset=utf-8', null],
    ['/billing/refunds/files/assets/logo.png', 'image/png', null],
    ['/billing/refunds/files/assets/form.pdf', 'application/pdf', 'attachment'],
    ['/.well-known/agent-skills/billing/refunds.zip', 'application/zip', 'attachment'],
    ['/catalog.json', 'application/json', null],
  ])('%s', async (path, type, disposition) => {
    const { status, headers } = await get(path);
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([200, type, disposition]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(
      type.startsWith('text/html')
        ? /^default-src 'none'; style-src 'sha256-\S+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/
        : /^default-src 'none'; sandbox; frame-ancestors 'none'$/,
    );
  });

  test('a folder without its slash leads to its page', async () => {
    const { status, headers } = await get('/billing/refunds');
    expect([status, headers.get('location')]).toEqual([308, '/billing/refunds/']);
  });

  test.each([
    '/gone',
    '/billing/refunds/files',
    '/../index.html',
    '/%69ndex.html',
    '/billing//refunds/',
    '//evil.example',
  ])('%s is not there', async (path) => {
    expect((await ask('/x', {}, { holders: undefined, path })).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s is not a way to ask for a page', async (method) => {
    const { status, headers } = await get('/', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
