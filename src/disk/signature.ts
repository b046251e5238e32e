import { createHash, type Hash, hash } from 'node:crypto';
import { compareText } from '../problems.ts';
import type { LoadOptions } from './loading.ts';
import { type Root, resolveRoots } from './roots.ts';
import type { SeenFile, SkillTree } from './skilltree.ts';
import { createPause } from './slice.ts';
import { joinPath, type WalkedFolder, walkRoot } from './walk.ts';

/** What tells one state of a skill from another, without its bytes. */
export interface SkillMark {
  readonly mark: string;
  /** When the last of its files was changed, in milliseconds since 1970. */
  readonly changed: number;
}

/** Whether the skill at a path is what an earlier reading read. */
export type Earlier = (path: string, mark: SkillMark) => boolean;

/**
 * undefined where nothing tells whether one of the files is another one now.
 *
 * @param facts - what is known of the skill beside its files
 */
export function markSkill(tree: SkillTree, facts: object, seen: readonly SeenFile[]): SkillMark | undefined {
  let changed = 0;
  const marks: string[] = [];
  for (const file of seen) {
    const mark = tree.markOf(file);
    if (mark === undefined) return undefined;
    marks.push(mark.text);
    changed = Math.max(changed, mark.changed);
  }
  return { mark: hash('sha256', JSON.stringify([facts, marks]), 'hex'), changed };
}

/** What tells one state of whole roots from another, without reading a file. */
export interface RootsSignature {
  /** Equal for two looks between which nobody changed what is below the roots, or which folders they are. */
  readonly signature: string;
  /** When the last change of a file was, in milliseconds since 1970; 0 where nothing tells. */
  readonly changed: number;
  /** The folders on disk that were walked, absolute: what would have to be watched. */
  readonly folders: readonly string[];
}

/**
 * Looks at everything that a reading of the roots would look at: where each root leads, and below it the path, kind, device, inode, size
 * and times of each entry that is neither hidden nor excluded. Hidden entries count by name, folders by what they hold.
 *
 * @throws TypeError as `resolveRoots` does
 */
export async function signRoots(
  roots: Root | readonly Root[],
  { exclude = [], from }: Pick<LoadOptions, 'exclude' | 'from'> = {},
): Promise<RootsSignature> {
  const sum = createHash('sha256');
  const pause = createPause();
  const folders: string[] = [];
  let changed = 0;
  for (const { path, prefix, folder, tree, fault } of resolveRoots(roots, from)) {
    addLine(sum, [path, prefix, folder, tree?.revision, fault]);
    if (tree === undefined) continue;
    const visit = async (walked: WalkedFolder) => {
      if (folder !== undefined) folders.push(walked.path === '' ? folder : `${folder}/${walked.path}`);
      changed = Math.max(changed, await addFolder(sum, tree, walked));
      await pause();
      for (const child of walked.folders.toSorted(byName)) await visit(child);
    };
    await visit(walkRoot(tree, exclude));
  }
  return { signature: sum.digest('hex'), changed, folders };
}

/** Adds what is directly in a folder, and returns when the last of its files was changed. */
async function addFolder(sum: Hash, tree: SkillTree, walked: WalkedFolder): Promise<number> {
  const { path, files, links, specials, submodules, hidden, stats, fault } = walked;
  addLine(sum, [path, stats?.dev, stats?.ino, fault, specials.toSorted(), submodules.toSorted(), hidden.toSorted()]);
  // what a link leads to decides whether it is in the way
  for (const name of links.toSorted()) addLine(sum, [name, await tree.followLink(joinPath(walked, name))]);
  let changed = 0;
  const { seen, faults } = await tree.look(
    files.toSorted().map((name) => ({ path: joinPath(walked, name), folder: walked })),
    false,
  );
  for (const file of seen) {
    const mark = tree.markOf(file);
    addLine(sum, [file.path, file.size, mark?.text]);
    changed = Math.max(changed, mark?.changed ?? 0);
  }
  addLine(sum, faults);
  return changed;
}

function addLine(sum: Hash, facts: readonly unknown[]): void {
  sum.update(`${JSON.stringify(facts)}\n`);
}

function byName(a: WalkedFolder, b: WalkedFolder): number {
  return compareText(a.name, b.name);
}
