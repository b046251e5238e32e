import type { SkillCatalog } from '../catalog/catalog.ts';
import { type AnsweringServer, type Handler, shareHandlers } from './handlers.ts';
import type { ToStandIn } from './methods.ts';
import { guardRegistrations, type RegisteringServer } from './registry.ts';
import type { PublishOptions } from './settings.ts';
import { type Offer, toOffer } from './surface.ts';

/**
 * What is used of a low-level server, by structure: both SDK lines have it, and so do two copies of one line in one tree.
 * `_requestHandlers` is no public name; there is no other way to hand a request on to the handler that a host already has.
 */
interface LowServer extends AnsweringServer {
  readonly transport?: unknown;
  _requestHandlers: Map<string, Handler>;
  _instructions?: string;
  registerCapabilities(capabilities: object): void;
}

/** What is used of an `McpServer`. */
interface HighServer extends RegisteringServer {
  readonly server: LowServer;
}

/**
 * What makes an `McpServer` install its handlers for a capability. It does so at the first registration, and cannot once it is
 * connected; since the capability is declared from now on, a host may well register later.
 */
const INSTALLERS: Readonly<Record<string, readonly [install: string, ...methods: string[]]>> = {
  resources: ['setResourceRequestHandlers', 'resources/list', 'resources/templates/list', 'resources/read'],
  tools: ['setToolRequestHandlers', 'tools/list', 'tools/call'],
  prompts: ['setPromptRequestHandlers', 'prompts/list', 'prompts/get'],
  completions: ['setCompletionRequestHandler', 'completion/complete'],
};

/**
 * Publishes a catalog on a server of either SDK line, beside whatever the server has or gets later.
 *
 * @param sdk - the package that the server should be of, for messages
 * @param toStandIn - where results of `resources/read` are completed later
 * @throws TypeError for what is no server, no catalog or no option
 * @throws Error where the server is connected, has skills already, or has something of its own that the skills would answer; the
 *   server is then as it was
 */
export function attachSkills(
  server: unknown,
  catalog: SkillCatalog,
  options: PublishOptions,
  sdk: string,
  toStandIn?: ToStandIn,
): void {
  if (!isCatalog(catalog)) {
    throw new TypeError('publishSkills needs the catalog that loadSkills promises: await it');
  }
  attachOffer(server, toOffer(catalog, options, toStandIn), sdk);
}

function attachOffer(server: unknown, offer: Offer, sdk: string): void {
  const high = isHighServer(server) ? server : undefined;
  const low = high === undefined ? server : high.server;
  if (!isLowServer(low)) {
    throw new TypeError(`publishSkills needs an McpServer or a Server of ${sdk}`);
  }
  if (low.transport !== undefined) {
    throw new Error('publishSkills must be called before the server is connected to a transport');
  }
  for (const method of offer.own.keys()) {
    if (low._requestHandlers.has(method)) {
      throw new Error(
        `this server already answers ${method}: publish one catalog on a server (loadSkills takes several folders), and without another skills extension`,
      );
    }
  }
  const guard = high === undefined ? undefined : guardRegistrations(high, offer);

  if (high !== undefined) installHandlers(high, offer);
  guard?.();
  low.registerCapabilities(offer.capabilities);
  if (offer.toInstructions !== undefined) {
    const before = low._instructions ? `${low._instructions}\n\n` : '';
    const ours = offer.toInstructions(before.length);
    if (ours !== '') low._instructions = before + ours;
  }
  low._requestHandlers = shareHandlers(low._requestHandlers, low, offer);
}

/** Installs the `McpServer`'s own handlers for what the offer declares, where the host has none. */
function installHandlers(high: HighServer, offer: Offer): void {
  const handlers = high.server._requestHandlers;
  for (const capability of Object.keys(offer.capabilities)) {
    const [install, ...methods] = INSTALLERS[capability] ?? [];
    if (install === undefined || methods.some((method) => handlers.has(method))) continue;
    (high as unknown as Record<string, (() => void) | undefined>)[install]?.();
  }
}

function isCatalog(catalog: unknown): boolean {
  return typeof catalog === 'object' && catalog !== null && 'readDirectory' in catalog;
}

function isHighServer(server: unknown): server is HighServer {
  return isObject(server) && 'server' in server && '_registeredResources' in server && '_registeredTools' in server;
}

function isLowServer(server: unknown): server is LowServer {
  return (
    isObject(server) &&
    'registerCapabilities' in server &&
    '_requestHandlers' in server &&
    server._requestHandlers instanceof Map
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
