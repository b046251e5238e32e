import { setImmediate } from 'node:timers/promises';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import type { LiveSkills } from '../catalog/live.ts';
import { listUpdated } from '../mcp/announce.ts';
import { type Notice, toFeed } from '../mcp/feed.ts';
import { createLongContents } from '../mcp/long.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { createProtocol, type Protocol } from '../mcp/protocol.ts';
import { type CatalogSummary, type LiveSummary, type OpenPublication, summarizeCatalog } from './publication.ts';
import { createFindSubject } from './subject.ts';
import { warmUp } from './warm.ts';

/** Live skills that count their readings. */
export interface CountedSkills extends LiveSkills {
  readonly readings: LiveSummary['readings'];
}

/** How live skills are served. */
export interface ServedLive {
  /** Makes a server object for each request; it must be cheap, and it must not keep anything between requests. */
  readonly createServer: (toStandIn: ToStandIn) => ReturnType<McpServerFactory>;
  /** All that `prompts/list` shows of a catalog, as one text. */
  readonly describePrompts: (catalog: SkillCatalog) => string;
  /** What `/healthz` shows as well. */
  readonly facts: object;
}

/** How long streams are told without a turn for others, in milliseconds. */
const SLICE = 10;

/** Publishes live skills to every caller: each request is answered from the catalog that is current when it is looked at. */
export function publishLive(
  live: CountedSkills,
  { createServer, describePrompts, facts }: ServedLive,
): OpenPublication {
  return (maxSubscriptions, log) => {
    const { toStandIn, complete } = createLongContents();
    const protocol = createProtocol(() => createServer(toStandIn), maxSubscriptions, log.failure, complete);
    const findSubject = createByCatalog(live, createFindSubject);
    const summarize = createByCatalog(live, summarizeCatalog);
    const end = toFeed(live).listen((notice) => void tellStreams(notice, protocol, describePrompts));
    return {
      choose: () => ({
        ...{ protocol, catalog: live.catalog, findSubject: findSubject() },
        summarize: (): CatalogSummary => ({ ...summarize(), live: toLiveSummary(live) }),
        names: () => true,
      }),
      describe() {
        const { generation, loadedAt, state, problems } = live.status;
        return { ...summarize(), ...facts, generation, loadedAt, state, problems: problems.length };
      },
      describeReadiness() {
        const { state, since } = live.status;
        return state === 'stale' ? { catalog: state, since } : {};
      },
      warmUp: () => warmUp(protocol),
      close() {
        end();
        return protocol.close();
      },
    };
  };
}

/** What is known of how current live skills are. */
export function toLiveSummary({ status, readings }: CountedSkills): LiveSummary {
  return {
    generation: status.generation,
    loadedAt: status.loadedAt.getTime() / 1000,
    isStale: status.state === 'stale',
    kept: status.keptSkills.length,
    readings,
  };
}

/** What is made once for each catalog, when it is asked for. */
function createByCatalog<T>(live: LiveSkills, make: (catalog: SkillCatalog) => T): () => T {
  let last: { readonly catalog: SkillCatalog; readonly made: T } | undefined;
  return () => {
    const { catalog } = live;
    if (last?.catalog !== catalog) last = { catalog, made: make(catalog) };
    return last.made;
  };
}

/** Tells the open streams of 2026-07-28, each of which passes on what its client has asked for. */
export async function tellStreams(
  { before, after, change }: Notice,
  { notify, isSubscribed }: Protocol,
  describePrompts: (catalog: SkillCatalog) => string,
): Promise<void> {
  notify.resourcesChanged();
  if (describePrompts(before) !== describePrompts(after)) notify.promptsChanged();
  let until = performance.now() + SLICE;
  for (const uri of listUpdated(change)) {
    if (!isSubscribed(uri)) continue;
    notify.resourceUpdated(uri);
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + SLICE;
  }
}
