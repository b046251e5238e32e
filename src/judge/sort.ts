import { findSkillFile, hasEntry, type WalkedFolder } from '../disk/walk.ts';
import { type Problem, toProblem } from '../problems.ts';
import { isBuildFolder, isName, toFreeName, toName } from '../text/names.ts';
import { toExclude, toFault, toFaultProblem } from './messages.ts';

/** The folders of a root, sorted by what they are. */
export interface SortedFolders {
  readonly skills: WalkedFolder[];
  /** The root, and folders below which skills lie. */
  readonly groups: WalkedFolder[];
  /** The outermost folders below which no skill lies. */
  readonly ignored: WalkedFolder[];
  /** Skills below a group whose name no group may have. */
  readonly blocked: ReadonlySet<WalkedFolder>;
  /** What is wrong with folders that would be groups. */
  readonly problems: Problem[];
}

/** Sorts the folders below a root into skills, groups, and what is neither (publishing rule 1). */
export function sortFolders(root: WalkedFolder): SortedFolders {
  const blocked = new Set<WalkedFolder>();
  const sorted: SortedFolders = { skills: [], groups: [root], ignored: [], blocked, problems: [] };
  const counts = new Map<WalkedFolder, number>();
  countSkills(root, counts);
  const visit = (folder: WalkedFolder, isBlocked: boolean) => {
    const count = counts.get(folder) ?? 0;
    if (folder.error !== undefined) sorted.problems.push(toFaultProblem(toFault(folder.path, folder.error)));
    else if (findSkillFile(folder) !== undefined) {
      sorted.skills.push(folder);
      if (isBlocked) blocked.add(folder);
    } else if (count === 0) sorted.ignored.push(folder);
    else {
      const isGood = isName(folder.name);
      if (!isGood) sorted.problems.push(toGroupName(folder, count));
      // what skills in build output look like is nobody's business
      if (!isGood && isBuildFolder(folder.name)) return;
      sorted.groups.push(folder);
      for (const child of folder.folders) visit(child, isBlocked || !isGood);
    }
  };
  for (const child of root.folders) visit(child, false);
  return sorted;
}

/** How many skills lie at and below each folder. */
function countSkills(folder: WalkedFolder, counts: Map<WalkedFolder, number>): number {
  let count = findSkillFile(folder) === undefined ? 0 : 1;
  if (count === 0) for (const child of folder.folders) count += countSkills(child, counts);
  counts.set(folder, count);
  return count;
}

/** The name that a group is renamed to; undefined for a build folder, and where nothing of its name can stay. */
function findGroupName({ name, parent }: WalkedFolder): string | undefined {
  const good = isBuildFolder(name) ? undefined : toName(name);
  return good && toFreeName(good, (each) => parent !== undefined && hasEntry(parent, each));
}

/** A group whose name no group may have: what lies below it has no URI (publishing rule 1). */
function toGroupName(folder: WalkedFolder, count: number): Problem {
  const name = findGroupName(folder);
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so ${count === 1 ? 'the skill below it is' : `the ${count} skills below it are`} not published`,
    hint: `${name === undefined ? '' : `rename it to "${name}", or `}leave it out with ${toExclude(folder.path)}`,
  });
}
