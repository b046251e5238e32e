import { access, stat } from 'node:fs/promises';
import { type Config, type ConfigRequest, toConfig } from '../config/config.ts';
import { ConfigError } from '../config/error.ts';
import { toPaths, type Where } from '../config/hosts.ts';
import { toFolder } from '../config/launch.ts';
import { findEntry, mergeEntry } from '../config/merge.ts';
import { findLost, type Lost } from '../config/started.ts';
import { writeFile } from '../config/write.ts';

export interface ConfigOptions extends Omit<ConfigRequest, 'node'> {
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
  /** `process.getuid?.()` */
  uid: number | undefined;
}

/**
 * `mcp-server-skills config HOST [root…]`: prints the configuration on stdout, where it goes on stderr. Gives the exit
 * status: 0, 2 for wrong usage, 3 for a file that cannot be read, understood or written.
 */
export async function runConfig(options: ConfigOptions, context: ConfigContext): Promise<number> {
  let file: string | undefined;
  try {
    const config = toConfig({ ...options, node: toNode(options, context) }, context);
    await warnOfRoots(options, context);
    file = await toFile(options, config, context);
    if (options.write) await write(file, config, options, context);
    else await print(file, config, context);
    return 0;
  } catch (error) {
    context.stderr.write(`${toMessage(error, file, context)}\n`);
    return error instanceof ConfigError && error.kind === 'usage' ? 2 : 3;
  }
}

function toNode(options: ConfigOptions, { execPath, bin }: ConfigContext): ConfigRequest['node'] {
  if (!options.node) return undefined;
  // npx keeps what it downloads in a folder that it, and the user, may empty at any time.
  if (/[\\/]_npx[\\/]/.test(bin)) {
    throw new ConfigError(
      'usage',
      '--node needs an installed package: run "npm install -g mcp-server-skills", and its command',
    );
  }
  if (options.pin !== undefined) throw new ConfigError('usage', '--pin is for npx: --node starts what is installed');
  return { execPath, bin };
}

async function warnOfRoots({ roots }: ConfigOptions, context: ConfigContext): Promise<void> {
  if (roots.length === 0) context.stderr.write('no root: the server will publish $SKILLS_DIR, else its example\n');
  for (const root of roots) {
    const folder = toFolder(root, context);
    const isFolder = await stat(folder).then(
      (status) => status.isDirectory(),
      () => false,
    );
    if (!isFolder)
      context.stderr.write(`warning: "${folder}" is no folder now: the server will not start without it\n`);
  }
}

async function toFile(options: ConfigOptions, { files }: Config, context: ConfigContext): Promise<string> {
  if (options.file !== undefined) return toPaths(context).resolve(context.cwd, options.file);
  for (const file of files) if (await exists(file)) return file;
  return files[0];
}

async function print(file: string, config: Config, { stdout, stderr }: ConfigContext): Promise<void> {
  const verb = (await exists(file)) ? 'add this to' : 'put this in';
  stderr.write(`${config.host.title}: ${verb} ${file} (or let --write do it)\n`);
  stdout.write(config.text);
  for (const { label, text } of config.shortcuts) stderr.write(`or ${label}: ${text}\n`);
  for (const note of config.notes) stderr.write(`${note}\n`);
}

async function write(file: string, config: Config, options: ConfigOptions, context: ConfigContext): Promise<void> {
  const { host, scope, syntax, wanted } = config;
  let lost: Lost = { roots: [], options: [] };
  const merge = (text: string | undefined) => {
    if (text === undefined) return config.text;
    lost = findLost(findEntry(syntax, text, wanted), wanted.entry, context);
    return mergeEntry(syntax, text, wanted, { force: options.force ?? false });
  };
  // A file that the user names is the user's choice, wherever it is.
  const bounds = { scope: options.file === undefined ? scope : 'user', cwd: context.cwd, uid: context.uid } as const;
  const { path, outcome } = await writeFile(file, merge, bounds);
  const target = path === file ? file : `${file} (a link to ${path})`;
  context.stderr.write(`${host.title}: ${outcome} ${target}\n`);
  if (lost.roots.length > 0) {
    context.stderr.write(`it published ${lost.roots.join(' ')} before: name that as a root, too, to keep it\n`);
  }
  if (lost.options.length > 0) {
    context.stderr.write(
      `it was started with ${lost.options.join(' ')} before: say that behind "--" (or with --pin) to keep it\n`,
    );
  }
  if (outcome !== 'unchanged') for (const note of config.notes) context.stderr.write(`${note}\n`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function toMessage(error: unknown, file: string | undefined, { cwd, platform }: ConfigContext): string {
  if (!(error instanceof Error)) return String(error);
  if (file === undefined || (error instanceof ConfigError && error.kind === 'usage')) return `config: ${error.message}`;
  const paths = toPaths({ platform });
  const inside = paths.relative(cwd, file);
  const name = inside === '' || inside.startsWith('..') ? file : inside;
  const at = error instanceof ConfigError && error.line !== undefined ? `:${error.line}:${error.column}` : '';
  return `${name}${at}: ${error.message}; nothing was changed`;
}
