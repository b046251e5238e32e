import { countOf } from '../text/count.ts';
import { toExclude, toExcludeOptions, toSkillExclude } from '../text/exclude.ts';
import { listNames } from '../text/names.ts';
import { quoteText } from '../text/quote.ts';
import { toCheck } from '../text/typed.ts';
import type { Family } from './sentence.ts';

/** A file or folder by its name, without the path that it is at. */
type Named = {
  readonly name: string;
};

/** How something is left out: the path, and the file that makes its folder a skill, where it is in one. */
type Way = {
  readonly repair: { readonly path: string; readonly skillFile: string | undefined };
};

const RULE = 'breaks the name rule (1 to 64 of a-z, 0-9 and single hyphens)';
const NOT_PUBLISHED = 'and links are not published';
const IN_VAIN = `git clone -c core.symlinks=true makes links again, ${NOT_PUBLISHED}`;
const AS_TEXT = 'that git wrote as a text file (core.symlinks=false)';

/** A file that looks like a link that git wrote as text. */
const textLink = ({ name, target }: Named & { readonly target: string }) =>
  [
    `"${name}" looks like a symbolic link ${AS_TEXT}: it contains only "${target}"`,
    `put a copy of "${target}" in its place; ${IN_VAIN}`,
  ] as const;

/** The paths of a skill, and what is at them. */
export const PATHED = {
  'folder-name': {
    skill: ({ name, repair }: Named & { readonly repair: FolderRepair }) => [
      `the folder name "${name}" ${RULE}`,
      describeFolderRepair(repair),
    ],
    group: ({ name, count, repair }: Group) => [
      `the folder name "${name}" ${RULE}, so ${count === 1 ? 'the skill below it is' : `the ${count} skills below it are`} not published`,
      `${repair.name === undefined ? '' : `rename it to "${repair.name}", or `}leave it out with ${toExclude(repair.path)}`,
    ],
    'skill-file': ({ name, repair }: Named & { readonly repair: { readonly path: string } }) => [
      `"${name}" is a folder, and what makes a skill is a file of that name`,
      `move what is in it one folder up, and write ${repair.path} as a file`,
    ],
  },
  'name-mismatch': ({ name, folder, repair }: Mismatch) => [
    `the name "${name}" is not the name of its folder, "${folder}"`,
    `write ${quoteText(`name: ${repair.name}`)}${repair.isTaken ? '' : `, or rename the folder to "${name}"`}`,
  ],
  'skill-file-case': ({ name, right }: Named & { readonly right: string }) => [
    `the file is called "${name}", and hosts look for "${right}"`,
    `rename it to ${right}`,
  ],
  'nested-skill': {
    below: ({ skill, repair }: { readonly skill: string; readonly repair: { readonly inner: string } }) => [
      `a SKILL.md below the skill "${skill}": the Skills extension allows it, and this server refuses it, because hosts differ in whether it is a skill of its own`,
      `move "${repair.inner}" out of "${skill}", or publish it as files of "${skill}" with --nested files`,
    ],
    inside: ({ uri, outer, place }: { readonly uri: string; readonly outer: string; readonly place: string }) => [
      `${uri} would be inside the skill ${outer} of ${place}: skills do not nest`,
      'give its root another prefix (prefix=folder), or rename one of the two',
    ],
  },
  'path-characters': ({ name, character, codePoint, repair }: Foreign) => [
    `the name "${name}" has a character that a URI would have to escape: "${character}" (${codePoint}); only A-Z a-z 0-9 . _ ~ - are published`,
    `${repair.name === undefined ? 'rename it' : `rename it to "${repair.name}"`}, or leave it out with ${toExclude(repair.path)}`,
  ],
  'case-collision': ({ first, second }: { readonly first: string; readonly second: string }) => [
    `"${second}" and "${first}" differ only in case, and many disks cannot store both`,
    'rename one of the two',
  ],
  symlink: {
    one: ({ name, repair }: Named & Way) => [
      `"${name}" is a symbolic link, ${NOT_PUBLISHED}`,
      `put a copy in its place, or ${describeWayOut(repair)}`,
    ],
    several: ({
      links,
      repair,
    }: {
      readonly links: readonly string[];
      readonly repair: { readonly skill: string };
    }) => [
      `the skill has ${links.length} symbolic links, ${NOT_PUBLISHED}: ${listNames(links)}`,
      copyOrLeave(
        toSkillExclude(
          repair.skill,
          links.map((link) => `${repair.skill}/${link}`),
        ),
      ),
    ],
    built: ({ name, count, repair }: Built & { readonly count: number }) => [
      `the folder "${name}" looks like build output and contains ${countOf(count, 'symbolic link')}, ${NOT_PUBLISHED}`,
      `leave it out with ${repair.option}`,
    ],
    folder: ({ name, place, repair }: Named & { readonly place: string; readonly repair: LinksRepair }) => [
      `"${name}" is a symbolic link to the folder "${place}", ${NOT_PUBLISHED}`,
      describeLinksRepair(repair),
    ],
    folders: ({
      names,
      place,
      repair,
    }: {
      readonly names: readonly string[];
      readonly place: string;
      readonly repair: LinksRepair;
    }) => [
      `${names.length} symbolic links lead to folders in "${place}", ${NOT_PUBLISHED}: ${listNames(names)}`,
      describeLinksRepair(repair),
    ],
  },
  'special-file': ({ name, repair }: Named & Way) => [
    `"${name}" is neither a regular file nor a folder, but a socket, a FIFO or a device`,
    `${repair.path === repair.skillFile ? 'put a regular file in its place' : 'remove it'}, or ${describeWayOut(repair)}`,
  ],
  submodule: ({ name, repair }: Named & { readonly repair: { readonly path: string } }) => [
    `"${name}" is a Git submodule, and its files are not in this repository`,
    `pass the repository of the submodule as a root of its own, or leave it out with ${toExclude(repair.path)}`,
  ],
  'lfs-pointer': ({ name, repair }: Named & Way) => [
    `"${name}" is a pointer of Git LFS, and its content is not here`,
    `run "git lfs pull" in a checkout and pass its folder, keep the file out of Git LFS, or ${describeWayOut(repair)}`,
  ],
  unreadable: ({
    name,
    fault,
    repair,
  }: Named & { readonly fault: string; readonly repair: Way['repair'] & { readonly reason: string } }) => [
    `"${name}" cannot be read: ${fault}`,
    `${READABLE[repair.reason] ?? 'make it readable for the user that runs this'}, or ${describeWayOut(repair)}`,
  ],
  'changed-while-reading': ({ name, fault }: Named & { readonly fault: string }) => [
    `"${name}" changed while it was read: ${fault}`,
    'run this again when nothing writes to the folder',
  ],
  'build-artifact': {
    file: ({ name, repair }: Built) => [
      `"${name}" looks like build output, and is part of the skill`,
      `leave it out with ${repair.option}`,
    ],
    folder: ({ name, repair }: Built) => [
      `the folder "${name}" looks like build output, and is part of the skill`,
      `leave it out with ${repair.option}`,
    ],
  },
  'hidden-skipped': ({ names }: { readonly names: readonly string[] }) => [
    `skipped ${names.length === 1 ? '1 hidden entry' : `${names.length} hidden entries`}, because names that begin with a dot are not published: ${listHiddenNames(names)}`,
    'rename what the skill needs',
  ],
  'link-as-text': textLink,
  'link-as-text-file': {
    one: textLink,
    several: ({ names }: { readonly names: readonly string[] }) => [
      `${names.length} files look like symbolic links that git wrote as text files (core.symlinks=false), and contain only a path each: ${listNames(names)}`,
      `put copies in their place; ${IN_VAIN}`,
    ],
  },
  'too-many-files': ({
    files,
    most,
    part,
    repair,
  }: {
    readonly files: number;
    readonly most: number;
    readonly part: Part & { readonly unread: number };
    readonly repair: LimitRepair;
  }) => [
    `a skill may have ${most} files, and counting stopped at ${files}; ${describePart(part)}${part.unread === 0 ? '' : `, with ${countOf(part.unread, 'more folder')} to look into`}`,
    describeLimitRepair(repair),
  ],
  'too-many-bytes': {
    'skill-file': ({ bytes, most }: Bytes) => [
      `a skill may have ${most} bytes, and SKILL.md alone has ${bytes}`,
      'shorten SKILL.md, and move what is not always needed into other files or other skills',
    ],
    files: ({
      bytes,
      most,
      part,
      largest,
      size,
      repair,
    }: Bytes & {
      readonly part: Part | undefined;
      readonly largest: string;
      readonly size: number;
      readonly repair: LimitRepair;
    }) => [
      `a skill may have ${most} bytes, and this one has ${bytes}; ${part === undefined ? '' : `${describePart(part)}, and `}the largest file is "${largest}" with ${size}`,
      describeLimitRepair(repair),
    ],
  },
  'message-size': ({ bytes }: { readonly bytes: number }) => [
    `a file of ${bytes} bytes makes a response of more than 10 MB, at which the official client closes a stdio connection`,
    'split the file, or serve it over HTTP',
  ],
} as const satisfies Family;

