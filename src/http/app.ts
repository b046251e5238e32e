import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { limitBody } from './body.ts';
import { identify } from './caller.ts';
import { ENDPOINT, type HttpContext, type HttpEnv, type Services } from './context.ts';
import { checkHeaders, respondToMessage } from './endpoint.ts';
import { METRICS_TYPE } from './metrics.ts';
import { CORS } from './origin.ts';
import { createFloodRefusal, refuse, respond } from './response.ts';

const GREETING = `This is mcp-server-skills, an MCP server for Agent Skills. Connect an MCP client to ${ENDPOINT} on this host.\n`;

/** Paths at which whoever knows the address may ask, and need not know the name: probes and collectors do. */
const BY_ADDRESS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

type Handler = MiddlewareHandler<HttpEnv>;

/** What a route begins with; each takes the request from somebody's allowance, and refuses where that is used up. */
interface Admission {
  /** For callers who show a token where tokens are asked for; their names are in `c.env.state.caller` then. */
  readonly byToken: Handler;
  /** For anyone. */
  readonly byAddress: Handler;
  /** For anyone and always; what is too much is only not logged. A refused probe would have the server restarted. */
  readonly asProbe: Handler;
}

/** Adds routes; they respond with {@link respond}, and begin with one of `admission`. */
export type AddRoutes = (app: Hono<HttpEnv>, admission: Admission, services: Services) => void;

/** Makes the application: the one place where routes are registered. */
export function createApp(services: Services, addRoutes?: AddRoutes): Hono<HttpEnv> {
  // The path is looked up as it was written: nothing is decoded, and no dot segment is resolved.
  const app = new Hono<HttpEnv>({
    getPath: (_, options) => options?.env?.state.path.replace(/^(?!\/)/, '/') ?? '/',
  });
  const admission = createAdmission(services);
  const { byToken, byAddress, asProbe } = admission;
  const crossOrigin = cors(CORS);

  app.use(async (c, next) => {
    const refused = services.origin.explainRefusal(c.env.incoming, c.env.state.host, BY_ADDRESS.has(c.env.state.path));
    if (c.req.header('origin') === undefined || refused !== undefined) c.header('Vary', 'Origin');
    if (refused === undefined) return next();
    return byAddress(c, () => Promise.resolve()).then((flood) => flood ?? refuse(c, 403, refused, services));
  });
  app.options('*', byAddress);
  // Its headers cost a request more than half of its speed (28,000 requests per second, 12,000 with them), so only pages get them.
  app.use((c, next) => (c.req.header('origin') === undefined ? next() : crossOrigin(c, next)));
  app.options('*', (c) => c.body(null, 204, { Allow: 'POST, OPTIONS' }));

  for (const path of [ENDPOINT, `${ENDPOINT}/`]) {
    app.post(path, byToken, checkHeaders(services), limitBody(services), (c) => respondToMessage(c, services));
    app.all(path, byToken, (c) => refuse(c, 405, 'only POST is served here', services, { Allow: 'POST, OPTIONS' }));
  }
  const show = (c: HttpContext, status: number, type: string, text: string, caching = 'no-store') =>
    respond(
      c,
      { status, headers: { 'content-type': type, 'cache-control': caching }, body: Buffer.from(text) },
      services,
    );
  const showJson = (c: HttpContext, status: number, value: unknown, caching?: string) =>
    show(c, status, 'application/json', JSON.stringify(value), caching);

  app.get('/healthz', asProbe, (c) => showJson(c, 200, { status: 'ok', ...services.publication.describe() }));
  app.get('/readyz', asProbe, (c) =>
    services.isDraining()
      ? showJson(c, 503, { status: 'draining' })
      : showJson(c, 200, { status: 'ok', ...services.publication.describeReadiness?.() }),
  );
  const { auth, metrics } = services;
  if (metrics !== undefined) {
    app.get('/metrics', byToken, (c) =>
      show(c, 200, METRICS_TYPE, metrics.render(services.publication.choose(c.env.state.caller))),
    );
  }
  for (const path of auth?.oauth?.metadataPaths ?? []) {
    app.get(path, byAddress, (c) => showJson(c, 200, auth?.oauth?.metadata, 'max-age=3600'));
  }
  addRoutes?.(app, admission, services);

  const isRead = new Set(app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  app.all('*', byAddress, (c) => {
    const { path } = c.env.state;
    if (isRead.has(path)) return refuse(c, 405, 'this path is only read', services, { Allow: 'GET, HEAD, OPTIONS' });
    if (path === '/') return show(c, 404, 'text/plain; charset=utf-8', GREETING);
    return refuse(c, 404, `nothing is here: the endpoint is ${ENDPOINT}`, services);
  });
  app.onError((error, c) => {
    const { entry, abort } = c.env.state;
    if (abort.signal.aborted) return c.body(null, 500);
    services.log.failure(error);
    entry.error = -32603;
    return c.json({ jsonrpc: '2.0', error: { code: -32603, message: 'internal error' }, id: null }, 500);
  });
  return app;
}

function createAdmission(services: Services): Admission {
  const { limiter } = services;
  const refuseFlood = (c: HttpContext, wait: number) => respond(c, createFloodRefusal(c, wait), services);
  return {
    async byToken(c, next) {
      const { state, incoming } = c.env;
      const admitted = await identify(incoming, services);
      state.caller = admitted.caller;
      if (admitted.caller.token !== undefined) state.entry.token = admitted.caller.token.slice(0, 128);
      if (admitted.kind === 'flood') return refuseFlood(c, admitted.wait);
      if (admitted.kind === 'admitted') return next();
      const { status, message, headers } = admitted.refusal;
      return refuse(c, status, message, services, headers);
    },
    async byAddress(c, next) {
      const wait = limiter.take(c.env.state.caller.name);
      return wait > 0 ? refuseFlood(c, wait) : next();
    },
    asProbe(c, next) {
      c.env.state.isQuiet = limiter.take(`probe ${c.env.state.caller.name}`) > 0;
      return next();
    },
  };
}
