import { isBuildFolder, isName } from '../text/names.ts';
import { findSkillFile, type WalkedFolder } from './walk.ts';

/** A folder below which skills are, and how many. */
export interface Group {
  readonly folder: WalkedFolder;
  readonly count: number;
}

/** The folders of a root, sorted by what they are. */
export interface SortedFolders {
  readonly skills: WalkedFolder[];
  /** The root, and folders below which skills are. */
  readonly groups: WalkedFolder[];
  /** Folders below which skills are, and whose names no group may have. */
  readonly misnamed: Group[];
  /** The outermost folders below which no skill is. */
  readonly ignored: WalkedFolder[];
  /** Skills below a group whose name no group may have. */
  readonly blocked: ReadonlySet<WalkedFolder>;
  /** Folders that could not be read. */
  readonly closed: WalkedFolder[];
}

/** Sorts the folders below a root into skills, groups, and what is neither (publishing rule 1). */
export function sortFolders(root: WalkedFolder): SortedFolders {
  const blocked = new Set<WalkedFolder>();
  const sorted: SortedFolders = { skills: [], groups: [root], misnamed: [], ignored: [], blocked, closed: [] };
  const counts = new Map<WalkedFolder, number>();
  countSkills(root, counts);
  const visit = (folder: WalkedFolder, isBlocked: boolean) => {
    const count = counts.get(folder) ?? 0;
    if (folder.fault !== undefined) sorted.closed.push(folder);
    else if (findSkillFile(folder) !== undefined) {
      sorted.skills.push(folder);
      if (isBlocked) blocked.add(folder);
    } else if (count === 0) sorted.ignored.push(folder);
    else {
      const isGood = isName(folder.name);
      if (!isGood) sorted.misnamed.push({ folder, count });
      // what skills in build output look like is nobody's business
      if (!isGood && isBuildFolder(folder.name)) return;
      sorted.groups.push(folder);
      for (const child of folder.folders) visit(child, isBlocked || !isGood);
    }
  };
  for (const child of root.folders) visit(child, false);
  return sorted;
}

/** How many skills are at and below each folder. */
function countSkills(folder: WalkedFolder, counts: Map<WalkedFolder, number>): number {
  let count = findSkillFile(folder) === undefined ? 0 : 1;
  if (count === 0) for (const child of folder.folders) count += countSkills(child, counts);
  counts.set(folder, count);
  return count;
}
