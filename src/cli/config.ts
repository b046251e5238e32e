import { access, stat } from 'node:fs/promises';
import { type Config, type ConfigRequest, toConfig } from '../config/configure.ts';
import type { ListFolder, Where } from '../config/host.ts';
import { findEntry, mergeEntry, PasteError } from '../config/merge.ts';
import { toPaths } from '../config/places.ts';
import { findLost, type Lost } from '../config/started.ts';
import { writeFile } from '../config/write.ts';
import { CommandError, EXIT } from '../error.ts';
import { escapeLines } from '../text/escape.ts';
import { quoteArgument } from '../text/shell.ts';
import { describeRoots, type FolderOptions, isFromNpx } from './folders.ts';

export interface ConfigOptions extends Omit<ConfigRequest, 'node' | 'version' | 'headers'>, FolderOptions {
  /** Headers for `url`. */
  header?: readonly string[] | undefined;
  /** Start node with this installation instead of npx. */
  node?: boolean | undefined;
  /** Merge the entry into the file instead of printing it. */
  write?: boolean | undefined;
  /** Replace an entry of that name that starts another server. */
  force?: boolean | undefined;
}

/** What the command reads and writes; the caller takes it from the process. */
export interface ConfigContext extends Where {
  stdout: { write: (text: string) => unknown };
  stderr: { write: (text: string) => unknown };
  /** This node and this command's own file, for `--node`. */
  execPath: string;
  bin: string;
  version: string;
  /** `process.getuid?.()` */
  uid: number | undefined;
  list: ListFolder;
}

/**
 * `mcp-server-skills config HOST [root…]`: prints the configuration on stdout, where it goes on stderr. Gives the exit
 * status: 0, 2 for wrong usage, 3 for a file that cannot be read, understood or written.
 */
export async function runConfig(options: ConfigOptions, context: ConfigContext): Promise<number> {
  let file: string | undefined;
  // what is said may quote a file, or the name of a folder
  const say = (line: string) => context.stderr.write(`${escapeLines(line)}\n`);
  let config: Config | undefined;
  try {
    const { version } = context;
    config = toConfig({ ...options, version, headers: options.header, node: toNode(options, context) }, context);
    const files = await toFiles(options, config, context);
    file = files[0];
    if (options.write) await write(files, config, options, context, say);
    else await print(files, config, context, say);
  } catch (error) {
    say(toMessage(error, file, context));
    if (error instanceof PasteError && config !== undefined) context.stdout.write(config.text);
    return error instanceof CommandError ? error.status : EXIT.failure;
  }
  if (options.url === undefined) for (const line of await describeRoots(options.roots, options, context)) say(line);
  return 0;
}

function toNode(options: ConfigOptions, { execPath, bin }: ConfigContext): ConfigRequest['node'] {
  if (!options.node) return undefined;
  if (isFromNpx(bin)) {
    throw new CommandError(
      EXIT.usage,
      '--node needs an installed package: run "npm install -g mcp-server-skills", and its command',
    );
  }
  if (options.pin !== undefined)
    throw new CommandError(EXIT.usage, '--pin is for npx: --node starts what is installed');
  return { execPath, bin };
}

/** The file that is meant; several where nobody can tell which. */
async function toFiles(
  options: ConfigOptions,
  config: Config,
  context: ConfigContext,
): Promise<readonly [string, ...string[]]> {
  if (options.file !== undefined) return [toPaths(context).resolve(context.cwd, options.file)];
  const [first, ...others] = await config.findFiles(context.list);
  if (first !== undefined) return [first, ...others];
  for (const file of config.files) if (await exists(file)) return [file];
  return [config.files[0]];
}

async function print(
  files: readonly string[],
  config: Config,
  { stdout }: ConfigContext,
  say: (line: string) => void,
): Promise<void> {
  const verb = (await exists(files[0] ?? '')) ? 'add this to' : 'put this in';
  say(`${config.host.title}: ${verb} ${files.join(' or ')} (or let --write do it)`);
  stdout.write(config.text);
  for (const { label, text } of config.shortcuts) say(`or ${label}: ${text}`);
  for (const note of config.notes) say(note);
}

async function write(
  [file, ...others]: readonly [string, ...string[]],
  config: Config,
  options: ConfigOptions,
  context: ConfigContext,
  say: (line: string) => void,
): Promise<void> {
  const { host, scope, syntax, wanted, mode } = config;
  if (others.length > 0) {
    const files = [file, ...others].map((each) => `--file "${each}"`).join(' or ');
    throw new CommandError(
      EXIT.usage,
      `${host.title} is installed more than once: say which file is meant, with ${files}`,
    );
  }
  let lost: Lost = { roots: [], options: [] };
  const merge = (text: string | undefined) => {
    if (text === undefined) return config.text;
    lost = findLost(findEntry(syntax, text, wanted), wanted.entry, context);
    return mergeEntry(syntax, text, wanted, { force: options.force ?? false });
  };
  // A file that the user names is the user's choice, wherever it is.
  const bounds = {
    scope: options.file === undefined ? scope : 'user',
    cwd: context.cwd,
    uid: context.uid,
    mode,
  } as const;
  const { path, outcome, lost: unkept } = await writeFile(file, merge, bounds);
  say(`${host.title}: ${outcome} ${path === file ? file : `${file} (a link to ${path})`}`);
  for (const each of unkept) say(`not kept: ${each}`);
  if (mode !== undefined && scope === 'user' && context.platform !== 'win32' && (await isReadable(path))) {
    say(`others on this machine can read the headers: chmod 600 ${quoteArgument(path)}`);
  }
  const before = [...lost.roots, ...lost.options].join(' ');
  if (options.url !== undefined && before !== '') say(`before, it was started with ${before}`);
  else if (lost.roots.length > 0) {
    say(`it published ${lost.roots.join(' ')} before: name that as a root, too, to keep it`);
  }
  if (options.url === undefined && lost.options.length > 0) {
    say(`it was started with ${lost.options.join(' ')} before: write that after "--" (or use --pin) to keep it`);
  }
  if (outcome !== 'unchanged') for (const note of config.notes) say(note);
}

/** Whether others than its owner may read a file. */
async function isReadable(file: string): Promise<boolean> {
  return ((await stat(file)).mode & 0o044) !== 0;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function toMessage(error: unknown, file: string | undefined, { cwd, platform }: ConfigContext): string {
  if (!(error instanceof Error)) return String(error);
  if (file === undefined || (error instanceof CommandError && error.status === EXIT.usage))
    return `config: ${error.message}`;
  const paths = toPaths({ platform });
  const inside = paths.relative(cwd, file);
  const name = inside === '' || inside.startsWith('..') ? file : inside;
  const { at: place } = error instanceof CommandError ? error : {};
  const at = place === undefined ? '' : `:${place.line}:${place.column}`;
  return `${name}${at}: ${error.message}; nothing was changed`;
}
