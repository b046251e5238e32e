import type { SkillCatalog } from '../catalog/catalog.ts';
import type { LiveSkills } from '../catalog/live.ts';
import { announceChanges, type TellingServer } from './announce.ts';
import { type Capabilities, declareChanges, trimGreeting } from './capabilities.ts';
import { toFeed } from './feed.ts';
import { type AnsweringServer, type Handler, shareHandlers } from './handlers.ts';
import type { Params } from './methods.ts';
import { guardRegistrations, type RegisteringServer } from './registry.ts';
import type { PublishOptions } from './settings.ts';
import { type InnerOptions, type Offer, toOffer } from './surface.ts';

/**
 * What is used of a low-level server, by structure: both SDK lines have it, and so do two copies of one line in one tree.
 * `_requestHandlers` is no public name; there is no other way to hand a request on to the handler that a host already has.
 */
interface LowServer extends AnsweringServer, TellingServer {
  _requestHandlers: Map<string, Handler>;
  readonly _capabilities?: Capabilities;
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
 * Publishes a catalog, or live skills, on a server of either SDK line, beside whatever the server has or gets later.
 *
 * @param sdk - the package that the server should be of, for messages
 * @throws TypeError for what is no server, no catalog or no option
 * @throws Error where the server is connected, has skills already, or has something of its own that the skills would answer; the
 *   server is then as it was
 */
export function attachSkills(
  server: unknown,
  skills: SkillCatalog | LiveSkills,
  options: PublishOptions,
  sdk: string,
  inner: Omit<InnerOptions, 'feed'> = {},
): void {
  if (isLive(skills)) {
    const feed = toFeed(skills);
    attachOffers(server, () => toOffer(skills.catalog, options, { ...inner, feed }), sdk, {
      isSilent: options.channel === 'none',
      announce(each) {
        // without a stream there is nobody to tell
        if (options.channel === 'none') return;
        announceChanges(each, feed, (catalog) => toOffer(catalog, options, { ...inner, feed }));
      },
    });
    return;
  }
  if (!isCatalog(skills)) {
    throw new TypeError('publishSkills needs what loadSkills or watchSkills promises: await it');
  }
  const offer = toOffer(skills, options, inner);
  const isSilent = options.channel === 'none';
  attachOffers(server, () => offer, sdk, inner.isExchanged === true ? { isSilent, announce: () => {} } : undefined);
}

/** What servers of live skills do as well. */
interface Telling {
  /** Whether clients of older revisions have no stream. */
  readonly isSilent: boolean;
  readonly announce: (server: AnnouncedServer) => void;
}

/** A server whose clients hear of changes. */
interface AnnouncedServer {
  readonly low: TellingServer;
  /** Whether the host has registered a prompt of a name. */
  readonly hasPrompt: (name: string) => boolean;
}

function attachOffers(server: unknown, getOffer: () => Offer, sdk: string, telling?: Telling): void {
  const high = isHighServer(server) ? server : undefined;
  const low = high === undefined ? server : high.server;
  if (!isLowServer(low)) {
    throw new TypeError(`publishSkills needs an McpServer or a Server of ${sdk}`);
  }
  if (low.transport !== undefined) {
    throw new Error('publishSkills must be called before the server is connected to a transport');
  }
  const offer = getOffer();
  for (const method of offer.own.keys()) {
    if (low._requestHandlers.has(method)) {
      throw new Error(
        `this server already answers ${method}: publish one catalog on a server (loadSkills takes several folders), and without another skills extension`,
      );
    }
  }
  const guard = high === undefined ? undefined : guardRegistrations(high, getOffer);
  const before = structuredClone(low._capabilities ?? {});

  if (high !== undefined) installHandlers(high, offer);
  guard?.();
  low.registerCapabilities(telling === undefined ? offer.capabilities : declareChanges(offer.capabilities, low));
  const host = low._instructions;
  const instruct = () => {
    const words = host ? `${host}\n\n` : '';
    const ours = getOffer().toInstructions?.(words.length) ?? '';
    if (ours !== '') low._instructions = words + ours;
    else if (host !== undefined) low._instructions = host;
    else delete low._instructions;
  };
  instruct();
  if (telling === undefined) {
    low._requestHandlers = shareHandlers(low._requestHandlers, low, getOffer);
    return;
  }
  const hasPrompt = createHasPrompt(high);
  telling.announce({ low, hasPrompt });
  low._requestHandlers = shareHandlers(low._requestHandlers, low, getOffer, {
    // a reload may bring a name that the host has: the host keeps it
    isTaken: (method, named) => hasPrompt(readPromptName(method, named)),
    async onGreeting(greet, method) {
      instruct();
      const greeting = await greet();
      return method === 'initialize' ? trimGreeting(greeting, before, telling.isSilent) : greeting;
    },
  });
}

/** Without keeping the server alive: changes are announced to whoever is still there. */
function createHasPrompt(high: HighServer | undefined): (name: string) => boolean {
  const host = high === undefined ? undefined : new WeakRef(high);
  return (name) => Object.hasOwn(host?.deref()?._registeredPrompts ?? {}, name);
}

/** The prompt that a request, or an item of a listing, is about; empty for none. */
function readPromptName(method: string, { name, ref }: Params): string {
  if (method === 'prompts/list' || method === 'prompts/get') return String(name);
  const { type, name: inner } = (ref ?? {}) as Params;
  return method === 'completion/complete' && type === 'ref/prompt' ? String(inner) : '';
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

function isLive(skills: unknown): skills is LiveSkills {
  return isObject(skills) && 'subscribe' in skills && 'catalog' in skills && isCatalog(skills.catalog);
}

function isCatalog(catalog: unknown): catalog is SkillCatalog {
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
