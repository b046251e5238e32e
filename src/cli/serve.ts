import { resolve } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { isSource } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import { createInstance } from '../mcp/instance.ts';
import { toOffer } from '../mcp/surface.ts';
import { placeSource } from '../sources/grammar.ts';
import { answerFailure } from '../stdio/failure.ts';
import { serveStdio } from '../stdio/stdio.ts';
import { countOf } from '../text/count.ts';
import { escapeJson, escapeLines, escapeText } from '../text/escape.ts';
import { CLAUDE_CODE, explainCut } from './claude.ts';
import { findHttpFlag, type HttpFlags } from './flags.ts';
import { followRoots, type WatchFlags } from './following.ts';
import { listSources, readSource, toExample } from './opening.ts';
import { toPlacedFlag } from './placed.ts';
import { loadRoots, type PublishOptions } from './publish.ts';
import { createReloadLog } from './reloads.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { toListed } from './unlisted.ts';

/** The options of `serve`. */
export interface ServeOptions extends Omit<PublishOptions, 'invalid'>, HttpFlags, WatchFlags {
  /** Default: `skip` on stdio, `fail` over HTTP and with `--strict`. */
  readonly invalid?: PublishOptions['invalid'];
  /** In seconds. Default: 60 where changes are followed, else 300. */
  readonly ttl?: number;
  readonly cacheScope: 'private' | 'public';
  readonly pageSize: number;
  readonly tools: 'auto' | 'always' | 'never';
  readonly prompts: boolean;
  readonly maxPrompts: number;
  readonly instructions: boolean;
  readonly legacyIndex?: boolean;
  readonly resources: boolean;
  readonly toolPrefix?: string;
  /** Globs of skills that are served by address alone. */
  readonly unlisted: readonly string[];
  /** The lock that the skills have to be equal to; `true` or `''` for the default one. */
  readonly locked?: string | true;
  /** The policy whose scripts can be run. */
  readonly run?: string;
}

/**
 * Publishes the roots, over stdio until the client hangs up, or over HTTP until the process is told to end.
 *
 * @param flags - what of the options is not at its default, as it is typed
 */
export async function runServe(
  roots: readonly string[],
  options: ServeOptions,
  flags: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { cacheScope, pageSize, tools, prompts, maxPrompts, instructions, legacyIndex = false } = options;
  const { resources, toolPrefix = '', unlisted, watchInterval: interval } = options;
  const isStdio = options.http === undefined;
  // an IDE starts this for an author who edits; over HTTP, what is served changes when somebody says so
  // what may run is pinned to what was read at the start
  const watch = options.run === undefined ? (options.watch ?? (isStdio ? 'local' : false)) : false;
  const ttl = options.ttl ?? (watch === false ? FIXED_TTL : FOLLOWED_TTL);
  const flag = options.http === undefined ? findHttpFlag(options) : undefined;
  if (flag !== undefined) throw new CommandError(EXIT.usage, `${flag} needs --http`);
  if (interval !== undefined && typeof options.watch !== 'string') {
    throw new CommandError(EXIT.usage, '--watch-interval needs --watch');
  }
  if (options.run !== undefined && options.http !== undefined) {
    throw new CommandError(EXIT.usage, '--run is for stdio: leave out --run or --http');
  }
  if (options.run !== undefined && typeof options.watch === 'string') {
    throw new CommandError(EXIT.usage, '--run grants what was read at the start: leave out --run or --watch');
  }
  const http =
    options.http === undefined ? undefined : (await import('./http.ts')).prepareHttp(options.http, options, terminal);
  // a host of stdio would show one bad skill as a server that cannot be reached; a roll-out over HTTP has to stop at it
  const { invalid = options.http === undefined && options.strict !== true ? 'skip' : 'fail' } = options;
  const published = { ...options, invalid, needsSkill: true, lints: options.page === true };
  const start = new Date();
  const policing = http && (await createPolicing(options, http.hasAuth, terminal));
  const loaded = await loadRoots(roots, published, terminal);
  if ('status' in loaded) {
    if (http === undefined) {
      const { describeFailure } = await import('./reason.ts');
      await answerFailure(describeFailure(loaded.judged), terminal);
    }
    return loaded.status;
  }
  const { judged } = loaded;
  const { input, output, error, signal, version, cwd } = terminal;
  const listed = toListed(unlisted, judged.reports);
  const isListed = listed?.isListed;
  const lock = options.locked === undefined ? undefined : await createLockCheck(options.locked, roots, terminal);
  const logging = {
    format: options.log ?? 'text',
    lead: isStdio ? 'mcp-server-skills: ' : '',
    write: (text: string) => error.write(text),
    now: Date.now,
  };
  const log = createReloadLog(logging, judged.problems);
  let sources = listSources(judged.reports);
  // of a reading, before anybody knows whether it is taken
  let read = sources;
  const live = followRoots(
    {
      ...{ roots, options: published, judged, start, watch, interval },
      ...combineFollowing(lock?.following, policing?.following),
      onJudged: ({ reports }) => {
        listed?.update(reports);
        read = listSources(reports);
      },
      onReading: (event) => {
        if (event.result.outcome !== 'refused') sources = read;
        log.hear(event);
      },
      onNote: (message) => error.write(`mcp-server-skills: ${escapeLines(message)}\n`),
    },
    terminal,
  );
  const fault = await lock?.find(live.catalog);
  if (fault !== undefined) {
    error.write(`${fault.details}mcp-server-skills: nothing is published: ${escapeLines(fault.message)}\n`);
    if (isStdio) await answerFailure({ message: `no skills are served: ${escapeText(fault.message)}` }, terminal);
    return fault.status;
  }
  const status = policing?.check(live.catalog);
  if (status !== undefined) return status;
  const surfaces = { tools, prompts, maxPrompts, instructions, legacyIndex, resources, toolPrefix };
  const offered = { ttl, cacheScope, pageSize, ...surfaces, ...(isListed === undefined ? {} : { isListed }) };
  const info = { name: 'mcp-server-skills', version };
  if (http !== undefined) {
    const silent = { ...offered, channel: 'none' } as const;
    return http.publish(
      live,
      {
        createServer: (skills, toStandIn) =>
          createInstance(info, skills, silent, { toStandIn, hidesPaths: true, isExchanged: true }),
        ask: log.ask,
        describePrompts: (catalog) => toOffer(catalog, silent).describePrompts(),
        facts: {
          ...(lock === undefined ? {} : { locked: true }),
          get sources() {
            return sources.length === 0 ? undefined : sources;
          },
        },
      },
      { roots, isListed },
      policing,
    );
  }
  // without a watch nothing that is served here changes
  const skills = watch === false ? live.catalog : live;
  const addRun =
    options.run === undefined
      ? undefined
      : await (await import('./scripts.ts')).prepareRun(options.run, toolPrefix, live.catalog, terminal);
  for (const { code, path, message } of judged.problems) {
    if (code === 'message-size') error.write(`mcp-server-skills: ${escapeText(path)}: ${message}\n`);
  }
  if (input.isTTY === true) {
    const isExample = roots.length === 0 && judged.reports[0]?.root.path === toExample(terminal);
    const placed = flags.map((flag) => toPlacedFlag(flag, cwd));
    error.write(toGreeting(judged.reports, isExample, placed, live.catalog.skills.length));
  }
  const following = setTimeout(() => void live.start(), LEISURE).unref();
  const failure = await serveStdio({
    input,
    output,
    signal,
    createServer: () => {
      const server = createInstance(info, skills, offered);
      addRun?.(server);
      return server;
    },
    onClient: (name) => {
      const cut =
        name === CLAUDE_CODE ? explainCut(live.catalog.skills.filter(isListed ?? (() => true)), pageSize) : undefined;
      if (cut !== undefined) error.write(`mcp-server-skills: ${cut}\n`);
    },
    onError: ({ message }) => error.write(`mcp-server-skills: ${escapeLines(message)}\n`),
  });
  clearTimeout(following);
  await live.close();
  return failure === undefined ? EXIT.well : EXIT.failure;
}

