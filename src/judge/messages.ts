import { SKILL_FILE } from '../catalog/manifest.ts';
import type { FaultReason, ReadFault } from '../disk/faults.ts';
import type { Group } from '../disk/sort.ts';
import { findSkillFile, hasEntry, type WalkedFolder } from '../disk/walk.ts';
import { type Problem, toProblem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { groupBy } from '../text/grouping.ts';
import { findCommonFolder, isBuildFolder, listNames, toBaseName, toFreeName, toName } from '../text/names.ts';
import { isArchiveLabel, toCheck, toTypedPath } from '../text/typed.ts';
import { type HiddenSkills, listHidden } from './hidden.ts';
import { findRightNames, hintFolder } from './repairs.ts';

/** A root folder that the walk could not read. */
export function toClosedRoot(fault: ReadFault): Problem {
  const message = `the root folder cannot be read: ${describeFault(fault)}`;
  return toProblem({ code: 'root-unreadable', path: '.', message });
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
  const skillFile = findSkillFile(root) ?? SKILL_FILE;
  const paths = others.map(({ path }) => path);
  const folder = findCommonFolder(paths);
  const pass =
    folder === '.' || isArchiveLabel(label)
      ? ''
      : `pass the folder that holds the others: ${toCheck(toTypedPath(label, folder))}; `;
  return toProblem({
    code: 'root-is-skill',
    path: '.',
    message: `the root holds a ${skillFile}, so it is a skill, and ${countOf(paths.length, 'other skill')} ${paths.length === 1 ? 'lies' : 'lie'} below it: ${listNames(paths, 5)}`,
    hint: `${pass}leave the ${skillFile} of the root out with ${toExclude(skillFile)}, or publish all of it as one skill with --nested files`,
  });
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
    return toProblem({
      code: 'root-empty',
      path: '.',
      message: `the root holds no skill that is not hidden; ${listHidden(hidden, label)}`,
      hint: isArchiveLabel(label)
        ? `unpack the archive, and pass its folder "${first.path}"`
        : `pass ${hidden.length === 1 ? 'that folder' : 'one of them'}: ${toCheck(toTypedPath(label, first.path))}`,
    });
  }
  return toProblem({
    code: 'root-empty',
    path: '.',
    message: isExcluded
      ? 'the root holds no skill but what exclude patterns leave out'
      : 'the root holds no skill: no folder below it has a SKILL.md',
    hint: isExcluded ? 'leave an --exclude out' : 'give each skill a folder of its own in the root: my-skill/SKILL.md',
  });
}

/** A skill in a folder whose name can be no skill's (publishing rule 1). */
export function toSkillFolderName(path: string, folder: string): Problem {
  return toProblem({
    code: 'folder-name',
    path,
    message: `the folder name "${folder}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens)`,
    hint: hintFolder(findRightNames(folder, undefined), undefined),
  });
}

/**
 * A symbolic link, wherever it lies: links are never followed (publishing rule 5).
 *
 * @param skillFile - the path of what makes its folder a skill, where it lies in one
 */
export function toLinkProblem(path: string, skillFile?: string): Problem {
  return toProblem({
    code: 'symlink',
    path,
    message: `"${toBaseName(path)}" is a symbolic link, and links are not published`,
    hint: `put a copy in its place, or ${toWayOut(path, skillFile)}`,
  });
}

/** A socket, FIFO or device, wherever it lies (publishing rule 5). */
export function toSpecialProblem(path: string, skillFile?: string): Problem {
  return toProblem({
    code: 'special-file',
    path,
    message: `"${toBaseName(path)}" is neither a regular file nor a folder, but a socket, a FIFO or a device`,
    hint: `${path === skillFile ? 'put a regular file in its place' : 'remove it'}, or ${toWayOut(path, skillFile)}`,
  });
}

/** A file or folder that could not be read (publishing rule 5), or not as it was seen (publishing rule 6). */
export function toFaultProblem(fault: ReadFault, skillFile?: string): Problem {
  const { path, code, reason } = fault;
  const name = toBaseName(path);
  if (code === 'changed-while-reading') {
    return toProblem({
      code,
      path,
      message: `"${name}" changed while it was read: ${describeFault(fault)}`,
      hint: 'run this again when nothing writes to the folder',
    });
  }
  const repairs: Partial<Record<FaultReason, string>> = { undecoded: 'rename it', 'too-long': 'shorten the path' };
  const repair = repairs[reason] ?? 'make it readable for the user that runs this';
  return toProblem({
    code,
    path,
    message: `"${name}" cannot be read: ${describeFault(fault)}`,
    hint: `${repair}, or ${toWayOut(path, skillFile)}`,
  });
}

