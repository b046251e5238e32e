import { type Caller, EXTENSION, InvalidParams, type Params, type Result } from './methods.ts';
import type { Joined, Offer, Route } from './offer.ts';
import { isOwnCursor } from './pages.ts';

/** How both SDK lines keep the handler of a method: it gets the request as it came. */
export type Handler = (request: { readonly method: string; readonly params?: Params }, extra: unknown) => unknown;

/** What is used of a server to answer a request, by structure. */
export interface AnsweringServer {
  readonly fallbackRequestHandler?: Handler | undefined;
  getClientCapabilities(): Capabilities | undefined;
  /** 2.x only. */
  getNegotiatedProtocolVersion?(): string | undefined;
}

interface Capabilities {
  readonly extensions?: Readonly<Record<string, unknown>>;
}

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const FIRST_MODERN = '2026-07-28';
const METHOD_NOT_FOUND = -32601;

/**
 * A server's table of handlers with an offer in front of it. The table holds what the host has set and what it sets later; what is
 * looked up is the offer's answer around it. To the host, a method that only the offer answers is free.
 *
 * @param cursorless - handlers of the host's that give out no cursor and read none
 */
export function shareHandlers(
  present: ReadonlyMap<string, Handler>,
  server: AnsweringServer,
  offer: Offer,
  cursorless: ReadonlySet<Handler>,
): Map<string, Handler> {
  const host = new Map(present);
  const read = (method: string) => Map.prototype.get.call(host, method) as Handler | undefined;
  const has = (method: string) => Map.prototype.has.call(host, method);
  const findHost = (method: string) => read(method) ?? server.fallbackRequestHandler;
  const overlay: Pick<Map<string, Handler>, 'get' | 'has' | 'set'> = {
    get(method) {
      const own = offer.own.get(method);
      if (own !== undefined) return (request, extra) => own(request.params ?? {}, toCaller(server, extra));
      const route = offer.routes.get(method);
      if (route !== undefined)
        return (...args) => answerRoute(route, findHost(method), toCaller(server, args[1]), args);
      const joined = offer.joined.get(method);
      if (joined !== undefined) {
        const handler = findHost(method);
        const isCursorless = handler !== undefined && cursorless.has(handler);
        return (...args) => answerJoined(joined, handler, isCursorless, toCaller(server, args[1]), args);
      }
      const empty = findHost(method) === undefined ? offer.empty.get(method) : undefined;
      return empty === undefined ? read(method) : () => empty;
    },
    has: (method) => offer.own.has(method) || has(method),
    set(method, handler) {
      if (offer.own.has(method))
        throw new Error(`${method} is answered by the skills that are published on this server`);
      return Map.prototype.set.call(host, method, handler) as Map<string, Handler>;
    },
  };
  return Object.assign(host, overlay);
}

function answerRoute(
  { claims, answer }: Route,
  host: Handler | undefined,
  caller: Caller,
  [request, extra]: Parameters<Handler>,
): unknown {
  const params = request.params ?? {};
  return host === undefined || claims(params) ? answer(params, caller) : host(request, extra);
}

/** The host's pages first, whatever its cursors are; ours begin on its last one. */
async function answerJoined(
  { field, answer }: Joined,
  host: Handler | undefined,
  isCursorless: boolean,
  caller: Caller,
  [request, extra]: Parameters<Handler>,
): Promise<Result> {
  const params = request.params ?? {};
  const { cursor } = params;
  if (host === undefined || (typeof cursor === 'string' && isOwnCursor(cursor))) return answer(params, caller);
  if (isCursorless && cursor !== undefined) {
    throw new InvalidParams('unknown cursor: list again from the start', { cursor });
  }
  let theirs: Result;
  try {
    theirs = (await host(request, extra)) as Result;
  } catch (error) {
    // a host that answers everything in one place says so of what it has not
    if ((error as { code?: unknown } | null)?.code === METHOD_NOT_FOUND) return answer(params, caller);
    throw error;
  }
  if (theirs['nextCursor'] !== undefined) return theirs;
  const ours = answer({}, caller);
  const items = toItems(theirs[field]);
  // a host that wraps what it finds on its server lists ours already
  const listed = new Set(items.map(toIdentity));
  const { nextCursor } = ours;
  return {
    ...theirs,
    ...(nextCursor === undefined ? {} : { nextCursor }),
    ...toHints(theirs, ours),
    [field]: [...items, ...toItems(ours[field]).filter((item) => !listed.has(toIdentity(item)))],
  };
}

/** How long, and by whom, both parts may be kept. What the host leaves open stays open: the SDK fills it in as for the host alone. */
function toHints(theirs: Result, ours: Result): Result {
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

function toIdentity(item: unknown): unknown {
  const { uri, uriTemplate, name } = (item ?? {}) as Record<string, unknown>;
  return uri ?? uriTemplate ?? name;
}

function toCaller(server: AnsweringServer, extra: unknown): Caller {
  // not by the envelope: a client of an older revision may send one too
  const isModern = (server.getNegotiatedProtocolVersion?.() ?? '') >= FIRST_MODERN;
  const { mcpReq } = (extra ?? {}) as { mcpReq?: { envelope?: Readonly<Record<string, unknown>> } };
  const capabilities = isModern
    ? (mcpReq?.envelope?.[CLIENT_CAPABILITIES] as Capabilities | undefined)
    : server.getClientCapabilities();
  return { isModern, knowsSkills: capabilities?.extensions?.[EXTENSION] !== undefined };
}
