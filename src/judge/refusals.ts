import { SKILL_FILE } from '../catalog/manifest.ts';
import type { FaultReason, ReadFault } from '../disk/faults.ts';
import type { RootFault } from '../disk/roots.ts';
import type { Group } from '../disk/sort.ts';
import { findSkillFile, hasEntry, type WalkedFolder } from '../disk/walk.ts';
import { say } from '../messages/say.ts';
import { type Problem, toProblem } from '../problems.ts';
import { findCommonFolder, isBuildFolder, toBaseName, toFreeName, toName } from '../text/names.ts';
import { type HiddenSkills, toPlaces } from './hidden.ts';
import { chooseFolderName, findRightNames } from './repairs.ts';

/** A variable of a shell or a host, as it is written. */
const VARIABLE = /\$\{[^{}]*\}|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%/;

/** A root that cannot be used. */
export function toRootProblem(fault: RootFault): Problem {
  const at = { path: '.' };
  const { given } = fault;
  if (fault.reason === 'not-folder') return toProblem({ ...say('root-unreadable/not-folder', { given }), ...at });
  if (fault.reason === 'unreadable') {
    return toProblem({ ...say('root-unreadable/system', { given, fault: fault.detail }), ...at });
  }
  if (fault.reason === 'source') {
    const { detail, hint } = fault;
    return toProblem({
      ...say(fault.isMissing ? 'root-missing/source' : 'root-unreadable/source', { detail, hint }),
      ...at,
    });
  }
  const { start, place } = fault;
  if (fault.reason === 'unmatched') return toProblem({ ...say('root-missing/unmatched', { given, start }), ...at });
  const variable = VARIABLE.exec(given)?.[0];
  const looked = place === given ? undefined : place;
  return toProblem({ ...say('root-missing/none', { given, start, place: looked, variable }), ...at });
}

/** A root folder that the walk could not read. */
export function toClosedRoot(fault: ReadFault): Problem {
  return toProblem({ ...say('root-unreadable/closed', { fault: describeFault(fault) }), path: '.' });
}

const REASONS: Readonly<Record<Exclude<FaultReason, 'resized' | 'system'>, string>> = {
  removed: 'it was removed',
  link: 'a symbolic link was put in its place',
  other: 'something else was put in its place',
  folder: 'the folder was replaced',
  rewritten: 'it was written to',
  busy: 'something writes to it all the time',
  denied: 'permission denied',
  undecoded: 'its name is not UTF-8',
  'too-long': 'its path is too long',
};

function describeFault({ reason, sizes = [0, 0], detail = '' }: ReadFault): string {
  if (reason === 'resized') return `its size went from ${sizes[0]} to ${sizes[1]} bytes`;
  return reason === 'system' ? detail : REASONS[reason];
}

/** A root that is a skill, with further skills below it: which of them are meant, nobody can tell (publishing rule 2). */
export function toRootIsSkill(root: WalkedFolder, others: readonly WalkedFolder[], label: string): Problem {
  const file = findSkillFile(root) ?? SKILL_FILE;
  const paths = others.map(({ path }) => path);
  const folder = findCommonFolder(paths);
  const repair = { label, folder: folder === '.' ? undefined : folder };
  return toProblem({ ...say('root-is-skill', { file, others: paths, repair }), path: '.' });
}

/**
 * A root without a skill.
 *
 * @param hidden - hidden folders that hold skills, those with most first
 * @param isExcluded - whether an exclude pattern left out something that could have been a skill
 */
export function toEmptyRoot(hidden: readonly HiddenSkills[], isExcluded: boolean, label: string): Problem {
  const [first] = hidden;
  if (first !== undefined) {
    const args = { hidden: toPlaces(hidden, label), repair: { label, path: first.path } };
    return toProblem({ ...say('root-empty/hidden', args), path: '.' });
  }
  return toProblem({ ...say(isExcluded ? 'root-empty/excluded' : 'root-empty/none'), path: '.' });
}

/** A skill in a folder whose name can be no skill's (publishing rule 1). */
export function toSkillFolderName(path: string, folder: string): Problem {
  const repair = chooseFolderName(findRightNames(folder, undefined), undefined);
  return toProblem({ ...say('folder-name/skill', { name: folder, repair }), path });
}

/**
 * A symbolic link, wherever it lies: links are never followed (publishing rule 5).
 *
 * @param skillFile - the path of what makes its folder a skill, where it lies in one
 */
export function toLinkProblem(path: string, skillFile?: string): Problem {
  return toProblem({ ...say('symlink/one', { name: toBaseName(path), repair: { path, skillFile } }), path });
}

/** A socket, FIFO or device, wherever it lies (publishing rule 5). */
export function toSpecialProblem(path: string, skillFile?: string): Problem {
  return toProblem({ ...say('special-file', { name: toBaseName(path), repair: { path, skillFile } }), path });
}

/** A file or folder that could not be read (publishing rule 5), or not as it was seen (publishing rule 6). */
export function toFaultProblem(fault: ReadFault, skillFile?: string): Problem {
  const { path, code, reason } = fault;
  const args = { name: toBaseName(path), fault: describeFault(fault) };
  const said =
    code === 'changed-while-reading' ? say(code, args) : say(code, { ...args, repair: { path, skillFile, reason } });
  return toProblem({ ...said, path });
}

/** The name that a group is renamed to; undefined for a build folder, and where nothing of its name can stay. */
function findGroupName({ name, parent }: WalkedFolder): string | undefined {
  const good = isBuildFolder(name) ? undefined : toName(name);
  return good && toFreeName(good, (each) => parent !== undefined && hasEntry(parent, each));
}

/** A group whose name no group may have: what lies below it has no URI (publishing rule 1). */
export function toGroupName({ folder, count }: Group): Problem {
  const { name, path } = folder;
  return toProblem({
    ...say('folder-name/group', { name, count, repair: { name: findGroupName(folder), path } }),
    path,
  });
}

/** A folder whose files a Git repository does not hold. */
export function toSubmoduleProblem(path: string): Problem {
  return toProblem({ ...say('submodule', { name: toBaseName(path), repair: { path } }), path });
}

/** A file whose content is kept elsewhere, and was not fetched. */
export function toPointerProblem(path: string, skillFile: string): Problem {
  return toProblem({ ...say('lfs-pointer', { name: toBaseName(path), repair: { path, skillFile } }), path });
}
