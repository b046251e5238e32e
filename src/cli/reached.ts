// How a command of the host's side names a server: a URL, or a command after "--".
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { quoteArgument } from '../text/shell.ts';
import type { Era } from '../verify/dialogue.ts';
import type { Wire } from '../verify/wire.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { collect, DAY, toBytes, toWholeNumber } from './values.ts';

/** The options that say how a server is reached, and how much is read of it. */
export interface TargetOptions {
  readonly era: Era | 'both';
  readonly header: readonly string[];
  readonly tokenEnv?: string;
  readonly cwd?: string;
  readonly env: readonly string[];
  readonly skill?: string;
  readonly unlisted: readonly string[];
  readonly maxSkills: number;
  readonly maxBytes: number;
  readonly concurrency: number;
  /** In seconds. */
  readonly timeout: number;
  /** In seconds. */
  readonly startTimeout: number;
}

/** A server, and how it is named in reports: without what may be secret. */
export interface Target {
  readonly label: string;
  readonly connect: (revision: () => string | undefined) => Wire;
  /** Whether it is a site, which is read in one way whatever the revision. */
  readonly isSite?: true;
}

/** Adds the argument and the options to a command. */
export function addTarget(command: Command): Command {
  return command
    .usage('[options] [url] [-- command args...]')
    .argument('[target...]', 'the http or https URL of a server; or after "--", the command that starts one on stdio')
    .addOption(
      new Option('--era <era>', 'protocol revisions; modern: 2026-07-28; legacy: 2025-11-25')
        .choices(['modern', 'legacy', 'both'])
        .default('both'),
    )
    .option('--header <header>', "send this header with each request, 'Name: value' (repeatable)", collect, [])
    .option('--token-env <name>', 'send the value of this environment variable as a bearer token')
    .option('--cwd <folder>', 'the working directory of the command')
    .option('--env <name>', 'pass this environment variable to the command (repeatable)', collect, [])
    .option('--skill <glob>', "only skills whose path matches, such as 'billing/*'")
    .option('--unlisted <uri>', 'also a skill that is in no listing, by its URI (repeatable)', collect, [])
    .option('--max-skills <n>', 'skills to read at most', toWholeNumber(1), 1000)
    .option(
      '--max-bytes <size>',
      'bytes of files to read at most, such as 64MiB (default: 256MiB)',
      toBytes,
      256 * 1024 ** 2,
    )
    .option('--concurrency <n>', 'requests at a time, 16 at most', toWholeNumber(1), 4)
    .option('--timeout <seconds>', 'seconds to wait for a response', toWholeNumber(1, DAY), 30)
    .option('--start-timeout <seconds>', 'seconds to wait for the first response', toWholeNumber(1, DAY), 30);
}

/** How long a site is looked for, in milliseconds. */
const SITE_MS = 10_000;

/** What a command is started with; everything else is passed only where it is asked for. */
const INHERITED =
  'PATH HOME LANG TMPDIR APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROGRAMDATA PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERPROFILE WINDIR'.split(
    ' ',
  );

/**
 * Finds out what a command is about. Nothing is started yet, and nothing is sent but to a site.
 *
 * @param operands - the arguments of the command, those after `--` included
 * @param args - the whole command line
 * @param takesSite - whether a URL may be that of a site that `site` wrote; that is looked for then
 * @throws CommandError for what is no target
 */
export async function openTarget(
  operands: readonly string[],
  args: readonly string[],
  options: TargetOptions,
  terminal: Terminal,
  takesSite = false,
): Promise<Target> {
  const at = args.indexOf('--');
  const typed = at === -1 ? [] : args.slice(at + 1);
  const [url, ...others] = operands.slice(0, operands.length - typed.length);
  if (others.length > 0)
    throw usage(
      `one URL is expected, and ${quoteArgument(others[0] ?? '')} is another argument: write a command after "--"`,
    );
  const [command, ...rest] = typed;
  if (url !== undefined && command !== undefined) throw usage('a URL and a command are two servers: leave one out');
  if (url !== undefined) return openUrl(url, options, terminal, takesSite);
  if (command === undefined) throw usage('no server is given: pass its URL, or after "--" the command that starts it');
  const flag = options.header.length > 0 ? '--header' : options.tokenEnv === undefined ? undefined : '--token-env';
  if (flag !== undefined) throw usage(`${flag} is for a URL: pass environment variables to a command with --env`);
  const { startChild } = await import('../verify/spawned.ts');
  const { cwd, env, platform } = terminal;
  const passed = Object.fromEntries(
    [...INHERITED, ...requireVariables(options.env, terminal)].flatMap((name) =>
      env[name] === undefined ? [] : [[name, env[name]]],
    ),
  ) as Record<string, string>;
  return {
    label: typed.map(quoteArgument).join(' '),
    connect: () => startChild({ command, args: rest, cwd: resolve(cwd, options.cwd ?? '.'), env: passed, platform }),
  };
}

function requireVariables(names: readonly string[], { env }: Terminal): readonly string[] {
  const missing = names.find((name) => env[name] === undefined);
  if (missing !== undefined) throw usage(`the environment variable ${quoteArgument(missing)} is not set`);
  return names;
}

async function openUrl(text: string, options: TargetOptions, terminal: Terminal, takesSite: boolean): Promise<Target> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usage(`"${text}" is not an http or https URL: to start a server, write its command after "--"`);
  }
  if (url.username !== '' || url.password !== '')
    throw usage('a URL with a password shows it to others: use --token-env');
  const flag = options.cwd === undefined ? (options.env.length > 0 ? '--env' : undefined) : '--cwd';
  if (flag !== undefined) throw usage(`${flag} is for a command, and a URL is given`);
  const headers = readHeaders(options, terminal);
  const { createPost, describeUrl } = await import('../verify/post.ts');
  if (takesSite) {
    const { openSite } = await import('../pull/published.ts');
    const site = await openSite({ url, headers, signal: AbortSignal.timeout(SITE_MS) });
    if (site !== undefined) return { label: describeUrl(url), connect: site, isSite: true };
  }
  return { label: describeUrl(url), connect: (version) => createPost({ url, headers, version }) };
}

function readHeaders({ header, tokenEnv }: TargetOptions, { env }: Terminal): Record<string, string> {
  const headers = new Headers();
  for (const line of header) {
    const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (/^(?:proxy-)?authorization$/i.test(name)) {
      throw usage(
        'a token on the command line shows in the list of processes: put it into a variable, and use --token-env',
      );
    }
    try {
      headers.append(name, value);
    } catch {
      throw usage(`"${line}" is not a header: write 'Name: value'`);
    }
  }
  if (tokenEnv === undefined) return Object.fromEntries(headers);
  const token = env[tokenEnv];
  if (!token) throw usage(`the environment variable ${quoteArgument(tokenEnv)} is not set`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw usage(`the environment variable ${quoteArgument(tokenEnv)} contains no token`);
  return { ...Object.fromEntries(headers), authorization: `Bearer ${token}` };
}

function usage(message: string): CommandError {
  return new CommandError(EXIT.usage, message);
}