/** The name that a group is renamed to; undefined for a build folder, and where nothing of its name can stay. */
function findGroupName({ name, parent }: WalkedFolder): string | undefined {
  const good = isBuildFolder(name) ? undefined : toName(name);
  return good && toFreeName(good, (each) => parent !== undefined && hasEntry(parent, each));
}

/** A group whose name no group may have: what lies below it has no URI (publishing rule 1). */
export function toGroupName({ folder, count }: Group): Problem {
  const name = findGroupName(folder);
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so ${count === 1 ? 'the skill below it is' : `the ${count} skills below it are`} not published`,
    hint: `${name === undefined ? '' : `rename it to "${name}", or `}leave it out with ${toExclude(folder.path)}`,
  });
}

/** A folder whose files a Git repository does not hold. */
export function toSubmoduleProblem(path: string): Problem {
  return toProblem({
    code: 'submodule',
    path,
    message: `"${toBaseName(path)}" is a Git submodule, and its files are not in this repository`,
    hint: `pass the repository of the submodule as a root of its own, or leave it out with ${toExclude(path)}`,
  });
}

/** A file whose content is kept elsewhere, and was not fetched. */
export function toPointerProblem(path: string, skillFile: string): Problem {
  return toProblem({
    code: 'lfs-pointer',
    path,
    message: `"${toBaseName(path)}" is a pointer of Git LFS, and its content is not here`,
    hint: `run "git lfs pull" in a checkout and pass its folder, keep the file out of Git LFS, or ${toWayOut(path, skillFile)}`,
  });
}

/** How a path is left out. Without the file that makes it one, a skill would be gone without a word, so then all of it is named. */
function toWayOut(path: string, skillFile: string | undefined): string {
  if (path === skillFile && path.startsWith('./')) return 'pass another root';
  return path === skillFile
    ? `leave the skill out with ${toExclude(path.slice(0, path.lastIndexOf('/')))}`
    : `leave it out with ${toExclude(path)}`;
}

/** The option that leaves a path out, quoted for a shell: what it stands for is a pattern, so its own special characters are escaped. */
export function toExclude(path: string): string {
  return quoteExclude(escapePattern(path.includes('/') ? path : `./${path}`));
}

function escapePattern(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
}

function quoteExclude(pattern: string): string {
  return `--exclude '${pattern.replaceAll("'", "'\\''")}'`;
}

/** The longest options that a hint spells out, in characters. */
const OPTIONS_LENGTH = 300;

/** The same where the paths are those of one skill: it is not published without them. */
const OPTION_LENGTH = 800;

/** The options that leave paths out, or undefined where they would be too long to read. */
export function toExcludeOptions(paths: readonly string[]): string | undefined {
  const options = toExcludeAll(paths).join(' ');
  return options.length > OPTIONS_LENGTH ? undefined : options;
}

/** The one option that leaves paths of a skill out, or undefined where it would be too long to read or too hard to quote. */
export function toSkillExclude(skill: string, paths: readonly string[]): string | undefined {
  const inner = paths.map((path) => path.slice(skill.length + 1));
  const option = quoteExclude(`${escapePattern(skill)}/{${inner.join(',')}}`);
  return option.length > OPTION_LENGTH || !inner.every(isPlain) ? undefined : option;
}

/** Whether a path means the same as a part of a pattern in braces. */
function isPlain(path: string): boolean {
  return /^[\w.~ /-]+$/.test(path);
}

/** The options that leave paths out, one for those of each folder. */
function toExcludeAll(paths: readonly string[]): string[] {
  // what braces mean something to is left out by itself
  const isListed = (path: string) => isPlain(toBaseName(path));
  const options = paths.filter((path) => !isListed(path)).map(toExclude);
  const byFolder = groupBy(paths.filter(isListed), (path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
  for (const [folder, [first = '', ...others]] of byFolder) {
    const names = [first, ...others].map(toBaseName).join(',');
    const place = folder === '' ? '.' : escapePattern(folder);
    options.push(others.length === 0 ? toExclude(first) : quoteExclude(`${place}/{${names}}`));
  }
  return options;
}
