import { resolve } from 'node:path';
import type { RootReport } from '../judge/judge.ts';
import { createInstance } from '../mcp/instance.ts';
import type { ToStandIn } from '../mcp/methods.ts';
import { answerFailure } from '../stdio/failure.ts';
import { serveStdio } from '../stdio/stdio.ts';
import { countOf } from '../text/count.ts';
import { escapeJson, escapeLines, escapeText } from '../text/escape.ts';
import { CLAUDE_CODE, explainCut } from './claude.ts';
import { findHttpFlag, type HttpFlags } from './flags.ts';
import { toExample } from './judging.ts';
import { toPlacedFlag } from './placed.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { toListed } from './unlisted.ts';

/** The options of `serve`. */
export interface ServeOptions extends Omit<PublishOptions, 'invalid'>, HttpFlags {
  /** Default: `skip` on stdio, `fail` over HTTP and with `--strict`. */
  readonly invalid?: PublishOptions['invalid'];
  /** In seconds. */
  readonly ttl: number;
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
  const { ttl, cacheScope, pageSize, tools, prompts, maxPrompts, instructions, legacyIndex = false } = options;
  const { resources, toolPrefix = '', unlisted } = options;
  const flag = options.http === undefined ? findHttpFlag(options) : undefined;
  if (flag !== undefined) throw new CommandError(EXIT.usage, `${flag} needs --http`);
  if (options.run !== undefined && options.http !== undefined) {
    throw new CommandError(EXIT.usage, '--run is for stdio: leave out --run or --http');
  }
  const publish =
    options.http === undefined ? undefined : (await import('./http.ts')).prepareHttp(options.http, options, terminal);
  // a host of stdio would show one bad skill as a server that cannot be reached; a roll-out over HTTP has to stop at it
  const { invalid = options.http === undefined && options.strict !== true ? 'skip' : 'fail' } = options;
  const loaded = await publishRoots(
    roots,
    { ...options, invalid, needsSkill: true, lints: options.page === true },
    terminal,
  );
  if ('status' in loaded) {
    if (publish === undefined) {
      const { describeFailure } = await import('./reason.ts');
      await answerFailure(describeFailure(loaded.judged), terminal);
    }
    return loaded.status;
  }
  const { catalog, judged } = loaded;
  const { input, output, error, signal, version, cwd } = terminal;
  if (options.locked !== undefined) {
    const { findLockFault } = await import('./locked.ts');
    const fault = await findLockFault(options.locked, roots, catalog, terminal);
    if (fault !== undefined) {
      error.write(`${fault.details}mcp-server-skills: nothing is published: ${escapeLines(fault.message)}\n`);
      if (publish === undefined)
        await answerFailure({ message: `no skills are served: ${escapeText(fault.message)}` }, terminal);
      return fault.status;
    }
  }
  const isListed = toListed(unlisted, judged.reports);
  const surfaces = { tools, prompts, maxPrompts, instructions, legacyIndex, resources, toolPrefix };
  const offered = { ttl, cacheScope, pageSize, ...surfaces, ...(isListed === undefined ? {} : { isListed }) };
  const createServer = (toStandIn?: ToStandIn) =>
    createInstance({ name: 'mcp-server-skills', version }, catalog, offered, toStandIn);
  if (publish !== undefined) {
    const page = { problems: judged.problems, roots, isListed };
    return publish(catalog, createServer, page, options.locked === undefined ? {} : { locked: true });
  }
  const addRun =
    options.run === undefined
      ? undefined
      : await (await import('./scripts.ts')).prepareRun(options.run, toolPrefix, catalog, terminal);
  for (const { code, path, message } of judged.problems) {
    if (code === 'message-size') error.write(`mcp-server-skills: ${escapeText(path)}: ${message}\n`);
  }
  if (input.isTTY === true) {
    const isExample = roots.length === 0 && judged.reports[0]?.root.path === toExample(terminal);
    const placed = flags.map((flag) => toPlacedFlag(flag, cwd));
    error.write(toGreeting(judged.reports, isExample, placed, catalog.skills.length));
  }
  const failure = await serveStdio({
    input,
    output,
    signal,
    createServer: () => {
      const server = createServer();
      addRun?.(server);
      return server;
    },
    onClient: (name) => {
      const cut =
        name === CLAUDE_CODE ? explainCut(catalog.skills.filter(isListed ?? (() => true)), pageSize) : undefined;
      if (cut !== undefined) error.write(`mcp-server-skills: ${cut}\n`);
    },
    onError: ({ message }) => error.write(`mcp-server-skills: ${escapeLines(message)}\n`),
  });
  return failure === undefined ? EXIT.well : EXIT.failure;
}

/** What a person at a terminal is told, who would otherwise see nothing happen. */
function toGreeting(
  reports: readonly RootReport[],
  isExample: boolean,
  flags: readonly string[],
  skills: number,
): string {
  const places = reports.map(({ root }) => root.folder ?? root.path).join(', ');
  const roots = reports.map(({ root }) => `${root.prefix === '' ? '' : `${root.prefix}=`}${resolve(root.path)}`);
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
