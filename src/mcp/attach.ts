import { type Caller, EXTENSION, InvalidParams, isSkillUri, type Params, type Result } from './methods.ts';
import type { Offer } from './offer.ts';
import { isOwnCursor } from './pages.ts';

type Handler = (request: { readonly method: string; readonly params?: Params }, extra: unknown) => unknown;

/**
 * What is used of a low-level server, by structure: both SDK lines have it, and so do two copies of one line in one tree.
 * `_requestHandlers` is no public name; there is no other way to hand a request on to the handler that a host already has.
 */
interface LowServer {
  readonly transport?: unknown;
  readonly _requestHandlers: Map<string, Handler>;
  _instructions?: string;
  setRequestHandler: (...args: unknown[]) => unknown;
  registerCapabilities(capabilities: object): void;
  getClientCapabilities(): { extensions?: Record<string, unknown> } | undefined;
}

/** What is used of an `McpServer`. It makes its handlers at the first registration and fails where somebody else already has. */
interface HighServer {
  readonly server: LowServer;
  readonly _registeredResources: Readonly<Record<string, unknown>>;
  readonly _registeredResourceTemplates: Readonly<Record<string, { resourceTemplate: Template }>>;
  registerResource: (...args: unknown[]) => unknown;
  resource?: (...args: unknown[]) => unknown;
  setResourceRequestHandlers(): void;
  setToolRequestHandlers(): void;
  setPromptRequestHandlers(): void;
  setCompletionRequestHandler(): void;
}

interface Template {
  readonly uriTemplate: { match(uri: string): unknown };
}

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Puts an offer on a server of either SDK line, beside whatever the server has or gets later.
 *
 * @throws Error where the server is connected, has skills already, or has a resource of its own under a URI of the catalog; the
 *   server is then as it was
 */
export function attachOffer(server: object, offer: Offer): void {
  const high = isHighServer(server) ? server : undefined;
  const low = high === undefined ? server : high.server;
  if (!isLowServer(low)) {
    throw new TypeError('publishSkills needs an McpServer or a Server of the MCP SDK that this entry point is for');
  }
  if (low.transport !== undefined) {
    throw new Error('publishSkills must be called before the server is connected to a transport');
  }
  for (const method of offer.own.keys()) {
    if (low._requestHandlers.has(method)) {
      throw new Error(
        `this server already answers ${method}: publish one catalog a server (loadSkills takes several roots)`,
      );
    }
  }
  if (high !== undefined) assertNoForeignResource(high, offer);

  if (high !== undefined) {
    prepareHandlers(high, offer);
    guardRegistration(high, offer);
  }
  low.registerCapabilities(offer.capabilities);
  if (offer.instructions !== undefined) {
    low._instructions = low._instructions ? `${low._instructions}\n\n${offer.instructions}` : offer.instructions;
  }
  const shared = toShared(low, offer, high !== undefined);
  const wrapped = new Map<string, Handler>();
  const wrap = (method: string) => {
    const present = low._requestHandlers.get(method);
    if (present !== undefined && present === wrapped.get(method)) return;
    const handler = shared.get(method)?.(present);
    if (handler === undefined) return;
    wrapped.set(method, handler);
    low._requestHandlers.set(method, handler);
  };
  for (const method of shared.keys()) wrap(method);
  for (const [method, answer] of offer.own) {
    low._requestHandlers.set(method, (request, extra) => answer(request.params ?? {}, toCaller(low, extra)));
  }
  if (high === undefined) {
    for (const [method, result] of offer.empty) {
      if (!low._requestHandlers.has(method)) low._requestHandlers.set(method, () => result);
    }
  }
  // what a host sets later goes behind ours as well, instead of replacing it without a word
  const setRequestHandler = low.setRequestHandler.bind(low);
  const own = new Map([...offer.own.keys()].map((method) => [method, low._requestHandlers.get(method)]));
  low.setRequestHandler = (...args) => {
    const result = setRequestHandler(...args);
    for (const [method, handler] of own) {
      if (handler === undefined || low._requestHandlers.get(method) === handler) continue;
      low._requestHandlers.set(method, handler);
      throw new Error(`${method} is answered by the skills that are published on this server`);
    }
    for (const method of shared.keys()) wrap(method);
    return result;
  };
}

