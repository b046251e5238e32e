import { dirname } from 'node:path';
import type { SkillTree } from '../disk/skilltree.ts';
import { joinPath, type WalkedFolder } from '../disk/walk.ts';
import { say } from '../messages/say.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import { findCommonFolder, NAMES_SHOWN, toBaseName } from '../text/names.ts';
import { toTypedPath, toTypedPlace } from '../text/typed.ts';
import { type HiddenSkills, toPlaces } from './hidden.ts';
import type { LostSkill } from './lost.ts';

/** One warning for all folders of a root that are ignored: a repository has dozens (publishing rule 1). */
export function toFoldersIgnored(folders: readonly WalkedFolder[]): Problem[] {
  const paths = folders.map(({ path }) => path).sort(compareText);
  const [first] = paths;
  if (first === undefined) return [];
  const without = folders.filter(({ isSkillFileExcluded }) => isSkillFileExcluded === true);
  const args = { without: without.map(({ path }) => path), repair: { paths } };
  const said =
    paths.length === 1
      ? say('folder-ignored/one', { ...args, folder: toBaseName(first) })
      : say('folder-ignored/several', { ...args, count: paths.length, folders: listFolders(folders) });
  return [toProblem({ ...said, path: paths.length === 1 ? first : findCommonFolder(paths) })];
}

/** A folder whose skills are all hidden. */
export function toHiddenIgnored({ name, path }: WalkedFolder, hidden: readonly HiddenSkills[], label: string): Problem {
  const repair = { label, path, first: hidden[0]?.path ?? path };
  return toProblem({
    ...say('folder-ignored/hidden', { folder: name, hidden: toPlaces(hidden, label), repair }),
    path,
  });
}

/** One warning for all links of a root that lead to no folder (publishing rule 2). */
export function toLinksIgnored(links: readonly string[]): Problem[] {
  const paths = [...links].sort(compareText);
  const [first] = paths;
  if (first === undefined) return [];
  const isOne = paths.length === 1;
  const said = isOne
    ? say('link-ignored/one', { link: toBaseName(first), repair: { paths } })
    : say('link-ignored/several', { links: paths, repair: { paths } });
  return [toProblem({ ...said, path: isOne ? first : findCommonFolder(paths) })];
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
    // a folder cannot be copied into itself
    const isAbove = found.some(([name, target]) => `${folder}/${joinPath(group, name)}`.startsWith(`${target}/`));
    const toPlace = (path: string) => (folder === '' ? toTypedPath(label, path.slice(1)) : toTypedPlace(label, path));
    const place = toPlace(parent);
    const repair = { paths, hasSkills, isAbove, place: isApart(parent, folder) ? place : undefined };
    const name = toBaseName(first);
    return isOne
      ? toProblem({
          ...say('symlink/folder', { name, place: toPlace(links.get(name) ?? parent), repair }),
          path: first,
        })
      : toProblem({ ...say('symlink/folders', { names, place, repair }), path: group.path === '' ? '.' : group.path });
  });
}

/** Whether neither of two folders lies in the other: what lies below the root is judged with it. */
function isApart(a: string, b: string): boolean {
  return !`${a}/`.startsWith(`${b}/`) && !`${b}/`.startsWith(`${a}/`);
}

/** A skill that lost its SKILL.md (publishing rule 1). */
export function toLostSkill({ folder, sign, file }: LostSkill): Problem {
  const { name, path } = folder;
  return toProblem({ ...say('group-empty', { folder: name, sign, repair: { path, file } }), path });
}

/** A folder in the place of SKILL.md. */
export function toSkillFileFolder({ name, path }: WalkedFolder): Problem {
  return toProblem({ ...say('folder-name/skill-file', { name, repair: { path } }), path });
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
