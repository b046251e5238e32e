import { formatNumber } from '../text/count.ts';
import { toExclude } from '../text/exclude.ts';
import type { Family } from './sentence.ts';

/** A link as it is written. */
type Link = {
  readonly target: string;
};

/** A link, and the path that it should have. */
type Corrected = Link & {
  readonly repair: { readonly path: string };
};

/** Something that is in a file several times. */
type Counted = {
  readonly count: number;
};

const PUT_COPY = 'put a copy in its place';

/** What only `check` looks for. */
export const LINTINGS = {
  'broken-link': {
    around: ({ target, repair }: Corrected) => [
      `${nameLink(target)} leaves the skill and comes back, and hosts look for a file from the skill's own folder`,
      `write ${repair.path}`,
    ],
    case: ({ target, file, repair }: Corrected & { readonly file: string }) => [
      `${nameLink(target)} differs in case from the file "${file}"`,
      `write ${repair.path}`,
    ],
    backslashes: ({ target, repair }: Corrected) => [
      `${nameLink(target)} has backslashes, which are not separators`,
      `write ${repair.path}`,
    ],
    hidden: ({ target, hidden }: Link & { readonly hidden: string }) => [
      `${nameLink(target)} leads to a hidden file, and names that begin with a dot are not published`,
      `rename "${hidden}" without the dot`,
    ],
    symlink: ({ target }: Link) => [
      `${nameLink(target)} leads to a symbolic link, and links are not published`,
      PUT_COPY,
    ],
    folder: ({ target }: Link) => [
      `${nameLink(target)} leads to a folder in which no file is published`,
      'add a file to it that is neither hidden nor excluded, or remove the link',
    ],
    excluded: ({ target }: Link) => [
      `${nameLink(target)} leads to a file that is left out`,
      'do not exclude it, or remove the link',
    ],
    missing: ({ target, repair }: Link & { readonly repair: { readonly path?: string; readonly add?: string } }) => [
      `${nameLink(target)} does not lead to a file of the skill`,
      repair.path === undefined
        ? `${repair.add === undefined ? '' : `add ${repair.add}, or `}correct the link`
        : `write ${repair.path}`,
    ],
    skill: ({ target, name }: Link & { readonly name: string }) => [
      `${nameLink(target)} leads to another skill, and hosts read only the files of this one`,
      `name it instead of linking to it: the skill "${name}"`,
    ],
    outside: ({ target }: Link) => [
      `${nameLink(target)} leads out of the skill, and hosts read only its own files`,
      'put a copy into the skill, or remove the link',
    ],
  },
  'missing-path': {
    symlink: ({ file }: { readonly file: string }) => [
      `"${file}" is on the disk and is not published: it is a symbolic link, or below one`,
      PUT_COPY,
    ],
    hidden: ({ file, repair }: { readonly file: string; readonly repair: { readonly name: string } }) => [
      `"${file}" is on the disk and is not published: it is hidden or excluded`,
      `rename "${repair.name}" without a dot at its beginning, or do not exclude it`,
    ],
    alike: ({ file, repair }: { readonly file: string; readonly repair: { readonly path: string } }) => [
      `the skill has no file "${file}"`,
      `write ${repair.path}`,
    ],
    none: ({ file, owner, repair }: Missing) => [
      `the skill has no file "${file}"${owner === undefined ? '' : `; the skill "${owner}" has one`}`,
      `add ${repair.add}, or correct the path`,
    ],
  },
  'host-variable': {
    argument: ({ variable, count }: Counted & { readonly variable: string }) => [
      `"${variable}" is replaced by some hosts for their own commands, and reaches the model as it is written over MCP${times(count)}`,
      'write in words what is meant, such as: what the user asked for',
    ],
    folder: ({ variable, count, repair }: Counted & { readonly variable: string; readonly repair: OwnPath }) => [
      `"${variable}" is replaced by some hosts for their own skills, and reaches the model as it is written over MCP${times(count)}`,
      repair.path === undefined
        ? 'put the file into the skill, and write its path relative to the skill'
        : `write the path relative to the skill: ${repair.path}`,
    ],
    place: ({ place, owner, count, repair }: Place) => [
      `"${place}" is a folder of one host, and a skill that is served over MCP is not in it${times(count)}`,
      repair.path === undefined
        ? `name the skill "${owner}" instead of its folder`
        : `write the path relative to the skill: ${repair.path}`,
    ],
  },
  'skill-long': ({ bytes, most }: { readonly bytes: number; readonly most: number }) => [
    `SKILL.md has ${formatNumber(bytes)} bytes, which fill the context whenever the skill is used; some hosts cut a SKILL.md of more than ${formatNumber(most)} bytes`,
    'move what is not always needed into files below references/, and link to them',
  ],
  'html-comment': ({ isLong, count }: Counted & { readonly isLong: boolean }) => [
    `an HTML comment with ${isLong ? 'more than a line of text' : 'instructions'}${ofThem(count)}: models read it, and people who see the rendered text do not`,
    'write it as text, or remove it',
  ],
  secret: ({ kind, count }: Counted & { readonly kind: string }) => [
    `this looks like ${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}${ofThem(count)}, and anyone who can reach the server can read it`,
    'remove it from the file, and revoke it if it was ever published',
  ],
  'windows-name': {
    device: ({ name, device }: { readonly name: string; readonly device: string }) => [
      `the name "${name}" is the device ${device} on Windows, so a copy there lacks it`,
      'rename it',
    ],
    dot: ({ name, repair }: { readonly name: string; readonly repair: { readonly name?: string } }) => [
      `the name "${name}" ends with a dot, which Windows drops, so a copy there lacks it`,
      repair.name === undefined ? 'rename it' : `rename it to "${repair.name}"`,
    ],
  },
  'lint-failed': ({ reason, repair }: { readonly reason: string; readonly repair: { readonly path: string } }) => [
    `the file could not be checked to the end: ${reason}`,
    `split the file, or leave it out with ${toExclude(repair.path)}`,
  ],
  'listing-budget': ({ skills, characters, budget, repair }: Budget) => [
    `the names and descriptions of ${skills} skills have ${formatNumber(characters)} characters together, and common hosts show a listing of about ${formatNumber(budget)}: they cut descriptions, or leave skills out`,
    `shorten the longest (${repair.longest.map(({ name, length }) => `${name}: ${length}`).join(', ')}), or serve them as several servers`,
  ],
} as const satisfies Family;

type Missing = {
  readonly file: string;
  readonly owner: string | undefined;
  readonly repair: { readonly add: string };
};

/** Absent where the file is not the skill's. */
type OwnPath = {
  readonly path?: string;
};

type Place = Counted & {
  readonly place: string;
  readonly owner: string;
  readonly repair: OwnPath;
};

type Budget = {
  readonly skills: number;
  readonly characters: number;
  readonly budget: number;
  readonly repair: { readonly longest: readonly { readonly name: string; readonly length: number }[] };
};

/** Characters of a link that a message repeats. */
const SHOWN = 200;

function nameLink(target: string): string {
  return `the link "${target.length > SHOWN ? `${target.slice(0, SHOWN)}...` : target}"`;
}

function times(count: number): string {
  return count === 1 ? '' : ` (${count} times in the file)`;
}

function ofThem(count: number): string {
  return count === 1 ? '' : ` (${count} of them in the file)`;
}
