import { resolve } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { quoteArgument } from '../catalog/label.ts';
import { checkLock } from '../lock/compare.ts';
import { describeMismatch, formatDiffText } from '../lock/describe.ts';
import { LOCK_FILE } from '../lock/filename.ts';
import { type Lock, LockError, readLock } from '../lock/lockfile.ts';
import { toLockPath } from './placed.ts';
import { readTextFile } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

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
 * Reads a lock that has to be there.
 *
 * @throws CommandError
 */
export async function requireLock(file: string, roots: readonly string[], { cwd }: Terminal): Promise<Lock> {
  let text: string;
  try {
    text = await readTextFile(resolve(cwd, file), file);
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw error;
    const hint = `write it with ${toLockCommand(file, roots)}`;
    throw new CommandError(EXIT.usage, `there is no lock ${resolve(cwd, file)}: ${hint}`, { cause: error });
  }
  try {
    return readLock(text);
  } catch (error) {
    if (!(error instanceof LockError)) throw error;
    throw new CommandError(EXIT.usage, `"${file}" is not a lock: ${error.message}`, { cause: error });
  }
}

/** The command that writes a lock. */
export function toLockCommand(file: string, roots: readonly string[]): string {
  const out = file === LOCK_FILE ? [] : ['--out', file];
  return ['mcp-server-skills lock', ...[...roots, ...out].map(quoteArgument)].join(' ');
}

/** Why a catalog may not be served under a lock; undefined where it is the locked one. */
export async function findLockFault(
  typed: string | true,
  roots: readonly string[],
  catalog: SkillCatalog,
  terminal: Terminal,
): Promise<LockFault | undefined> {
  const file = toLockPath(typed);
  try {
    const diff = checkLock(catalog, await requireLock(file, roots, terminal));
    if (diff === undefined) return undefined;
    return { status: EXIT.problems, message: describeMismatch(diff, file), details: formatDiffText(diff) };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { status: error.status, message: error.message, details: '' };
  }
}
