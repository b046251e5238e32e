import { createHash, timingSafeEqual } from 'node:crypto';
import { createSession, type Holder, readSession, SESSION_MS } from './cookieseal.ts';
import { SESSION_PATH, writeSignIn } from './signin.ts';
import type { Site, SiteFile } from './site.ts';
import { toPolicy } from './skeleton.ts';

/** What a server knows when it is asked for a page. */
export interface PageContext {
  readonly title: string;
  /** Who may sign in; undefined where everybody may read. */
  readonly holders: readonly Holder[] | undefined;
  /** The name of a caller who shows a token in `Authorization`, once it was judged. */
  readonly caller?: string | undefined;
  /** The pages that a caller may see; without a name, those for everybody. */
  readonly toSite: (caller: string | undefined) => Site;
  /** The bytes of a file: made, or kept from the last time. */
  readonly toBytes: (file: SiteFile) => Uint8Array;
  /** The path as it was asked for, without a query; begins with a slash. */
  readonly path: string;
  /** The host that the browser asks, with its port, as it was judged. */
  readonly host: string;
  /** Wall-clock milliseconds. */
  readonly now: number;
}

/** A browser answers with the first of them behind TLS: no other host of its domain can set that. */
const COOKIES = ['__Host-mcp-skills', 'mcp-skills'] as const;

/** The longest body of a form, in characters. */
const LONGEST = 8 * 1024;

const SAFE = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'Cookie',
};

/**
 * Answers for the pages: whoever has a session or shows a token gets them, and everybody else the form of signing in, whatever they ask for. The
 * request was judged by its host before; its body is read here, and only that of the form.
 */
export async function handlePage(request: Request, context: PageContext): Promise<Response> {
  const { path } = context;
  if (path === `/${SESSION_PATH}`) return request.method === 'POST' ? changeSession(request, context) : refuse(405);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const caller = context.caller ?? findCaller(request, context);
  if (context.holders !== undefined && caller === undefined) return showSignIn(context, path, false);
  const site = context.toSite(caller);
  const name = path.slice(1);
  const file = site.get(name.endsWith('/') || name === '' ? `${name}index.html` : name);
  if (file !== undefined) return showFile(file, context);
  if (site.has(`${name}/index.html`)) return redirect(308, `/${name}/`);
  return new Response('no such page\n', {
    status: 404,
    headers: { ...SAFE, 'content-type': 'text/plain; charset=utf-8' },
  });
}

/** Who a browser is by its cookie. */
function findCaller(request: Request, { holders = [], now }: PageContext): string | undefined {
  const cookies = new Map(
    (request.headers.get('cookie') ?? '').split(';').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
    }),
  );
  const value = COOKIES.map((name) => cookies.get(name)).find((each) => each !== undefined);
  return value === undefined ? undefined : readSession(value, holders, now);
}

/** Signs in or out. A page of another site can send this form, too, but not with this origin. */
async function changeSession(request: Request, context: PageContext): Promise<Response> {
  const { host, holders, now } = context;
  const origin = request.headers.get('origin');
  if (origin === null || !isOwn(origin, host)) return refuse(403);
  const isSecure = origin.startsWith('https:');
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) return refuse(415);
  const form = await readForm(request);
  if (form === undefined) return refuse(413);
  if (form.has('end')) return redirect(303, '/', toCookie(isSecure, '', 0));
  const to = toPath(form.get('to') ?? '/');
  const holder = findHolder(form.get('token') ?? '', holders ?? []);
  if (holder === undefined) return showSignIn(context, to, true);
  return redirect(303, to, toCookie(isSecure, createSession(holder, now), SESSION_MS / 1000));
}

/** Whether an origin is that of this server. Ports are not compared: proxies leave them out of the host. */
function isOwn(origin: string, host: string): boolean {
  return (
    URL.canParse(origin) &&
    URL.canParse(`http://${host}`) &&
    new URL(origin).hostname === new URL(`http://${host}`).hostname
  );
}

async function readForm(request: Request): Promise<URLSearchParams | undefined> {
  const reader = request.body?.getReader();
  const pieces: Uint8Array[] = [];
  for (let length = 0; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
  return new URLSearchParams(Buffer.concat(pieces).toString());
}

function findHolder(token: string, holders: readonly Holder[]): Holder | undefined {
  const digest = createHash('sha256').update(token).digest();
  let found: Holder | undefined;
  for (const holder of holders) if (timingSafeEqual(digest, holder.digest)) found ??= holder;
  return found;
}

/** A path of this site: what begins with two slashes is another host, and so is a backslash in the eyes of browsers. */
function toPath(text: string): string {
  return /^\/(?![/\\])[\w./~-]*$/.test(text) && text !== `/${SESSION_PATH}` ? text : '/';
}

function toCookie(isSecure: boolean, value: string, seconds: number): string {
  const [secure, plain] = COOKIES;
  const name = isSecure ? secure : plain;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`;
}

function showSignIn({ title }: PageContext, to: string, isRefused: boolean): Response {
  const text = writeSignIn(title, toPath(to), isRefused);
  const headers = {
    ...toPageHeaders(),
    // a browser asks nobody for such a token; programs read it
    'www-authenticate': 'Bearer realm="mcp-server-skills"',
  };
  return new Response(text, { status: 401, headers });
}

function showFile(file: SiteFile, { toBytes }: PageContext): Response {
  const { kind, type } = file;
  const headers = kind === 'page' ? toPageHeaders() : toFileHeaders(file);
  return new Response(toBytes(file) as Uint8Array<ArrayBuffer>, { headers: { ...headers, 'content-type': type } });
}

function toPageHeaders(): Record<string, string> {
  return {
    ...SAFE,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${toPolicy("'self'")}; frame-ancestors 'none'`,
    'referrer-policy': 'same-origin',
  };
}

/** What is neither text nor an image is saved: some browsers have viewers that act on what they show. */
function toFileHeaders({ type }: SiteFile): Record<string, string> {
  const isShown = /^(?:text\/plain|application\/json|image\/(?!svg))/.test(type);
  return {
    ...SAFE,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    ...(isShown ? {} : { 'content-disposition': 'attachment' }),
  };
}

function redirect(status: 303 | 308, location: string, cookie?: string): Response {
  return new Response(null, {
    status,
    headers: { ...SAFE, location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  });
}

const REFUSALS = {
  403: 'this form is sent by its own page alone',
  405: 'this path is only read',
  413: 'the form is too long',
  415: 'this is not the form of the page',
} as const;

function refuse(status: keyof typeof REFUSALS): Response {
  const headers = {
    ...SAFE,
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  };
  return new Response(`${REFUSALS[status]}\n`, { status, headers });
}
