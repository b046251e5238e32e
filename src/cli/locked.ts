import { resolve } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { checkLock } from '../lock/compare.ts';
import { describeMismatch, formatDiffText } from '../lock/describe.ts';
import { LOCK_FILE } from '../lock/filename.ts';
import { type Lock, LockError, readLock } from '../lock/lockfile.ts';
import { quoteArgument } from '../text/shell.ts';
import { type FolderFlags, listFolderFlags } from './flags.ts';
import { toLockPath } from './placed.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { readTextFile } from './textfile.ts';

/** Why a catalog is not served. */
export interface LockFault {
  /** To leave with. */
  readonly status: number;
  /** One sentence. */
  readonly message: string;
  /** What differs, for a person; empty where that is not known. */
  readonly details: string;
}

/**
 * Reads a lock and the text that it is of; undefined where there is no such file.
 *
 * @throws CommandError
 */
export async function readLockFile(
  file: string,
  { cwd }: Pick<Terminal, 'cwd'>,
): Promise<{ lock: Lock; text: string } | undefined> {
  try {
    const text = await readTextFile(resolve(cwd, file), file);
    return { lock: readLock(text), text };
  } catch (error) {
    if (error instanceof LockError) {
      throw new CommandError(EXIT.usage, `"${file}" is not a lock: ${error.message}`, { cause: error });
    }
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The command that writes a lock. */
export function toLockCommand(file: string, roots: readonly string[], flags: FolderFlags): string {
  const out = file === LOCK_FILE ? [] : ['--out', file];
  return ['mcp-server-skills lock', ...[...roots, ...listFolderFlags(flags), ...out].map(quoteArgument)].join(' ');
}

/** Why a catalog may not be served under a lock; undefined where it is the locked one. */
export async function findLockFault(
  typed: string | true,
  roots: readonly string[],
  flags: FolderFlags,
  catalog: SkillCatalog,
  terminal: Terminal,
): Promise<LockFault | undefined> {
  const file = toLockPath(typed);
  try {
    const found = await readLockFile(file, terminal);
    if (found === undefined) {
      const message = `there is no lock ${resolve(terminal.cwd, file)}: write it with ${toLockCommand(file, roots, flags)}`;
      return { status: EXIT.usage, message, details: '' };
    }
    const diff = checkLock(catalog, found.lock);
    if (diff === undefined) return undefined;
    return { status: EXIT.problems, message: describeMismatch(diff, file), details: formatDiffText(diff) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { status: error.status, message: error.message, details: '' };
  }
}
