import { expandHome, parseRoot } from '../disk/roots.ts';
import { CommandError, EXIT } from '../error.ts';
import type { Launch, RootForm, Where } from './host.ts';
import { toPaths } from './places.ts';

/** The name under which the package is published, and its command. */
export const PACKAGE = 'mcp-server-skills';

export interface LaunchOptions {
  /** Folders, or `prefix=folder`. */
  roots: readonly string[];
  form: RootForm;
  /** What follows the roots, as it is: options of `serve`. */
  extra: readonly string[];
  /** A version or tag to pin: `1.2.3`. */
  pin?: string | undefined;
  /** Start npx through `cmd /c`: it is a script there, and Node does not start scripts. */
  windows: boolean;
  /** Start this node with this file instead of npx: for hosts whose PATH lacks npx, and for a start without a look-up. */
  node?: { execPath: string; bin: string } | undefined;
  /** What the host would replace in a root. */
  expands?: RegExp | undefined;
  title: string;
}

// What cmd acts on in an argument that Node has not quoted, and `%`, which it replaces even in quotes.
const CMD_ACTS_ON = /[&|<>^%"]/;

/** The command line of the server. Throws a CommandError for a root that would not arrive at the server as it is given. */
export function toLaunch(options: LaunchOptions, where: Where): Launch {
  if (options.pin !== undefined && !/^[\w.-]+(?:\+[\w.-]+)?$/.test(options.pin)) {
    throw new CommandError(EXIT.usage, `"${options.pin}" is not a version: write one like 1.2.3`);
  }
  if (options.roots.includes('')) throw new CommandError(EXIT.usage, 'a root is empty: is a variable unset?');
  const roots = options.roots.map((root) => {
    const argument = toRootArgument(root, options.form, where);
    // The variable that stands for the workspace is ours, and the host is to replace it.
    const literal = options.form === 'workspace' ? toRootArgument(root, 'relative', where) : argument;
    const found = options.expands?.exec(literal)?.[0];
    if (found !== undefined) {
      throw new CommandError(
        EXIT.usage,
        `"${literal}": ${options.title} reads "${found}" as a variable; rename the folder`,
      );
    }
    return argument;
  });
  const args = [...roots, ...options.extra];
  if (options.node !== undefined) return { command: options.node.execPath, args: [options.node.bin, ...args] };
  const npx = ['-y', options.pin === undefined ? PACKAGE : `${PACKAGE}@${options.pin}`, ...args];
  if (!options.windows) return { command: 'npx', args: npx };
  for (const argument of args) {
    const acted = CMD_ACTS_ON.exec(argument)?.[0];
    if (acted !== undefined) {
      throw new CommandError(EXIT.usage, `"${argument}": cmd acts on "${acted}"; start node without it, with --node`);
    }
  }
  return { command: 'cmd', args: ['/c', 'npx', ...npx] };
}

const WORKSPACE = '$' + '{workspaceFolder}';

/**
 * A root as an argument: its folder absolute, or below the working directory as `form` says, its prefix kept.
 * It begins with a slash, a drive, a dot, a variable or a prefix: never with a dash, which an option parser would take,
 * nor, without a prefix, with what looks like one.
 */
function toRootArgument(root: string, form: RootForm, where: Where): string {
  const { prefix, path: folder } = parseRoot(root);
  const paths = toPaths(where);
  const absolute = paths.resolve(where.cwd, expandHome(folder, where.home, where.cwd));
  const inside = paths.relative(where.cwd, absolute);
  const isInside = inside !== '..' && !inside.startsWith(`..${paths.sep}`) && !paths.isAbsolute(inside);
  let argument = absolute;
  if (isInside && form !== 'absolute') {
    const below = inside === '' ? '' : `/${inside.split(paths.sep).join('/')}`;
    argument = form === 'workspace' ? `${WORKSPACE}${below}` : `.${below}`;
  }
  return prefix === undefined ? argument : `${prefix}=${argument}`;
}

/** The folder that a root names, absolute. */
export function toFolder(root: string, where: Where): string {
  return toPaths(where).resolve(where.cwd, expandHome(parseRoot(root).path, where.home, where.cwd));
}

/** What two spellings of one root in a configuration have in common: the prefix, and the folder. */
export function toRootKey(root: string, where: Where): string {
  const { prefix = '' } = parseRoot(root);
  return `${prefix}=${toFolder(
    root.replace(WORKSPACE, () => where.cwd),
    where,
  )}`;
}