/** What to do about a path that cannot be read, where it is not a matter of permissions. */
const READABLE: Readonly<Record<string, string>> = { undecoded: 'rename it', 'too-long': 'shorten the path' };

type Group = Named & {
  readonly count: number;
  /** `name` is what it can be renamed to. */
  readonly repair: { readonly name: string | undefined; readonly path: string };
};

type Mismatch = Named & {
  readonly folder: string;
  /** `name` is the folder's, as it is written. */
  readonly repair: { readonly name: string; readonly isTaken: boolean };
};

type Foreign = Named & {
  readonly character: string;
  readonly codePoint: string;
  readonly repair: { readonly name: string | undefined; readonly path: string };
};

/** Build output, and the option that leaves it out. */
type Built = Named & {
  readonly repair: { readonly option: string };
};

type Bytes = {
  readonly bytes: number;
  readonly most: number;
};

/** A folder of a skill, or '' for what is beside SKILL.md, and how much of what is limited is in it. */
type Part = {
  readonly folder: string;
  readonly amount: number;
};

function describePart({ folder, amount }: Part): string {
  return `${amount} of them are ${folder === '' ? 'beside SKILL.md' : `in "${folder}"`}`;
}

/** The paths to leave out, and how many of their files SKILL.md names; none where the skill is to be split. */
type LimitRepair = {
  readonly paths: readonly string[];
  readonly lost: number;
};

