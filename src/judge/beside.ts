import { readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readFiles, statFiles } from '../disk/read.ts';
import { isSkillFileName, joinPath, type WalkedFolder, type WalkedPlace } from '../disk/walk.ts';
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
import { toFault, toFaultProblem, toSpecialProblem } from './messages.ts';
import type { SortedFolders } from './sort.ts';
import { LINK_BYTES, readTextLink, toTextLinkFiles } from './textlink.ts';

/** The most of a Markdown file that is read to see whether it describes a skill, in bytes. */
const TEXT_BYTES = 256 * 1024;

/** Judges what lies beside the skills of a root: what is refused, and what is ignored (publishing rules 1, 2 and 5). */
export function judgeBeside({ skills, groups, ignored }: SortedFolders, place: WalkedPlace): Problem[] {
  const problems: Problem[] = [];
  const links: string[] = [];
  for (const group of groups) {
    const { folders, others } = sortLinks(group, place);
    for (const link of others) links.push(link);
    for (const problem of toFolderLinks(group, folders, place, skills.length > 0)) problems.push(problem);
    for (const name of group.specials) problems.push(toSpecialProblem(joinPath(group, name)));
    for (const problem of findTextLinks(group, place)) problems.push(problem);
  }
  const plain: WalkedFolder[] = [];
  for (const folder of ignored) {
    const found = judgeIgnored(folder, place, skills.length > 0);
    for (const problem of found) problems.push(problem);
    if (found.length > 0 || isEmptied(folder)) continue;
    const hidden = findHiddenSkills(place.folder, folder);
    if (hidden.length === 0) plain.push(folder);
    // without a skill in sight, the problem of the root names them
    else if (skills.length > 0) problems.push(toHiddenIgnored(folder, hidden, place.label));
  }
  return [...problems, ...toFoldersIgnored(plain), ...toLinksIgnored(links)];
}

/** What keeps a folder without a skill from being passed over: something in it that was meant to be a skill, or may hold one. */
function judgeIgnored(folder: WalkedFolder, place: WalkedPlace, hasSkills: boolean): Problem[] {
  const problems: Problem[] = [];
  const visit = (each: WalkedFolder) => {
    if (each.error !== undefined) problems.push(toFaultProblem(toFault(each.path, each.error)));
    if (isBuildFolder(each.name)) return;
    if (isSkillFileName(each.name)) problems.push(toSkillFileFolder(each));
    // what installers make: a folder of nothing but links to skills
    if (each.links.length > 0 && each.files.length === 0 && each.folders.length === 0) {
      const { folders } = sortLinks(each, place);
      for (const problem of toFolderLinks(each, folders, place, hasSkills)) problems.push(problem);
    }
    for (const problem of findTextLinks(each, place)) problems.push(problem);
    each.folders.forEach(visit);
  };
  visit(folder);
  // what an option took away is not lost
  if (problems.length > 0 || holdsExcluded(folder)) return problems;
  const readText = (each: WalkedFolder, name: string) => readSmall(each, name, place, TEXT_BYTES)?.toString('utf8');
  return findLostSkills(folder, readText).map(toLostSkill);
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
function sortLinks(
  folder: WalkedFolder,
  place: WalkedPlace,
): { folders: ReadonlyMap<string, string>; others: readonly string[] } {
  const folders = new Map<string, string>();
  const others: string[] = [];
  for (const name of folder.links) {
    const path = joinPath(folder, name);
    const link = `${place.folder}/${path}`;
    if (leadsToFolder(link)) folders.set(name, resolve(dirname(link), readTarget(link)));
    else others.push(path);
  }
  return { folders, others };
}

/** All that is asked about the target of a link (publishing rule 5). One that cannot be asked about may be a folder. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM';
  }
}

function readTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // gone since
    return '.';
  }
}

/** Files in the place of a skill's folder that hold the path of one: links that git wrote as text. */
function findTextLinks(folder: WalkedFolder, place: WalkedPlace): Problem[] {
  const links = folder.files.filter(isName).flatMap((name) => {
    const bytes = readSmall(folder, name, place, LINK_BYTES);
    const target = bytes === undefined ? undefined : readTextLink(bytes, () => false);
    return target === undefined ? [] : [{ path: joinPath(folder, name), target }];
  });
  return toTextLinkFiles(folder.path, links);
}

/** The content of a small file, read as those of skills are; undefined where it is larger or cannot be read. */
function readSmall(folder: WalkedFolder, name: string, place: WalkedPlace, most: number): Buffer | undefined {
  const { seen } = statFiles(place.folder, [{ path: joinPath(folder, name), folder }]);
  if (seen.every(({ stats }) => !stats.isFile() || stats.size > most)) return undefined;
  const [file] = readFiles(place.folder, seen, place.start).files;
  return file === undefined ? undefined : Buffer.from(file.bytes);
}
