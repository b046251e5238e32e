import { dropBytes, type Loader } from './activation.ts';
import { describeFailure } from './ask.ts';
import { ByteCache } from './bytecache.ts';
import type { SkillConnection } from './connection.ts';
import { Approvals } from './execution.ts';
import { Fencer } from './fence.ts';
import type { ReadFrontmatter } from './manuals.ts';
import { createRefresher } from './notices.ts';
import type { LocalSkill } from './outcomes.ts';
import { SkillServer } from './serving.ts';
import type { ServerSkillOptions } from './treatment.ts';

/** What a registry allows. */
export interface RegistryOptions {
  /** Most pages of a listing. Default: 100. */
  readonly maxPages?: number;
  /** Most skills of one server's listing. Default: 1,000. */
  readonly maxSkills?: number;
  /** Bytes of verified files that are kept in memory. Default: 64 MiB. */
  readonly maxCachedBytes?: number;
  /** Most characters (UTF-16 units) of a body or file in a message for a model; the rest is cut, and the message says so. Default: 200,000. */
  readonly maxCharacters?: number;
  /** Milliseconds that a request to a server may take. Default: 30,000. */
  readonly timeout?: number;
  /** Parses frontmatter in place of the YAML 1.2 parser of this library. */
  readonly readFrontmatter?: ReadFrontmatter;
  /** Called with one sentence for what is reported nowhere else. Default: nothing is logged. */
  readonly log?: (message: string) => void;
  /** The time in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

/** What a registry tells its host. */
export interface RegistryEvents {
  /** The skills of a server are others now. */
  readonly changed: { readonly label: string };
  /** What was loaded of a skill is not used any more. The reason is one sentence, safe to show. */
  readonly retired: { readonly name: string; readonly label: string; readonly uri: string; readonly reason: string };
}

/** Is called with each event of a registry. */
type Listener = (event: keyof RegistryEvents, data: RegistryEvents[keyof RegistryEvents]) => void;

/** What a registry and its copies have in common. */
export interface Shared extends Loader {
  readonly local: Map<string, LocalSkill>;
  readonly servers: Map<string, SkillServer>;
  readonly approvals: Approvals;
  readonly fencer: Fencer;
  /** @returns ends that */
  readonly listen: (listener: Listener) => () => void;
  readonly maxCharacters: number;
  readonly log: (message: string) => void;
  /** Holds a label for a connection, and follows what its server says of changes. */
  readonly openServer: (connection: SkillConnection, label: string, options: ServerSkillOptions) => SkillServer;
  readonly closeServer: (label: string) => void;
}

/**
 * Makes what a registry and its copies have in common.
 *
 * @throws RangeError for an option that is no number of at least 1
 */
export function createShared(options: RegistryOptions): Shared {
  const { maxPages = 100, maxSkills = 1000, maxCachedBytes = 67_108_864, maxCharacters = 200_000 } = options;
  const { timeout = 30_000, readFrontmatter, log = () => {}, now = Date.now } = options;
  for (const [name, value] of Object.entries({ maxPages, maxSkills, maxCachedBytes, maxCharacters, timeout })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} is ${value}, not a whole number from 1`);
  }
  const listeners = new Set<Listener>();
  const emit: Listener = (event, data) => {
    for (const listener of [...listeners]) {
      try {
        listener(event, data);
      } catch (error) {
        log(`a listener of "${event}" failed: ${String(error)}`);
      }
    }
  };
  const cache = new ByteCache(maxCachedBytes);
  const ground = {
    maxPages,
    maxSkills,
    timeout,
    now,
    onChanged: (label: string) => emit('changed', { label }),
    onDropped: (label: string, ...entries: [entry: Dropped, next: Dropped | undefined]) =>
      dropBytes(cache, label, ...entries),
    onRetired: (label: string, { name, uri }: { name: string; uri: string }, reason: string) =>
      emit('retired', { name, label, uri, reason }),
  };
  const servers = new Map<string, SkillServer>();
  const endings = new Map<string, () => void>();
  return {
    local: new Map(),
    servers,
    approvals: new Approvals(),
    fencer: new Fencer(),
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    maxCharacters,
    log,
    cache,
    readFrontmatter,
    openServer: (connection, label, treatment) => {
      const server = new SkillServer(label, connection, treatment, ground);
      servers.set(label, server);
      const onError = (error: unknown) =>
        log(`the skills of "${label}" could not be read again: ${describeFailure(error)}`);
      const { request, end } = createRefresher(() => server.refresh(), onError);
      const leave = connection.onResourcesChanged?.(request);
      endings.set(label, () => {
        end();
        leave?.();
      });
      return server;
    },
    closeServer: (label) => {
      endings.get(label)?.();
      endings.delete(label);
      servers.get(label)?.close();
      servers.delete(label);
    },
  };
}

type Dropped = Parameters<typeof dropBytes>[2];
