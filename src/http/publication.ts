import type { McpServerFactory } from '@modelcontextprotocol/server';
import type { SkillCatalog } from '../catalog/catalog.ts';
import type { Log } from '../mcp/log.ts';
import { createLongContents } from '../mcp/long.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { createProtocol, type Protocol } from '../mcp/protocol.ts';
import type { Caller } from './caller.ts';
import { createFindSubject, type FindSubject } from './subject.ts';
import { warmUp } from './warm.ts';

/** What `/healthz` and `/metrics` show of a catalog. */
export interface CatalogSummary {
  readonly digest: string;
  readonly skills: number;
  readonly files: number;
  readonly bytes: number;
  /** Present where it is equal to a lock. */
  readonly locked?: true;
  /** Present where it follows what is on disk. */
  readonly live?: LiveSummary;
}

/** How current a catalog is that follows what is on disk. */
export interface LiveSummary {
  readonly generation: number;
  /** In seconds since 1970. */
  readonly loadedAt: number;
  readonly isStale: boolean;
  /** Skills that are kept from an earlier generation. */
  readonly kept: number;
  readonly readings: {
    readonly changed: number;
    readonly unchanged: number;
    readonly refused: number;
    /** Of all of them together. */
    readonly seconds: number;
  };
}

/** What one caller is served. */
export interface View {
  readonly protocol: Protocol;
  /** Finds the skill that a message is about, for the log and the metrics. */
  readonly findSubject: FindSubject;
  /** The catalog that is shown now. */
  readonly catalog: SkillCatalog;
  /** What `/metrics` shows of it. */
  summarize(): CatalogSummary;
  /** Whether `/metrics` names a skill, by its path. */
  names(path: string): boolean;
}

/** What is served, to whom. */
export interface Publication {
  /** The one place where the view of a request is chosen; asked anew for each request. */
  choose(caller: Caller): View;
  /** What `/healthz` shows beside its status; asked for each time. */
  describe(): object;
  /** What `/readyz` shows beside its status. Default: nothing. */
  describeReadiness?(): object;
  /** Answers a request or two to nobody, so that the first client does not wait for what is made once. */
  warmUp(): Promise<void>;
  /** Ends open subscriptions. */
  close(): Promise<void>;
}

/** Opens a publication for a server: N streams of subscriptions may be open, and its failures are logged. */
export type OpenPublication = (maxSubscriptions: number, log: Log) => Publication;

/**
 * Publishes one catalog to every caller.
 *
 * @param summary - what is shown of it
 * @param create - makes a server object for each request; it must be cheap, and it must not keep anything between requests
 */
export function publishCatalog(
  catalog: SkillCatalog,
  create: (toStandIn: ToStandIn) => ReturnType<McpServerFactory>,
  summary: CatalogSummary = summarizeCatalog(catalog),
): OpenPublication {
  return (maxSubscriptions, log) => {
    const { toStandIn, complete } = createLongContents();
    const protocol = createProtocol(() => create(toStandIn), maxSubscriptions, log.failure, complete);
    const view = {
      ...{ protocol, catalog, findSubject: createFindSubject(catalog) },
      summarize: () => summary,
      names: () => true,
    };
    return {
      choose: () => view,
      describe: () => summary,
      warmUp: () => warmUp(protocol),
      close: () => protocol.close(),
    };
  };
}

/** Counts what a catalog publishes. */
export function summarizeCatalog({ digest, skills }: SkillCatalog): CatalogSummary {
  const files = skills.flatMap(({ resources }) => resources);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return { digest, skills: skills.length, files: files.length, bytes };
}