function describeLimitRepair({ paths, lost }: LimitRepair): string {
  if (paths.length === 0) return 'split the skill into several';
  const cost = lost === 0 ? '' : ` (SKILL.md names ${countOf(lost, 'file')} of ${paths.length === 1 ? 'it' : 'them'})`;
  return `leave them out with ${paths.map(toExclude).join(' ')}${cost}, or split the skill into several`;
}

/** What a folder can be renamed to. */
export type FolderRepair =
  | { readonly way: 'none' }
  /** `right` exists already, so another name is free; `written` is the name as a value of YAML. */
  | { readonly way: 'free'; readonly free: string; readonly written: string; readonly right: string }
  | { readonly way: 'rename'; readonly name: string }
  | { readonly way: 'both'; readonly name: string; readonly written: string; readonly other: string | undefined };

function describeFolderRepair(repair: FolderRepair): string {
  switch (repair.way) {
    case 'none':
      return 'rename the folder, and write the same name into its SKILL.md';
    case 'free':
      return `rename the folder to "${repair.free}", and write ${quoteText(`name: ${repair.written}`)} into its SKILL.md: "${repair.right}" exists already`;
    case 'rename':
      return `rename the folder to "${repair.name}"`;
    default: {
      const other = repair.other === undefined ? '' : `; or name both of them "${repair.other}"`;
      return `rename the folder to "${repair.name}", and write ${quoteText(`name: ${repair.written}`)} into its SKILL.md${other}`;
    }
  }
}

/** Links to folders: their paths, and whether they can be left out, and copied; `place` is a folder to pass instead. */
type LinksRepair = {
  readonly paths: readonly string[];
  readonly hasSkills: boolean;
  readonly isAbove: boolean;
  readonly place: string | undefined;
};

function describeLinksRepair({ paths, hasSkills, isAbove, place }: LinksRepair): string {
  const isOne = paths.length === 1;
  const options = toExcludeOptions(paths);
  const copy = `put ${isOne ? 'a copy in its place' : 'copies in their place'}`;
  const out = options === undefined || !hasSkills ? undefined : `leave ${isOne ? 'it' : 'them'} out with ${options}`;
  const ways = isAbove ? (out ?? `remove ${isOne ? 'it' : 'them'}`) : [copy, out].filter(Boolean).join(', or ');
  return place === undefined ? ways : `if that is where the skills are, pass "${place}": ${toCheck(place)}; or ${ways}`;
}

function copyOrLeave(options: string | undefined): string {
  return `put copies in their place${options === undefined ? '' : `, or leave them out with ${options}`}`;
}

/** How a path is left out. Without the file that makes it one, a skill would be gone without a word, so then all of it is named. */
function describeWayOut({ path, skillFile }: Way['repair']): string {
  if (path === skillFile && path.startsWith('./')) return 'pass another root';
  return path === skillFile
    ? `leave the skill out with ${toExclude(path.slice(0, path.lastIndexOf('/')))}`
    : `leave it out with ${toExclude(path)}`;
}

/** How many hidden names a warning spells out: enough to look for one that is missed. */
const NAMES_SHOWN = 100;

function listHiddenNames(names: readonly string[]): string {
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return names.slice(0, NAMES_SHOWN).join(', ') + more;
}
