import { countOf } from '../report/count.ts';
import { MAX_BYTES, MAX_FILES } from './manifest.ts';
import { findBuildFolder, toBaseName, toName } from './names.ts';
import { compareText, type Problem, toProblem } from './problems.ts';
import { findRightNames, hintFolder } from './repairs.ts';
import type { Place, WalkedFolder } from './walk.ts';

/** Why something could not be read as the walk saw it. */
export interface ReadFault {
  readonly path: string;
  readonly code: 'unreadable' | 'changed-while-reading';
  readonly reason: string;
}

const NOT_UTF8 = 'its name is not UTF-8';
const TOO_LONG = 'its path is too long';

/** Whether a path is as the disk has it: Node gives a name that is no UTF-8 with U+FFFD in it, under which nothing is found. */
export function isDecoded(path: string): boolean {
  return !path.includes('\ufffd');
}

/** What the file system said of something that the walk saw, in a person's words. */
export function toFault(path: string, error: unknown): ReadFault {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return isDecoded(path)
        ? { path, code: 'changed-while-reading', reason: 'it was removed' }
        : { path, code: 'unreadable', reason: NOT_UTF8 };
    case 'ELOOP':
    case 'EMLINK':
      return { path, code: 'changed-while-reading', reason: 'a symbolic link was put in its place' };
    case 'ENOTDIR':
    case 'ENXIO':
      return { path, code: 'changed-while-reading', reason: 'something else was put in its place' };
    case 'EACCES':
    case 'EPERM':
      return { path, code: 'unreadable', reason: 'permission denied' };
    case 'ENAMETOOLONG':
      return { path, code: 'unreadable', reason: TOO_LONG };
    default:
      return { path, code: 'unreadable', reason: code ?? message };
  }
}

/** A skill was passed instead of the folder that holds skills (publishing rule 2). */
export function toRootIsSkill(skillFile: string): Problem {
  return toProblem({
    code: 'root-is-skill',
    path: '.',
    message: `the root holds a ${skillFile}, so it is a skill and not the folder that holds skills`,
    hint: 'pass the folder above it',
  });
}

/** A root without a skill. */
export function toEmptyRoot(): Problem {
  return toProblem({
    code: 'root-empty',
    path: '.',
    message: 'the root holds no skill: no folder below it has a SKILL.md',
    hint: 'give each skill a folder of its own in the root: my-skill/SKILL.md',
  });
}

/** A group without a skill: a skill folder that lost its SKILL.md looks like that (publishing rule 1). */
export function toEmptyGroup(folder: WalkedFolder): Problem {
  return toProblem({
    code: 'group-empty',
    path: folder.path,
    message: `the folder "${folder.name}" holds no skill: neither it nor a folder below it has a SKILL.md`,
    hint: `add ${folder.path}/SKILL.md, remove the folder, or leave it out with ${toExclude(folder.path)}`,
  });
}

/** A folder that can be no group, and was not looked into (publishing rule 1). */
export function toFolderName(folder: WalkedFolder): Problem {
  const name = toName(folder.name);
  if (/^skill\.md$/i.test(folder.name)) {
    return toProblem({
      code: 'folder-name',
      path: folder.path,
      message: `"${folder.name}" is a folder, and what makes a skill is a file of that name`,
      hint: `move what is in it one folder up, and write ${folder.path} as a file`,
    });
  }
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens), so nothing below it is published`,
    hint: `${name === undefined ? 'rename it' : `rename it to "${name}"`}, or leave it out with ${toExclude(folder.path)}`,
  });
}

/** A skill in a folder whose name can be no skill's (publishing rule 1). */
export function toSkillFolderName(folder: WalkedFolder): Problem {
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens)`,
    hint: hintFolder(findRightNames(folder.name, undefined), undefined),
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
export function toFaultProblem({ path, code, reason }: ReadFault, skillFile?: string): Problem {
  const name = toBaseName(path);
  if (code === 'changed-while-reading') {
    return toProblem({
      code,
      path,
      message: `"${name}" changed while it was read: ${reason}`,
      hint: 'run this again when nothing writes to the folder',
    });
  }
  const repairs: Record<string, string> = { [NOT_UTF8]: 'rename it', [TOO_LONG]: 'shorten the path' };
  const repair = repairs[reason] ?? 'make it readable for the user that runs this';
  return toProblem({
    code,
    path,
    message: `"${name}" cannot be read: ${reason}`,
    hint: `${repair}, or ${toWayOut(path, skillFile)}`,
  });
}

