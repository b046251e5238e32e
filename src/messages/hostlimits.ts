import { countOf, formatNumber } from '../text/count.ts';
import type { Family } from './sentence.ts';

/** A host as a sentence names it, and what it takes at most. */
type Limit = {
  readonly host: string;
  readonly most: number;
};

type Size = Limit & {
  readonly bytes: number;
};

/** Files by their paths in the skill. */
type Files = {
  readonly host: string;
  readonly files: readonly string[];
};

const LESS_FILES = 'leave files out with --exclude, or split the skill';
const NOT_NEEDED = 'leave out with --exclude what the skill does not need';

/** What a host would not import. */
export const HOST_LIMITS = {
  'host-skill-count': ({ host, most, skills }: Limit & { readonly skills: number }) => [
    `${skills} skills, and ${host} takes ${most} at most`,
    `serve at most ${most} skills: pass other roots, or leave folders out with --exclude`,
  ],
  'host-name-twice': ({ host, name, others, more }: Twice) => [
    `the name "${name}" is also that of ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}, and ${host} takes each name once`,
    'rename one of the folders, and write its new name into its SKILL.md',
  ],
  'host-file-count': ({ host, most, files }: Limit & { readonly files: number }) => [
    `${files} files, and ${host} takes ${most} a skill at most`,
    LESS_FILES,
  ],
  'host-skill-size': ({ host, most, bytes }: Size) => [
    `${formatNumber(bytes)} bytes in all, and ${host} takes ${formatNumber(most)} a skill at most`,
    LESS_FILES,
  ],
  'host-skill-file-size': ({ host, most, bytes }: Size) => [
    `${formatNumber(bytes)} bytes, and ${host} takes ${formatNumber(most)} at most for SKILL.md`,
    'move details into files of their own',
  ],
  'host-file-size': ({ host, most, bytes }: Size) => [
    `${formatNumber(bytes)} bytes, and ${host} takes ${formatNumber(most)} at most a file`,
    'make it smaller, or leave it out with --exclude',
  ],
  'host-listing-cut': {
    count: ({ host, taken, all, first }: Cut) => [
      `${host} takes the first ${taken} of ${all} skills from a listing: ${first} is the first that is left out`,
      LIST_LESS,
    ],
    size: ({ host, most, taken, all, first }: Cut & { readonly most: number }) => [
      `${host} takes ${formatNumber(most)} bytes of entries, so the first ${taken} of ${all} skills, from a listing: ${first} is the first that is left out`,
      LIST_LESS,
    ],
  },
  'host-binary-file': ({ host, files }: Files) => [
    `${countOf(files.length, 'binary file')}, which the scan of ${host} may refuse: ${listFiles(files)}`,
    NOT_NEEDED,
  ],
  'host-archive-file': ({ host, files }: Files) => [
    `${countOf(files.length, 'archive')}, which the scan of ${host} may refuse: ${listFiles(files)}`,
    NOT_NEEDED,
  ],
} as const satisfies Family;

const LIST_LESS =
  'pass other roots, or leave folders out with --exclude; to choose which skills are listed, serve the others with --unlisted';

type Twice = {
  readonly host: string;
  readonly name: string;
  readonly others: readonly string[];
  readonly more: number;
};

type Cut = {
  readonly host: string;
  readonly taken: number;
  readonly all: number;
  /** The URI of the first skill that is left out. */
  readonly first: string;
};

/** How many files a problem spells out. */
const FILES_SHOWN = 3;

function listFiles(files: readonly string[]): string {
  const more = files.length > FILES_SHOWN ? ` and ${files.length - FILES_SHOWN} more` : '';
  return files.slice(0, FILES_SHOWN).join(', ') + more;
}
