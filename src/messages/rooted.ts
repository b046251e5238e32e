import { countOf } from '../text/count.ts';
import { toExclude, toExcludeOptions } from '../text/exclude.ts';
import { listNames } from '../text/names.ts';
import { toCheck, toTypedPath } from '../text/typed.ts';
import type { Family } from './sentence.ts';

/** A root as it was given. */
type Given = {
  readonly given: string;
};

/** Where a root was looked for. */
type Looked = Given & {
  readonly start: string | undefined;
};

/** A root as it is typed, for the commands of hints. */
type Typed = {
  readonly label: string;
};

/** Hidden folders that contain skills, as they are typed. */
type Hidden = {
  readonly hidden: readonly { readonly place: string; readonly skills: number }[];
};

/** A folder by its name. */
type Folder = {
  readonly folder: string;
};

type Path = {
  readonly path: string;
};

/** What became of what was read, in words. */
type Fault = {
  readonly fault: string;
};

/** A repository, a package or an archive that cannot be used, in the words of what read it. */
function describeSource({
  detail,
  hint,
}: {
  readonly detail: string;
  readonly hint: string | undefined;
}): readonly [string, string?] {
  return hint === undefined ? [detail] : [detail, hint];
}

/** What is beside the skills of a root, and the root itself. */
export const ROOTED = {
  'root-missing': {
    source: describeSource,
    unmatched: ({ given, start }: Looked) => [
      `no folder matches "${given}"${above(start)}`,
      'correct the pattern: it is compared with folders, and "*" stands for one name',
    ],
    none: ({ given, start, place, variable }: Missing) => [
      `there is no folder "${given}"${above(start)}${place === undefined ? '' : ` (looked for ${place})`}`,
      variable === undefined
        ? 'create it, or pass its absolute path'
        : `"${variable}" was passed as it is, and nothing replaces it here: write the absolute path`,
    ],
  },
  'root-unreadable': {
    source: describeSource,
    'not-folder': ({ given }: Given) => [`"${given}" is not a folder`, 'pass the folder that contains skills'],
    system: ({ given, fault }: Given & Fault) => [`"${given}" cannot be read: ${fault}`],
    closed: ({ fault }: Fault) => [`the root folder cannot be read: ${fault}`],
  },
  'root-is-skill': ({ file, others, repair }: RootIsSkill) => [
    `the root contains a ${file}, so it is a skill, and ${countOf(others.length, 'other skill')} ${others.length === 1 ? 'is' : 'are'} below it: ${listNames(others, 5)}`,
    `${repair.folder === undefined ? '' : `pass the folder that contains the others: ${toCheck(toTypedPath(repair.label, repair.folder))}; `}leave the ${file} of the root out with ${toExclude(file)}, or publish all of it as one skill with --nested files`,
  ],
  'root-empty': {
    hidden: ({ hidden, repair }: Hidden & { readonly repair: Path & Typed }) => [
      `the root contains no skill that is not hidden; ${listHidden(hidden)}`,
      `pass ${hidden.length === 1 ? 'that folder' : 'one of them'}: ${toCheck(toTypedPath(repair.label, repair.path))}`,
    ],
    excluded: () => ['the root contains no skill but what exclude patterns leave out', NO_EXCLUDE],
    none: () => ['the root contains no skill: no folder below it has a SKILL.md', OWN_FOLDERS],
  },

  'folder-ignored': {
    one: ({ folder, without, repair }: Folder & Without) => [
      `the folder "${folder}" contains no skill, and is ignored${because(without)}`,
      leaveOut('it', repair.paths),
    ],
    several: ({ count, folders, without, repair }: Without & { readonly count: number; readonly folders: string }) => [
      `${count} folders contain no skill, and are ignored: ${folders}${because(without)}`,
      leaveOut('them', repair.paths),
    ],
    hidden: ({
      folder,
      hidden,
      repair,
    }: Folder & Hidden & { readonly repair: Path & Typed & { readonly first: string } }) => [
      `the folder "${folder}" contains no skill that is not hidden, and is ignored; ${listHidden(hidden)}`,
      `leave it out with ${toExclude(repair.path)}, and pass what is meant as a root of its own: ${toCheck(toTypedPath(repair.label, repair.first))}`,
    ],
    /** A root that a glob matches, where others have skills. */
    'match-hidden': ({ hidden, repair }: Hidden & { readonly repair: Path & Typed }) => [
      `the root contains no skill that is not hidden, and is ignored; ${listHidden(hidden)}`,
      `pass ${hidden.length === 1 ? 'that folder' : 'one of them'}: ${toCheck(toTypedPath(repair.label, repair.path))}`,
    ],
    'match-excluded': () => [
      'the root contains no skill but what exclude patterns leave out, and is ignored',
      NO_EXCLUDE,
    ],
    'match-none': () => ['the root contains no skill, and is ignored: no folder below it has a SKILL.md', OWN_FOLDERS],
  },
  'link-ignored': {
    one: ({ link, repair }: { readonly link: string; readonly repair: Paths }) => [
      `"${link}" is a symbolic link beside the skills that leads to no folder, and is ignored`,
      removeOrLeave('it', repair.paths),
    ],
    several: ({ links, repair }: { readonly links: readonly string[]; readonly repair: Paths }) => [
      `${links.length} symbolic links beside the skills lead to no folder, and are ignored: ${listNames(links)}`,
      removeOrLeave('them', repair.paths),
    ],
  },
  'group-empty': ({ folder, sign, repair }: Lost) => [
    `the folder "${folder}" looks like a skill that lost its SKILL.md: ${sign.file === undefined ? `it contains ${sign.parts?.map((part) => `${part}/`).join(' and ')}` : `the frontmatter of its "${sign.file}" has a name and a description`}`,
    `${repair.file === undefined ? `add ${repair.path}/SKILL.md` : `rename ${repair.path}/${repair.file} to ${repair.path}/SKILL.md`}, or leave the folder out with ${toExclude(repair.path)}`,
  ],
  'prefix-taken': ({ uri, prefix, owner, isUnder }: Taken) => [
    `${uri} would ${isUnder ? 'be under' : 'contain'} the prefix "${prefix}", and only "${owner}" may publish there`,
    'rename the folder, or give its root a prefix of its own (prefix=folder)',
  ],
  'duplicate-uri': ({ uri, places, more, repair }: Duplicate) => [
    `${uri} is claimed by ${places.join(', ')}${more > 0 ? ` and ${more} more` : ''} as well, so none of them is published`,
    repair.isOneRoot
      ? 'rename one of the skills'
      : 'give one root a prefix (prefix=folder), or rename one of the skills',
  ],
} as const satisfies Family;

