import type { ReadFault } from './chain.ts';
import { MAX_BYTES, MAX_FILES } from './manifest.ts';
import { toBaseName, toName } from './names.ts';
import { compareText, type Problem, toProblem } from './problems.ts';
import type { SeenFile } from './read.ts';
import type { WalkedFolder } from './walk.ts';

/** Whether a path is as the disk has it: Node gives a name that is no UTF-8 with U+FFFD in it, under which nothing is found. */
export function isDecoded(path: string): boolean {
  return !path.includes('\ufffd');
}

/** What the file system said, in a person's words. */
export function toReason(error: Error, path = ''): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && !isDecoded(path)) return 'its name is not UTF-8';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOTDIR') return 'it is no folder';
  return code ?? error.message;
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
  const name = toName(folder.name);
  return toProblem({
    code: 'folder-name',
    path: folder.path,
    message: `the folder name "${folder.name}" breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens)`,
    hint:
      name === undefined
        ? 'rename the folder, and write the same name into its SKILL.md'
        : `rename the folder to "${name}", and write "name: ${name}" into its SKILL.md`,
  });
}

/** A symbolic link, wherever it lies: links are never followed (publishing rule 5). */
export function toLinkProblem(path: string): Problem {
  return toProblem({
    code: 'symlink',
    path,
    message: `"${toBaseName(path)}" is a symbolic link, and links are not published`,
    hint: `put a copy in its place, or leave it out with ${toExclude(path)}`,
  });
}

/** A socket, FIFO or device, wherever it lies (publishing rule 5). */
export function toSpecialProblem(path: string): Problem {
  return toProblem({
    code: 'special-file',
    path,
    message: `"${toBaseName(path)}" is neither a regular file nor a folder, but a socket, a FIFO or a device`,
    hint: `remove it, or leave it out with ${toExclude(path)}`,
  });
}

/** A file or folder that the file system does not give (publishing rule 5). */
export function toUnreadableProblem(path: string, reason: string): Problem {
  return toProblem({
    code: 'unreadable',
    path,
    message: `"${toBaseName(path)}" cannot be read: ${reason}`,
    hint: `make it readable for the user that runs this, or leave it out with ${toExclude(path)}`,
  });
}

/** A file that could not be read as it was seen (publishing rule 6). */
export function toFaultProblem(fault: ReadFault): Problem {
  if (fault.code === 'unreadable') return toUnreadableProblem(fault.path, fault.reason);
  return toProblem({
    code: 'changed-while-reading',
    path: fault.path,
    message: `"${toBaseName(fault.path)}" changed while it was read: ${fault.reason}`,
    hint: 'run this again when nothing writes to the folder',
  });
}

/** More files than every host takes (Skills extension, "Limits"); `files` is what was counted before counting stopped. */
export function toTooManyFiles(skill: string, files: number, byFolder: ReadonlyMap<string, number>): Problem {
  const [place, count] = findMost(byFolder);
  return toProblem({
    code: 'too-many-files',
    path: skill,
    message: `a skill may have ${MAX_FILES} files, and counting stopped at ${files}; ${count} of them lie ${toWhere(place)}`,
    hint: toLimitHint(skill, place),
  });
}

/** More bytes than every host takes (Skills extension, "Limits"). */
export function toTooManyBytes(skill: string, seen: readonly SeenFile[], bytes: number): Problem {
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