/** A source with the state of it that is served. */
function describeSource({ path, tree }: RootReport['root']): string {
  return `${path} (${tree?.revision})`;
}

/** Loads what compares with a lock only where there is one. */
async function createLockCheck(typed: string | true, roots: readonly string[], terminal: Terminal) {
  const [{ findLockFault }, { toLockPath }] = await Promise.all([import('./locked.ts'), import('./placed.ts')]);
  const find = (catalog: SkillCatalog) => findLockFault(typed, roots, catalog, terminal);
  const accept = async (catalog: SkillCatalog) => (await find(catalog))?.message;
  return { find, following: { accept, beside: [resolve(terminal.cwd, toLockPath(typed))] } };
}

/** Loads what decides who sees what only where there is a policy. */
async function createPolicing(options: ServeOptions, hasAuth: boolean, terminal: Terminal) {
  const { policy } = options;
  if (policy === undefined) return undefined;
  const { loadPolicing } = await import('./policing.ts');
  return loadPolicing({ ...options, policy, hasAuth }, terminal);
}

/** What else counts beside the roots: a change is taken where nothing objects. */
interface Following {
  readonly accept: (catalog: SkillCatalog) => Promise<string | undefined>;
  readonly beside: readonly string[];
}

function combineFollowing(...all: readonly (Following | undefined)[]): Following {
  const given = all.filter((each) => each !== undefined);
  return {
    beside: given.flatMap(({ beside }) => beside),
    async accept(catalog) {
      for (const { accept } of given) {
        const objection = await accept(catalog);
        if (objection !== undefined) return objection;
      }
      return undefined;
    },
  };
}

/** How long a client may keep answers of what does not change, in seconds. */
export const FIXED_TTL = 300;

/** The same of what does. */
const FOLLOWED_TTL = 60;

/** How long the first client has the server for itself before changes are looked for, in milliseconds. */
const LEISURE = 250;

/** What a person at a terminal is told, who would otherwise see nothing happen. */
function toGreeting(
  reports: readonly RootReport[],
  isExample: boolean,
  flags: readonly string[],
  skills: number,
): string {
  const places = reports
    .map(({ root }) => (isSource(root) ? describeSource(root) : (root.folder ?? root.path)))
    .join(', ');
  const roots = reports.map(({ root }) => {
    const source = isSource(root) ? readSource(root.path, resolve('.')) : undefined;
    const path = source === undefined ? resolve(root.path) : placeSource(root.path, source, (each) => resolve(each));
    return `${root.prefix === '' ? '' : `${root.prefix}=`}${path}`;
  });
  // the package that an IDE starts is another one, with an example of its own
  const args = [...(isExample ? [] : roots), ...flags];
  const config = {
    mcpServers: { skills: { command: 'npx', args: ['-y', 'mcp-server-skills', ...args] } },
  };
  return [
    `Serving ${countOf(skills, 'skill')} from ${escapeText(places)} over stdio.`,
    'This speaks MCP and waits for a client. To connect an IDE, put this into its MCP configuration:',
    escapeJson(JSON.stringify(config)),
    'Ctrl-C ends it. "mcp-server-skills check" shows what is wrong with skills, "list" what is published.',
    '',
  ].join('\n');
}