/** How a path is left out. Without the file that makes it one, a skill would be gone without a word, so then all of it is named. */
function toWayOut(path: string, skillFile: string | undefined): string {
  return path === skillFile
    ? `leave the skill out with ${toExclude(path.slice(0, path.lastIndexOf('/')))}`
    : `leave it out with ${toExclude(path)}`;
}

/** More files than every host takes (Skills extension, "Limits"); `files` is what was counted before counting stopped. */
export function toTooManyFiles(skill: string, files: number, places: ReadonlyMap<string, Place>): Problem {
  // each folder that was not looked into holds something
  const ranked = [...places].sort(
    (a, b) => b[1].files + b[1].unread - a[1].files - a[1].unread || compareText(a[0], b[0]),
  );
  const build = ranked.filter(([name]) => findBuildFolder(name) !== undefined);
  const others = build.reduce((left, [, place]) => left - place.files, files);
  // what is build output goes first, where the rest is not too much by itself
  const [name, place] = (others > MAX_FILES ? undefined : build[0]) ?? ranked[0] ?? ['', { files, unread: 0 }];
  const unread = place.unread === 0 ? '' : `, with ${countOf(place.unread, 'more folder')} to look into`;
  return toProblem({
    code: 'too-many-files',
    path: skill,
    message: `a skill may have ${MAX_FILES} files, and counting stopped at ${files}; ${place.files} of them lie ${toWhere(name)}${unread}`,
    hint: toLimitHint(skill, name),
  });
}

/** More bytes than every host takes (Skills extension, "Limits"). */
export function toTooManyBytes(
  skill: string,
  seen: readonly { readonly path: string; readonly stats: { readonly size: number } }[],
  bytes: number,
): Problem {
  const byFolder = new Map<string, number>();
  for (const file of seen) {
    const segments = file.path.slice(skill.length + 1).split('/');
    const place = segments.length > 1 ? (segments[0] ?? '') : '';
    byFolder.set(place, (byFolder.get(place) ?? 0) + file.stats.size);
  }
  const [place, most] = findMost(byFolder);
  const [largest] = [...seen].sort((a, b) => b.stats.size - a.stats.size || compareText(a.path, b.path));
  const name = largest?.path.slice(skill.length + 1) ?? '';
  return toProblem({
    code: 'too-many-bytes',
    path: skill,
    message: `a skill may have ${MAX_BYTES} bytes, and this one has ${bytes}; ${most} of them lie ${toWhere(place)}, and the largest file is "${name}" with ${largest?.stats.size}`,
    hint: toLimitHint(skill, place === '' ? name : place),
  });
}

/** The option that leaves a path out, quoted for a shell: what it stands for is a pattern, so its own special characters are escaped. */
export function toExclude(path: string): string {
  const anchored = path.includes('/') ? path : `./${path}`;
  const pattern = anchored.replaceAll(/[\\*?[\]{}()!+@|^$]/g, '\\$&');
  return `--exclude '${pattern.replaceAll("'", "'\\''")}'`;
}

function findMost(counts: ReadonlyMap<string, number>): [string, number] {
  return [...counts].sort((a, b) => b[1] - a[1] || compareText(a[0], b[0]))[0] ?? ['', 0];
}

function toWhere(place: string): string {
  return place === '' ? 'beside SKILL.md' : `in "${place}"`;
}

function toLimitHint(skill: string, place: string): string {
  return place === ''
    ? 'split the skill into several'
    : `leave them out with ${toExclude(`${skill}/${place}`)}, or split the skill into several`;
}
