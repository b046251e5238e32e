import { type Caller, EXTENSION, InvalidParams, type Params, type Result } from './methods.ts';
import { isOwnCursor, markCursor, unmarkCursor } from './pages.ts';
import type { Joined, Offer, Route } from './surface.ts';

/** How both SDK lines keep the handler of a method: it gets the request as it came. */
export type Handler = (request: { readonly method: string; readonly params?: Params }, extra: unknown) => unknown;

/** What is used of a server to answer a request, by structure. */
export interface AnsweringServer {
  readonly fallbackRequestHandler?: Handler | undefined;
  getClientCapabilities(): Capabilities | undefined;
  getClientVersion?(): Implementation | undefined;
  /** 2.x only. */
  getNegotiatedProtocolVersion?(): string | undefined;
}

interface Capabilities {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

interface Implementation {
  readonly name?: unknown;
}

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FIRST_MODERN = '2026-07-28';
const METHOD_NOT_FOUND = -32601;

/** What else a server does about requests. Default: nothing. */
export interface Hooks {
  /** Whether what a method names, or an item of its listing, is the host's although an offer claims it. */
  readonly isTaken?: (method: string, named: Params) => boolean;
  /** Greets a client, with what the host says. */
  readonly onGreeting?: (greet: () => unknown, method: string) => unknown;
}

type IsTaken = NonNullable<Hooks['isTaken']>;

/**
 * A server's table of handlers with an offer in front of it. The table holds what the host has set and what it sets later; what is
 * looked up is the offer's answer around it. To the host, a method that only the offer answers is free.
 *
 * @param getOffer - the offer that is in force, with the same methods each time
 */
export function shareHandlers(
  present: ReadonlyMap<string, Handler>,
  server: AnsweringServer,
  getOffer: () => Offer,
  { isTaken = () => false, onGreeting = (greet) => greet() }: Hooks = {},
): Map<string, Handler> {
  const host = new Map(present);
  const read = (method: string) => Map.prototype.get.call(host, method) as Handler | undefined;
  const has = (method: string) => Map.prototype.has.call(host, method);
  const findHost = (method: string) => read(method) ?? server.fallbackRequestHandler;
  let declared: Capabilities | undefined;
  const toCaller = (extra: unknown) => readCaller(server, extra, declared);
  const overlay: Pick<Map<string, Handler>, 'get' | 'has' | 'set'> = {
    get(method) {
      // which methods there are is the same in every offer: only what they answer changes, and one request is answered by one offer
      const { own, routes, joined, empty } = getOffer();
      if (own.has(method)) {
        return (request, extra) => getOffer().own.get(method)?.(request.params ?? {}, toCaller(extra));
      }
      // looked up now, not at the call: a host may wrap what it finds here in a handler that then takes its place
      const handler = findHost(method);
      if (handler !== undefined && (method === 'initialize' || method === 'server/discover')) {
        return (request, extra) => {
          if (method === 'initialize') declared = request.params?.['capabilities'] as Capabilities | undefined;
          return onGreeting(() => handler(request, extra), method);
        };
      }
      if (routes.has(method)) {
        return (...args) => {
          const route = leaveTaken(getOffer().routes.get(method) as Route, method, isTaken);
          return answerRoute(route, handler, toCaller(args[1]), args);
        };
      }
      if (joined.has(method)) {
        return (...args) => {
          const listing = leaveTaken(getOffer().joined.get(method) as Joined, method, isTaken);
          return answerJoined(listWithout(listing, method, isTaken), handler, toCaller(args[1]), args);
        };
      }
      const none = handler === undefined ? empty.get(method) : undefined;
      return none === undefined ? read(method) : () => none;
    },
    has: (method) => getOffer().own.has(method) || has(method),
    set(method, handler) {
      if (getOffer().own.has(method))
        throw new Error(`${method} is answered by the skills that are published on this server`);
      return Map.prototype.set.call(host, method, handler) as Map<string, Handler>;
    },
  };
  return Object.assign(host, overlay);
}

function leaveTaken<T extends Route | Joined>(part: T, method: string, isTaken: IsTaken): T {
  return { ...part, claims: (named: Params) => part.claims(named) && !isTaken(method, named) };
}

function listWithout(listing: Joined, method: string, isTaken: IsTaken): Joined {
  const { field, answer } = listing;
  return {
    ...listing,
    answer(params, caller) {
      const page = answer(params, caller);
      const items = toItems(page[field]);
      const left = items.filter((item) => !isTaken(method, (item ?? {}) as Params));
      return left.length === items.length ? page : { ...page, [field]: left };
    },
  };
}

async function answerRoute(
  { claims, answer }: Route,
  host: Handler | undefined,
  caller: Caller,
  [request, extra]: Parameters<Handler>,
): Promise<unknown> {
  const params = request.params ?? {};
  if (host === undefined || claims(params)) return answer(params, caller);
  try {
    return await host(request, extra);
  } catch (error) {
    const { uri } = params;
    // an `McpServer` of 1.x parses a URI before it looks for it, and fails in the engine's words
    if (!hasCode(error, 'ERR_INVALID_URL') || typeof uri !== 'string' || URL.canParse(uri)) throw error;
    throw new InvalidParams(`no resource is served at ${uri}; it is not a URI`, { uri });
  }
}

/** The host's pages first, whatever its cursors are; ours begin on its last one. */
async function answerJoined(
  { field, answer, claims, names }: Joined,
  host: Handler | undefined,
  caller: Caller,
  [request, extra]: Parameters<Handler>,
): Promise<Result> {
  const params = request.params ?? {};
  const { cursor, ...first } = params;
  const isForeign = typeof cursor === 'string' && !isOwnCursor(cursor);
  if (host === undefined || (cursor !== undefined && !isForeign)) return answer(params, caller);

  const askHost = (asked: Params) => askForPage(host, { ...request, params: asked }, extra);
  const page = await askHost(isForeign ? { ...params, cursor: unmarkCursor(cursor) } : params);
  if (page === undefined) return answer(params, caller);
  const { nextCursor: next, ...theirs } = page;
  const items = toItems(page[field]).filter((item) => !claims((item ?? {}) as Params));
  // a host that wraps what it finds on its server goes on to our pages by itself
  if (next !== undefined && !(typeof next === 'string' && names(next))) {
    return { ...theirs, nextCursor: typeof next === 'string' ? markCursor(next) : next, [field]: items };
  }
  // an `McpServer` reads no cursor: to any it answers with all that it has
  if (isForeign && (await askHost(first))?.['nextCursor'] === undefined) {
    throw new InvalidParams('unknown cursor: list again from the start', { cursor });
  }
  const ours = answer({}, caller);
  const { nextCursor } = ours;
  return {
    ...theirs,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...toHints(theirs, ours),
    [field]: [...items, ...toItems(ours[field])],
  };
}

/** A page of a host, or undefined where it has nothing of the kind: one that answers everything in one place says so, or nothing. */
async function askForPage(host: Handler, request: Parameters<Handler>[0], extra: unknown): Promise<Result | undefined> {
  try {
    const page = await host(request, extra);
    return typeof page === 'object' && page !== null ? (page as Result) : undefined;
  } catch (error) {
    if (hasCode(error, METHOD_NOT_FOUND)) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === code;
}

/** How long, and by whom, both parts may be kept. What the host leaves open stays open: the SDK fills it in as for the host alone. */
export function toHints(theirs: Params, ours: Params): Result {
  const { ttlMs, cacheScope } = theirs;
  return {
    ...(typeof ttlMs === 'number' && typeof ours['ttlMs'] === 'number'
      ? { ttlMs: Math.min(ttlMs, ours['ttlMs']) }
      : {}),
    ...(cacheScope === 'public' && ours['cacheScope'] === 'private' ? { cacheScope: 'private' } : {}),
  };
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** @param declared - capabilities as they came in `initialize`: several versions of 1.x drop the extensions from what they keep */
function readCaller(server: AnsweringServer, extra: unknown, declared: Capabilities | undefined): Caller {
  // not by the envelope: a client of an older revision may send one too
  const isModern = (server.getNegotiatedProtocolVersion?.() ?? '') >= FIRST_MODERN;
  const { mcpReq } = (extra ?? {}) as { mcpReq?: { envelope?: Readonly<Record<string, unknown>> } };
  const capabilities = isModern
    ? (mcpReq?.envelope?.[CLIENT_CAPABILITIES] as Capabilities | undefined)
    : (declared ?? server.getClientCapabilities());
  const info = isModern ? (mcpReq?.envelope?.[CLIENT_INFO] as Implementation | undefined) : server.getClientVersion?.();
  return {
    isModern,
    knowsSkills: capabilities?.extensions?.[EXTENSION] !== undefined,
    client: typeof info?.name === 'string' ? info.name : undefined,
  };
}