/** For each shared method, how it is answered around the handler that the host has, if any. */
function toShared(low: LowServer, offer: Offer, isHigh: boolean): Map<string, (present?: Handler) => Handler> {
  const shared = new Map<string, (present?: Handler) => Handler>();
  for (const [method, { claims, answer }] of offer.routes) {
    shared.set(method, (present) => (request, extra) => {
      const params = request.params ?? {};
      if (present === undefined || claims(params)) return answer(params, toCaller(low, extra));
      return present(request, extra);
    });
  }
  for (const [method, { field, answer }] of offer.joined) {
    shared.set(method, (present) => async (request, extra) => {
      const params = request.params ?? {};
      const caller = toCaller(low, extra);
      const { cursor } = params;
      if (present === undefined || (typeof cursor === 'string' && isOwnCursor(cursor))) return answer(params, caller);
      // the handlers of McpServer give out no cursor, and read none
      if (isHigh && cursor !== undefined)
        throw new InvalidParams('unknown cursor: list again from the start', { cursor });
      const host = (await present(request, extra)) as Result & { nextCursor?: unknown };
      if (host.nextCursor !== undefined) return host;
      const ours = answer({}, caller);
      return { ...ours, ...host, [field]: [...toItems(host[field]), ...toItems(ours[field])] };
    });
  }
  return shared;
}

function toItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toCaller(low: LowServer, extra: unknown): Caller {
  const envelope = (extra as { mcpReq?: { envelope?: Record<string, unknown> } } | undefined)?.mcpReq?.envelope;
  const capabilities = envelope === undefined ? low.getClientCapabilities() : envelope[CLIENT_CAPABILITIES];
  const extensions = (capabilities as { extensions?: Record<string, unknown> } | undefined)?.extensions;
  return { isModern: envelope !== undefined, knowsSkills: extensions?.[EXTENSION] !== undefined };
}

/** Lets an `McpServer` make its own handlers first: later it would refuse to, and its next registration would throw. */
function prepareHandlers(high: HighServer, offer: Offer): void {
  const has = (method: string) => high.server._requestHandlers.has(method);
  if (!has('resources/list') && !has('resources/read')) high.setResourceRequestHandlers();
  if (offer.joined.has('tools/list') && !has('tools/list')) high.setToolRequestHandlers();
  if (offer.joined.has('prompts/list') && !has('prompts/list')) high.setPromptRequestHandlers();
  if (offer.routes.has('completion/complete') && !has('completion/complete')) high.setCompletionRequestHandler();
}

function assertNoForeignResource(high: HighServer, offer: Offer): void {
  for (const uri of Object.keys(high._registeredResources)) assertForeign(uri, offer);
  for (const { resourceTemplate } of Object.values(high._registeredResourceTemplates))
    assertForeign(resourceTemplate, offer);
}

/** Tells a host at once when it registers a resource that would never be read. */
function guardRegistration(high: HighServer, offer: Offer): void {
  for (const name of ['registerResource', 'resource'] as const) {
    const register = high[name]?.bind(high);
    if (register === undefined) continue;
    high[name] = (...args) => {
      assertForeign(args[1], offer);
      return register(...args);
    };
  }
}

function assertForeign(resource: unknown, { catalog }: Offer): void {
  const template = (resource as { uriTemplate?: Template['uriTemplate'] } | undefined)?.uriTemplate;
  const [first] = catalog.skills;
  const isTaken =
    typeof resource === 'string'
      ? isSkillUri(resource) && catalog.read(`skill${resource.slice('skill'.length)}`) !== undefined
      : first !== undefined && template !== undefined && Boolean(template.match(first.uri));
  if (isTaken) {
    const what = typeof resource === 'string' ? resource : String(template);
    throw new Error(`the resource ${what} is a file of a published skill: register it under another URI`);
  }
}

function isHighServer(server: object): server is HighServer {
  return 'server' in server && 'registerResource' in server && '_registeredResources' in server;
}

function isLowServer(server: object): server is LowServer {
  return (
    'setRequestHandler' in server &&
    'registerCapabilities' in server &&
    '_requestHandlers' in server &&
    server._requestHandlers instanceof Map
  );
}
