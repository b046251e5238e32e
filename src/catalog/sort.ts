import { toExclude, toFault, toFaultProblem } from './faults.ts';
import { isBuildFolder, isName, toName } from './names.ts';
import { type Problem, toProblem } from './problems.ts';
import { findSkillFile, type WalkedFolder } from './walk.ts';

/** The folders of a root, sorted by what they are. */
export interface SortedFolders {
  readonly skills: WalkedFolder[];
  /** The root, and folders below which skills lie. */
  readonly groups: WalkedFolder[];
  /** The outermost folders below which no skill lies. */
  readonly ignored: WalkedFolder[];
  /** What is wrong with folders that would be groups. */
  readonly problems: Problem[];
}

/** Sorts the folders below a root into skills, groups, and what is neither (publishing rule 1). */
export function sortFolders(root: WalkedFolder): SortedFolders {
  const sorted: SortedFolders = { skills: [], groups: [root], ignored: [], problems: [] };
  const counts = new Map<WalkedFolder, number>();
  countSkills(root, counts);
  const visit = (folder: WalkedFolder) => {
    const count = counts.get(folder) ?? 0;
    if (folder.error !== undefined) sorted.problems.push(toFaultProblem(toFault(folder.path, folder.error)));
    else if (findSkillFile(folder) !== undefined) sorted.skills.push(folder);
    else if (count === 0) sorted.ignored.push(folder);
    else if (!isName(folder.name)) sorted.problems.push(toGroupName(folder));
    else {
      sorted.groups.push(folder);
      folder.folders.forEach(visit);
    }
  };
  root.folders.forEach(visit);
  return sorted;
}

/** How many skills lie at and below each folder. */
function countSkills(folder: WalkedFolder, counts: Map<WalkedFolder, number>): number {
  let count = findSkillFile(folder) === undefined ? 0 : 1;
  if (count === 0) for (const child of folder.folders) count += countSkills(child, counts);
  counts.set(folder, count);
  return count;
}

/** A group whose name no group may have: what lies below it has no URI (publishing rule 1). */
function toGroupName(folder: WalkedFolder): Problem {
  const name = isBuildFolder(folder.name) ? undefined : toName(folder.name);
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so nothing below it is published`,
    hint: `${name === undefined ? '' : `rename it to "${name}", or `}leave it out with ${toExclude(folder.path)}`,
  });
}
