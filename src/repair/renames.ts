import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isSame } from '../disk/folder.ts';
import { toBaseName } from '../text/names.ts';

/** A folder, and the path that it is to get: the same where it keeps its name. */
export interface FolderRename {
  /** The absolute folder of the root. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly newPath: string;
}

/**
 * Puts renames in an order in which every name is free when its turn comes, so that one run does what can be done; and says why the
 * others cannot be made: two folders claim one name, or something else has it.
 */
export function orderRenames<T extends FolderRename>(
  renames: readonly T[],
): { ordered: readonly T[]; refused: ReadonlyMap<T, string> } {
  const claims = new Map<string, Set<string>>();
  for (const { root, path, newPath } of renames) {
    if (path === newPath) continue;
    const target = join(root, newPath);
    claims.set(target, (claims.get(target) ?? new Set()).add(path));
  }
  const refused = new Map<T, string>();
  const ordered: T[] = [];
  // names that were given, and names that were given up
  const taken = new Set<string>();
  const left = new Set<string>();
  let waiting = renames.filter((rename) => {
    const count = claims.get(join(rename.root, rename.newPath))?.size ?? 0;
    if (count > 1) refused.set(rename, `${count} folders claim the name "${toBaseName(rename.newPath)}"`);
    return count < 2;
  });
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((rename) => {
      const [from, to] = [join(rename.root, rename.path), join(rename.root, rename.newPath)];
      if (from !== to && (taken.has(to) || (!left.has(to) && isTaken(from, to)))) return true;
      ordered.push(rename);
      if (from !== to) left.add(from);
      taken.add(to);
      return false;
    });
  }
  for (const rename of waiting) refused.set(rename, `"${toBaseName(rename.newPath)}" exists already`);
  return { ordered, refused };
}

/** Whether something else has a name already; on a disk that ignores case, a new case of the same name is nothing else. */
export function isTaken(from: string, to: string): boolean {
  const [there, here] = [to, from].map((path) => lstatSync(path, { throwIfNoEntry: false }));
  if (there === undefined) return false;
  return here === undefined || from.toLowerCase() !== to.toLowerCase() || !isSame(there, here);
}