const NO_EXCLUDE = 'leave an --exclude out';
const OWN_FOLDERS = 'give each skill a folder of its own in the root: my-skill/SKILL.md';

type Missing = Looked & {
  readonly place: string | undefined;
  /** One of a shell or a host that nothing replaced. */
  readonly variable: string | undefined;
};

type RootIsSkill = {
  readonly file: string;
  readonly others: readonly string[];
  readonly repair: Typed & { readonly folder: string | undefined };
};

type Paths = {
  readonly paths: readonly string[];
};

/** Folders whose SKILL.md an exclude pattern leaves out. */
type Without = {
  readonly without: readonly string[];
  readonly repair: Paths;
};

type Lost = Folder & {
  /** What makes it look like one. */
  readonly sign: { readonly parts?: readonly string[]; readonly file?: string };
  readonly repair: Path & { readonly file: string | undefined };
};

type Taken = {
  readonly uri: string;
  readonly prefix: string;
  readonly owner: string;
  readonly isUnder: boolean;
};

type Duplicate = {
  readonly uri: string;
  readonly places: readonly string[];
  readonly more: number;
  readonly repair: { readonly isOneRoot: boolean };
};

function above(start: string | undefined): string {
  return start === undefined ? '' : ` in "${start}" or in a folder above it`;
}

function listHidden(hidden: Hidden['hidden']): string {
  return `hidden folders contain skills: ${hidden.map(({ place, skills }) => `"${place}" (${skills})`).join(', ')}`;
}

function because(without: readonly string[]): string {
  return without.length === 0 ? '' : `; an exclude pattern leaves out the SKILL.md of ${listNames(without)}`;
}

function leaveOut(them: string, paths: readonly string[]): string {
  const options = toExcludeOptions(paths);
  const move = 'move the files into the skills that use them';
  return options === undefined
    ? `${move}, and pass the folders that contain skills: the others are not looked at then`
    : `leave ${them} out with ${options}, or ${move}`;
}

function removeOrLeave(them: string, paths: readonly string[]): string {
  const options = toExcludeOptions(paths);
  return options === undefined
    ? `remove ${them}, or pass the folders that contain skills`
    : `leave ${them} out with ${options}`;
}
