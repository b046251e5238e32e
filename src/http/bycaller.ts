import type { SkillCatalog } from '../catalog/catalog.ts';
import { findChange, isEmptyChange } from '../catalog/change.ts';
import { toFeed } from '../mcp/feed.ts';
import { createLongContents } from '../mcp/long.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { createProtocol, type HttpResponse, isListen, type Protocol, readId, toError } from '../mcp/protocol.ts';
import type { Caller } from './caller.ts';
import { type CountedSkills, type ServedLive, tellStreams, toLiveSummary } from './livecatalog.ts';
import { type OpenPublication, type Publication, summarizeCatalog, type View } from './publication.ts';
import { createFindSubject, type FindSubject } from './subject.ts';
import { warmUp } from './warm.ts';

/** What all callers of one kind see. */
interface CallerSight {
  /** Equal for callers who see the same, whatever the skills are. */
  readonly key: string;
  readonly see: (catalog: SkillCatalog) => SkillCatalog;
  /** Whether they see a skill, by its path. */
  readonly sees: (path: string) => boolean;
}

/** Decides what callers see. */
export interface CallerSights {
  find(caller: Caller): CallerSight;
  /** Hears when others see what they did not, or no longer. @returns what ends that */
  onExchange(listener: () => void): () => void;
}

/** How live skills are served to callers who see some of them. */
export interface ServedByCaller extends Pick<ServedLive, 'describePrompts'> {
  /** Makes a server object for each request; it must be cheap, and it must not keep anything between requests. */
  readonly createServer: (catalog: SkillCatalog, toStandIn: ToStandIn) => ReturnType<ServedLive['createServer']>;
  /** What `/healthz` shows: nothing that differs with the skills. */
  readonly facts: object;
}

/** Kinds of callers that are kept beside those who have a stream open. */
const KEPT = 64;

/** What is served to callers of one kind. */
interface Desk {
  sight: CallerSight;
  readonly protocol: Protocol;
  /** Who has a stream open, by its signal. */
  readonly streams: Map<AbortSignal, Caller>;
  /** What its streams know of; undefined while there is none. */
  told: SkillCatalog | undefined;
}

/**
 * Publishes live skills to each caller as far as it sees them. Callers of one kind have a notification bus of their own, so that nobody
 * hears of what it cannot see; those who see the same skills share what is made of them.
 */
export function publishByCaller(live: CountedSkills, sights: CallerSights, served: ServedByCaller): OpenPublication {
  return (maxSubscriptions, log): Publication => {
    const { toStandIn, complete } = createLongContents();
    const desks = new Map<string, Desk>();
    let announced = live.catalog;
    let isClosed = false;

    const createDesk = (sight: CallerSight): Desk => {
      const create = () => served.createServer(desk.sight.see(live.catalog), toStandIn);
      const protocol = createProtocol(create, maxSubscriptions, log.failure, complete);
      if (isClosed) void protocol.close();
      const desk: Desk = { sight, protocol, streams: new Map(), told: undefined };
      return desk;
    };
    const findDesk = (caller: Caller): Desk => {
      const sight = sights.find(caller);
      const desk = desks.get(sight.key) ?? createDesk(sight);
      // the last one used comes last
      desks.delete(sight.key);
      desks.set(sight.key, desk);
      dropOldest(desks);
      return desk;
    };
    const listen = async (caller: Caller, message: Parameters<Protocol['answer']>[0]): Promise<HttpResponse> => {
      const { body, signal } = message;
      const open = [...desks.values()].reduce((sum, { streams }) => sum + streams.size, 0);
      if (open >= maxSubscriptions) return toError(200, -32603, 'Subscription limit reached', readId(body));
      // the policy may be another since the request came
      const desk = findDesk(caller);
      if (!signal.aborted) {
        desk.told ??= desk.sight.see(announced);
        desk.streams.set(signal, caller);
        signal.addEventListener('abort', () => leave(desk, signal), { once: true });
      }
      return desk.protocol.answer(message);
    };
    const endFeed = toFeed(live).listen(({ after }) => {
      announced = after;
      for (const desk of desks.values()) tellDesk(desk, after, served.describePrompts);
    });
    const endExchange = sights.onExchange(() => {
      const before = [...desks.values()];
      desks.clear();
      for (const desk of before) {
        if (!moveDesk(desk, desks, sights, live.catalog)) void desk.protocol.endSubscriptions();
      }
    });

    const choose = (caller: Caller): View => {
      const { sight, protocol } = findDesk(caller);
      const catalog = sight.see(live.catalog);
      const seesAll = catalog.skills.length === live.catalog.skills.length;
      return {
        catalog,
        findSubject: toFindSubject(catalog),
        protocol: {
          ...protocol,
          answer: (message) => (isListen(message.body) ? listen(caller, message) : protocol.answer(message)),
        },
        summarize: () => ({ ...summarizeCatalog(catalog), ...(seesAll ? { live: toLiveSummary(live) } : {}) }),
        names: sight.sees,
      };
    };
    return {
      choose,
      describe: () => served.facts,
      warmUp: () => warmUp(choose({ name: 'warm-up' }).protocol),
      async close() {
        isClosed = true;
        endFeed();
        endExchange();
        await Promise.all([...desks.values()].map(({ protocol }) => protocol.close()));
      },
    };
  };
}

/** Ends the bookkeeping of a stream that is over. */
function leave(desk: Desk, signal: AbortSignal): void {
  desk.streams.delete(signal);
  if (desk.streams.size === 0) desk.told = undefined;
}

/** Forgets the kinds that were not used for longest. Those with a stream stay: their number has a limit of its own. */
function dropOldest(desks: Map<string, Desk>): void {
  const idle = [...desks].filter(([, { streams }]) => streams.size === 0);
  for (const [key] of idle.slice(0, Math.max(0, idle.length - KEPT))) desks.delete(key);
}

/** Tells the streams of a desk what has changed of what they see. */
function tellDesk(desk: Desk, catalog: SkillCatalog, describePrompts: ServedByCaller['describePrompts']): void {
  const { told, sight, protocol } = desk;
  if (told === undefined) return;
  const after = sight.see(catalog);
  const change = findChange(told, after);
  if (isEmptyChange(change)) return;
  desk.told = after;
  void tellStreams({ before: told, after, change }, protocol, describePrompts);
}

/** Keeps the streams of a desk where all of their callers see what they saw, and will see the same as each other; says whether they do. */
function moveDesk(desk: Desk, desks: Map<string, Desk>, sights: CallerSights, catalog: SkillCatalog): boolean {
  const found = new Map(
    [...desk.streams.values()].map((caller) => sights.find(caller)).map((each) => [each.key, each]),
  );
  const [sight] = found.values();
  if (sight === undefined || found.size > 1 || desks.has(sight.key)) return false;
  if (sight.see(catalog).digest !== desk.sight.see(catalog).digest) return false;
  desk.sight = sight;
  desks.set(sight.key, desk);
  return true;
}

const subjects = new WeakMap<SkillCatalog, FindSubject>();

function toFindSubject(catalog: SkillCatalog): FindSubject {
  const known = subjects.get(catalog) ?? createFindSubject(catalog);
  subjects.set(catalog, known);
  return known;
}
