import { resolve } from 'node:path';
import { writeFile } from '../config/write.ts';
import type { Comparable } from '../lock/comparable.ts';
import { compareCatalogs } from '../lock/compare.ts';
import { formatDiffText } from '../lock/describe.ts';
import { LOCK_FILE } from '../lock/filename.ts';
import { formatLock, toLock } from '../lock/lockfile.ts';
import { countOf } from '../text/count.ts';
import { quoteArgument } from '../text/shell.ts';
import { requireRoots } from './here.ts';
import { readLockFile, toLockCommand } from './locked.ts';
import { type PublishOptions, publishRoots } from './publish.ts';
import { isServer } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** The options of `lock`. */
export interface LockOptions extends Omit<PublishOptions, 'invalid' | 'needsSkill'> {
  readonly check?: boolean;
  /** `-` for stdout. */
  readonly out?: string;
  /** The environment variable that has the token of a server. */
  readonly tokenEnv?: string;
}

/** Writes which bytes would be served, or judges whether a lock says so; nothing is locked where a skill has an error. */
export async function runLock(args: readonly string[], options: LockOptions, terminal: Terminal): Promise<number> {
  const { check = false, out = LOCK_FILE } = options;
  if (check && out === '-') throw new CommandError(EXIT.usage, '--check compares a file: --out - is for writing');
  if (out === '') throw new CommandError(EXIT.usage, '--out is empty: is a variable unset?');
  const roots = requireRoots(args, terminal);
  const [first = '', ...others] = roots;
  const isOfServer = others.length === 0 && isServer(first);
  const loaded = await (isOfServer
    ? lockServer(first, options, terminal)
    : publishRoots(roots, { ...options, invalid: 'fail', canSkip: false }, terminal));
  if ('status' in loaded) return loaded.status;
  const { catalog } = loaded;
  if (check) return checkFile(out, catalog, toLockCommand(out, roots, options), terminal);
  const text = formatLock(toLock(catalog));
  if (out === '-') terminal.output.write(text);
  else terminal.error.write(`mcp-server-skills: ${await writeLock(out, text, catalog, terminal)}\n`);
  return EXIT.well;
}

/** What a server serves; nothing is locked where a strict host would refuse something of it. */
async function lockServer(
  url: string,
  { tokenEnv }: LockOptions,
  terminal: Terminal,
): Promise<{ catalog: Comparable } | { status: number }> {
  const { readServer } = await import('./serverside.ts');
  const { isSound, ...catalog } = await readServer(url, tokenEnv, terminal);
  if (isSound) return { catalog };
  terminal.error.write(`mcp-server-skills: nothing is locked: see mcp-server-skills verify ${quoteArgument(url)}\n`);
  return { status: EXIT.problems };
}

async function writeLock(file: string, text: string, catalog: Comparable, { cwd }: Terminal): Promise<string> {
  const merge = (before: string | undefined) => {
    if (before === undefined || before.trim() === '' || isLockLike(before)) return text;
    throw new CommandError(EXIT.usage, `"${file}" is there and is not a lock: remove it, or choose another --out`);
  };
  try {
    const { outcome } = await writeFile(resolve(cwd, file), merge, { scope: 'user', cwd, uid: undefined });
    const how = { created: 'wrote', changed: 'updated', unchanged: 'nothing to change in' }[outcome];
    return `${how} "${file}": ${countOf(catalog.skills.length, 'skill')}, ${toLock(catalog).digest}`;
  } catch (error) {
    if (error instanceof CommandError && error.status === EXIT.usage) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = error instanceof CommandError ? message : (code ?? message);
    throw new CommandError(EXIT.failure, `"${file}" cannot be written: ${why}`, { cause: error });
  }
}

/** Whether a file may be written over: a lock, also of another version, or with the marks of a merge. */
function isLockLike(text: string): boolean {
  return text.includes('"lockfileVersion"') && text.includes('"fingerprint"');
}

async function checkFile(file: string, catalog: Comparable, command: string, terminal: Terminal): Promise<number> {
  const { output, error } = terminal;
  const fail = (why: string) => {
    error.write(`mcp-server-skills: ${why}: write it with ${command}\n`);
    return EXIT.problems;
  };
  const found = await readLockFile(file, terminal);
  if (found === undefined) return fail(`there is no lock "${file}"`);
  const { lock, text } = found;
  const diff = compareCatalogs(lock, catalog);
  if (!diff.isEqual) {
    output.write(formatDiffText(diff));
    return fail(`"${file}" is not the lock of these skills`);
  }
  // git for Windows writes CRLF, and makes LF of it again
  if (text.replaceAll('\r\n', '\n') !== formatLock(lock)) return fail(`"${file}" was edited`);
  error.write(
    `mcp-server-skills: "${file}" is the lock of ${countOf(catalog.skills.length, 'skill')}, ${lock.digest}\n`,
  );
  return EXIT.well;
}
