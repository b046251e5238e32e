import type { ScannedRoot } from '../disk/scan.ts';
import { isSkillFileName, joinPath, type WalkedFolder } from '../disk/walk.ts';
import type { Problem } from '../problems.ts';
import { isBuildFolder, isName } from '../text/names.ts';
import { findHiddenSkills } from './hidden.ts';
import {
  toFolderLinks,
  toFoldersIgnored,
  toHiddenIgnored,
  toLinksIgnored,
  toLostSkill,
  toSkillFileFolder,
} from './ignored.ts';
import { findLostSkills } from './lost.ts';
import { toFaultProblem, toGroupName, toSpecialProblem, toSubmoduleProblem } from './refusals.ts';
import { LINK_BYTES, readTextLink, type TextLink, toTextLinkFiles } from './textlink.ts';

/** The most of a Markdown file that is read to see whether it describes a skill, in bytes. */
const TEXT_BYTES = 256 * 1024;

/** Judges what lies beside the skills of a root: what is refused, and what is ignored (publishing rules 1, 2 and 5). */
export async function judgeBeside(scanned: ScannedRoot): Promise<Problem[]> {
  const { tree, sorted } = scanned;
  const { skills, groups, misnamed, ignored, closed } = sorted;
  const problems: Problem[] = [...closed.flatMap(toClosedFolder), ...misnamed.map(toGroupName)];
  const links: string[] = [];
  for (const group of groups) {
    const { folders, others } = await sortLinks(group, scanned);
    for (const link of others) links.push(link);
    for (const problem of toFolderLinks(group, folders, tree, skills.length > 0)) problems.push(problem);
    for (const name of group.specials) problems.push(toSpecialProblem(joinPath(group, name)));
    for (const name of group.submodules) problems.push(toSubmoduleProblem(joinPath(group, name)));
    for (const problem of await findTextLinks(group, scanned)) problems.push(problem);
  }
  const plain: WalkedFolder[] = [];
  for (const folder of ignored) {
    const found = await judgeIgnored(folder, scanned);
    for (const problem of found) problems.push(problem);
    if (found.length > 0 || isEmptied(folder)) continue;
    const hidden = findHiddenSkills(tree, folder);
    if (hidden.length === 0) plain.push(folder);
    // without a skill in sight, the problem of the root names them
    else if (skills.length > 0) problems.push(toHiddenIgnored(folder, hidden, tree.label));
  }
  return [...problems, ...toFoldersIgnored(plain), ...toLinksIgnored(links)];
}

function toClosedFolder({ fault }: WalkedFolder): Problem[] {
  return fault === undefined ? [] : [toFaultProblem(fault)];
}

/** What keeps a folder without a skill from being passed over: something in it that was meant to be a skill, or may hold one. */
async function judgeIgnored(folder: WalkedFolder, scanned: ScannedRoot): Promise<Problem[]> {
  const { tree, sorted } = scanned;
  const problems: Problem[] = [];
  const visit = async (each: WalkedFolder) => {
    problems.push(...toClosedFolder(each));
    if (isBuildFolder(each.name)) return;
    if (isSkillFileName(each.name)) problems.push(toSkillFileFolder(each));
    // what installers make: a folder of nothing but links to skills
    if (each.links.length > 0 && each.files.length === 0 && each.folders.length === 0) {
      const { folders } = await sortLinks(each, scanned);
      for (const problem of toFolderLinks(each, folders, tree, sorted.skills.length > 0)) problems.push(problem);
    }
    for (const problem of await findTextLinks(each, scanned)) problems.push(problem);
    for (const child of each.folders) await visit(child);
  };
  await visit(folder);
  // what an option took away is not lost
  if (problems.length > 0 || holdsExcluded(folder)) return problems;
  const readText = async (each: WalkedFolder, name: string) => {
    const bytes = await readSmall(each, name, scanned, TEXT_BYTES);
    return bytes && Buffer.from(bytes).toString();
  };
  return (await findLostSkills(folder, readText)).map(toLostSkill);
}

/** Whether an exclude pattern left out something of a folder that could have made it a group. */
export function holdsExcluded(folder: WalkedFolder): boolean {
  return folder.excluded || folder.folders.some(holdsExcluded);
}

/** Whether nothing is left of a folder but what exclude patterns leave out. */
function isEmptied(folder: WalkedFolder): boolean {
  const isBare = (each: WalkedFolder): boolean =>
    each.files.length + each.links.length + each.specials.length === 0 && each.folders.every(isBare);
  return holdsExcluded(folder) && isBare(folder);
}

/** The links of a folder: those that lead to folders, by name with the absolute path of the target, and the paths of the others. */
async function sortLinks(
  folder: WalkedFolder,
  { tree }: ScannedRoot,
): Promise<{ folders: ReadonlyMap<string, string>; others: readonly string[] }> {
  const folders = new Map<string, string>();
  const others: string[] = [];
  for (const name of folder.links) {
    const path = joinPath(folder, name);
    const target = await tree.followLink(path);
    if (target === undefined) others.push(path);
    else folders.set(name, target);
  }
  return { folders, others };
}

/** Files in the place of a skill's folder that hold the path of one: links that git wrote as text. */
async function findTextLinks(folder: WalkedFolder, scanned: ScannedRoot): Promise<Problem[]> {
  const links: TextLink[] = [];
  for (const name of folder.files.filter(isName)) {
    const bytes = await readSmall(folder, name, scanned, LINK_BYTES);
    const target = bytes === undefined ? undefined : readTextLink(bytes, () => false);
    if (target !== undefined) links.push({ path: joinPath(folder, name), target });
  }
  return toTextLinkFiles(folder.path, links);
}

/** The content of a small file; undefined where it is larger or cannot be read. */
function readSmall(
  folder: WalkedFolder,
  name: string,
  { tree, start }: ScannedRoot,
  most: number,
): Promise<Uint8Array | undefined> {
  return tree.peek({ path: joinPath(folder, name), folder }, most, start);
}
