import { dirname } from 'node:path';
import type { SkillTree } from '../disk/skilltree.ts';
import { joinPath, type WalkedFolder } from '../disk/walk.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import { findCommonFolder, listNames, NAMES_SHOWN, toBaseName } from '../text/names.ts';
import { isArchiveLabel, toCheck, toTypedPath, toTypedPlace } from '../text/typed.ts';
import { type HiddenSkills, listHidden } from './hidden.ts';
import type { LostSkill } from './lost.ts';
import { toExclude, toExcludeOptions } from './messages.ts';

/** One warning for all folders of a root that are ignored: a repository has dozens (publishing rule 1). */
export function toFoldersIgnored(folders: readonly WalkedFolder[]): Problem[] {
  const paths = folders.map(({ path }) => path).sort(compareText);
  const [first] = paths;
  if (first === undefined) return [];
  const without = folders.filter(({ isSkillFileExcluded }) => isSkillFileExcluded === true);
  const reason =
    without.length === 0
      ? ''
      : `; an exclude pattern leaves out the SKILL.md of ${listNames(without.map(({ path }) => path))}`;
  const options = toExcludeOptions(paths);
  const move = 'move the files into the skills that use them';
  const [them, message] =
    paths.length === 1
      ? ['it', `the folder "${toBaseName(first)}" holds no skill, and is ignored`]
      : ['them', `${paths.length} folders hold no skill, and are ignored: ${listFolders(folders)}`];
  return [
    toProblem({
      code: 'folder-ignored',
      path: paths.length === 1 ? first : findCommonFolder(paths),
      message: message + reason,
      hint:
        options === undefined
          ? `${move}, and pass the folders that hold skills: the others are not looked at then`
          : `leave ${them} out with ${options}, or ${move}`,
    }),
  ];
}

/** A folder whose skills are all hidden. */
export function toHiddenIgnored({ name, path }: WalkedFolder, hidden: readonly HiddenSkills[], label: string): Problem {
  const folder = hidden[0]?.path ?? path;
  const pass = isArchiveLabel(label)
    ? `or unpack the archive, and pass its folder "${folder}"`
    : `and pass what is meant as a root of its own: ${toCheck(toTypedPath(label, folder))}`;
  return toProblem({
    code: 'folder-ignored',
    path,
    message: `the folder "${name}" holds no skill that is not hidden, and is ignored; ${listHidden(hidden, label)}`,
    hint: `leave it out with ${toExclude(path)}, ${pass}`,
  });
}

/** One warning for all links of a root that lead to no folder (publishing rule 2). */
export function toLinksIgnored(links: readonly string[]): Problem[] {
  const paths = [...links].sort(compareText);
  const [first] = paths;
  if (first === undefined) return [];
  const options = toExcludeOptions(paths);
  const [them, message] =
    paths.length === 1
      ? ['it', `"${toBaseName(first)}" is a symbolic link beside the skills that leads to no folder, and is ignored`]
      : [
          'them',
          `${paths.length} symbolic links beside the skills lead to no folder, and are ignored: ${listNames(paths)}`,
        ];
  return [
    toProblem({
      code: 'link-ignored',
      path: paths.length === 1 ? first : findCommonFolder(paths),
      message,
      hint:
        options === undefined
          ? `remove ${them}, or pass the folders that hold skills`
          : `leave ${them} out with ${options}`,
    }),
  ];
}

/**
 * Links of a root or group that lead to folders (publishing rule 5). Where several lead into one folder, as those do that installers
 * make for a second agent, one problem names the folder that was meant.
 *
 * @param links - by name, the absolute path that each leads to
 * @param hasSkills - whether the root has a skill; without, there is nothing left when the links are left out
 */
export function toFolderLinks(
  group: WalkedFolder,
  links: ReadonlyMap<string, string>,
  { folder = '', label }: SkillTree,
  hasSkills: boolean,
): Problem[] {
  const byParent = groupBy(links, ([, target]) => dirname(target));
  return [...byParent].map(([parent, found]) => {
    const names = found.map(([name]) => name);
    const paths = names.map((name) => joinPath(group, name)).sort(compareText);
    const [first = ''] = paths;
    const isOne = paths.length === 1;
    const options = toExcludeOptions(paths);
    const copy = `put ${isOne ? 'a copy in its place' : 'copies in their place'}`;
    const out = options === undefined || !hasSkills ? undefined : `leave ${isOne ? 'it' : 'them'} out with ${options}`;
    // a folder cannot be copied into itself
    const isAbove = found.some(([name, target]) => `${folder}/${joinPath(group, name)}`.startsWith(`${target}/`));
    const ways = isAbove ? (out ?? `remove ${isOne ? 'it' : 'them'}`) : [copy, out].filter(Boolean).join(', or ');
    const toPlace = (path: string) => (folder === '' ? toTypedPath(label, path.slice(1)) : toTypedPlace(label, path));
    const place = toPlace(parent);
    return toProblem({
      code: 'symlink',
      path: isOne ? first : group.path === '' ? '.' : group.path,
      message: isOne
        ? `"${toBaseName(first)}" is a symbolic link to the folder "${toPlace(links.get(toBaseName(first)) ?? parent)}", and links are not published`
        : `${paths.length} symbolic links lead to folders in "${place}", and links are not published: ${listNames(names)}`,
      hint: isApart(parent, folder)
        ? `if that is where the skills are, pass "${place}": ${toCheck(place)}; or ${ways}`
        : ways,
    });
  });
}

/** Whether neither of two folders lies in the other: what lies below the root is judged with it. */
function isApart(a: string, b: string): boolean {
  return !`${a}/`.startsWith(`${b}/`) && !`${b}/`.startsWith(`${a}/`);
}

/** A skill that lost its SKILL.md (publishing rule 1). */
export function toLostSkill({ folder, sign, file }: LostSkill): Problem {
  const { path } = folder;
  return toProblem({
    code: 'group-empty',
    path,
    message: `the folder "${folder.name}" looks like a skill that lost its SKILL.md: ${sign}`,
    hint: `${file === undefined ? `add ${path}/SKILL.md` : `rename ${path}/${file} to ${path}/SKILL.md`}, or leave the folder out with ${toExclude(path)}`,
  });
}

/** A folder in the place of SKILL.md. */
export function toSkillFileFolder({ name, path }: WalkedFolder): Problem {
  return toProblem({
    code: 'folder-name',
    path,
    message: `"${name}" is a folder, and what makes a skill is a file of that name`,
    hint: `move what is in it one folder up, and write ${path} as a file`,
  });
}

/** Folders by name: where many groups have one of the same name, it is listed once. */
function listFolders(folders: readonly WalkedFolder[]): string {
  const byName = groupBy(folders, ({ name }) => name);
  const names = [...byName].sort((a, b) => b[1].length - a[1].length || compareText(a[0], b[0]));
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.slice(NAMES_SHOWN).reduce((sum, [, paths]) => sum + paths.length, 0);
  const texts = shown.map(([name, paths]) =>
    paths.length === 1 ? `"${paths[0]?.path}"` : `"${name}" in ${paths.length} places`,
  );
  return texts.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}
