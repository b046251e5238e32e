/** How much a problem costs: an error costs its skill the publication, a warning costs nothing. */
export type Severity = 'error' | 'warning';

/**
 * Every code that a problem can carry, with its severity and what it is about in one line.
 * The table is the only place where codes are listed: a code without a row does not compile.
 * A code is never renamed or reused within a major version.
 */
export const CODES = {
  'root-missing': { severity: 'error', title: 'the root folder does not exist' },
  'root-unreadable': { severity: 'error', title: 'the root folder cannot be read' },
  'root-is-skill': { severity: 'error', title: 'the root is a skill, and other skills are below it' },
  'root-empty': { severity: 'error', title: 'the root contains no skill' },
  'folder-name': { severity: 'error', title: 'a skill or group folder breaks the name rule' },
  'group-empty': { severity: 'error', title: 'a skill that lost its SKILL.md' },
  'skill-file-case': { severity: 'error', title: 'SKILL.md is spelled in another case' },
  'nested-skill': { severity: 'error', title: 'a skill inside a skill' },
  symlink: { severity: 'error', title: 'a symbolic link' },
  'special-file': { severity: 'error', title: 'neither a regular file nor a folder' },
  submodule: { severity: 'error', title: 'a Git submodule' },
  'lfs-pointer': { severity: 'error', title: 'a pointer of Git LFS in the place of a file' },
  'path-characters': { severity: 'error', title: 'a path with characters that a URI would have to escape' },
  unreadable: { severity: 'error', title: 'a file or folder that cannot be read' },
  'changed-while-reading': { severity: 'error', title: 'a file that changed while it was read' },
  'too-many-files': { severity: 'error', title: 'a skill of more than 512 files' },
  'too-many-bytes': { severity: 'error', title: 'a skill of more than 16 MiB' },
  'duplicate-uri': { severity: 'error', title: 'two skills with one URI' },
  'prefix-taken': { severity: 'error', title: 'a skill under the prefix of another root' },
  'case-collision': { severity: 'error', title: 'two paths that differ only in case' },
  'link-as-text': { severity: 'error', title: 'SKILL.md is a link that git wrote as text' },
  'not-utf8': { severity: 'error', title: 'SKILL.md is not UTF-8' },
  bom: { severity: 'error', title: 'SKILL.md starts with a byte order mark' },
  'frontmatter-missing': { severity: 'error', title: 'SKILL.md does not start with frontmatter' },
  'frontmatter-unclosed': { severity: 'error', title: 'the frontmatter is not closed' },
  'frontmatter-not-mapping': { severity: 'error', title: 'the frontmatter is not a mapping' },
  'yaml-syntax': { severity: 'error', title: 'no YAML parser accepts this' },
  'duplicate-key': { severity: 'error', title: 'a duplicate key' },
  'non-string-key': { severity: 'error', title: 'a key that is not a string' },
  'non-json-value': { severity: 'error', title: 'a value that JSON cannot contain' },
  'number-range': { severity: 'error', title: 'a number that a double does not keep exactly' },
  'yaml-ambiguous': { severity: 'error', title: 'YAML parsers read this differently' },
  'yaml-unportable': { severity: 'error', title: 'some YAML parsers refuse this' },
  'hidden-text': { severity: 'error', title: 'invisible text in the frontmatter' },
  'name-missing': { severity: 'error', title: 'the name is missing' },
  'name-invalid': { severity: 'error', title: 'the name breaks the name rule' },
  'name-mismatch': { severity: 'error', title: "the name is not the folder's name" },
  'description-missing': { severity: 'error', title: 'the description is missing' },
  'description-length': { severity: 'error', title: 'the description is longer than 1,024 characters' },
  'compatibility-length': { severity: 'error', title: 'compatibility is not a string of 1 to 500 characters' },
  'license-invalid': { severity: 'error', title: 'the license is not a non-empty string' },
  'allowed-tools-invalid': { severity: 'error', title: 'allowed-tools is not a space-separated string' },
  'metadata-invalid': { severity: 'error', title: 'metadata is not a mapping from strings to strings' },
  'metadata-reserved': { severity: 'error', title: 'a metadata key of the reserved prefix' },
  'folder-ignored': { severity: 'warning', title: 'a folder without a skill beside skills' },
  'link-ignored': { severity: 'warning', title: 'a symbolic link to a file beside skills' },
  'link-as-text-file': { severity: 'warning', title: 'a link that git wrote as a text file' },
  'hidden-skipped': { severity: 'warning', title: 'files left out because their names begin with a dot' },
  'build-artifact': { severity: 'warning', title: 'build output inside a skill' },
  'message-size': { severity: 'warning', title: 'a file too large for one stdio message' },
  'comment-swallowed': { severity: 'warning', title: 'a value that is cut by a comment' },
  'fence-in-value': { severity: 'warning', title: 'three dashes inside the frontmatter' },
  'markup-in-description': { severity: 'warning', title: 'markup in the description' },
  'field-typo': { severity: 'warning', title: 'a near miss of a field of the specification' },
  'invisible-character': { severity: 'warning', title: 'invisible characters' },
  'number-shape': { severity: 'warning', title: 'a number that loses its shape' },
  'tools-commas': { severity: 'warning', title: 'commas between the tools of allowed-tools' },
  'broken-link': { severity: 'warning', title: 'a link to a file that is not published' },
  'missing-path': { severity: 'warning', title: 'a path in code to a file that the skill does not have' },
  'host-variable': { severity: 'warning', title: 'a variable or folder of one host in SKILL.md' },
  'skill-long': { severity: 'warning', title: 'a SKILL.md longer than some hosts show' },
  'html-comment': { severity: 'warning', title: 'hidden instructions in an HTML comment in SKILL.md' },
  secret: { severity: 'warning', title: 'a string that looks like a secret' },
  'windows-name': { severity: 'warning', title: 'a name that Windows cannot store' },
  'lint-failed': { severity: 'warning', title: 'a file that could not be checked to the end' },
  'listing-budget': { severity: 'warning', title: 'a listing longer than hosts show' },
  'host-skill-count': { severity: 'error', title: 'more skills than the host imports' },
  'host-name-twice': { severity: 'error', title: 'two skills of one name, which the host does not import' },
  'host-file-count': { severity: 'error', title: 'more files in a skill than the host imports' },
  'host-skill-size': { severity: 'error', title: 'a skill larger than the host imports' },
  'host-skill-file-size': { severity: 'error', title: 'a SKILL.md larger than the host imports' },
  'host-file-size': { severity: 'error', title: 'a file larger than the host imports' },
  'host-listing-cut': { severity: 'warning', title: 'more skills than the host takes from a listing' },
  'host-binary-file': { severity: 'warning', title: 'a binary file that the host may refuse' },
  'host-archive-file': { severity: 'warning', title: 'an archive that the host may refuse' },
} as const satisfies Record<string, { severity: Severity; title: string }>;

export type ProblemCode = keyof typeof CODES;

/**
 * What the sentences of a problem are made of: which sentence of its code (`variant`, where it has several), and what it names and
 * counts. What only its hint needs is in `repair`: without it, the arguments say which problem it is.
 */
export type ProblemArgs = Readonly<Record<string, unknown>>;

/** Something that keeps a skill from being published (error), or that its author should see (warning). */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** The root as it was given, without a slash at its end; absent for a text that is checked by itself. */
  readonly root?: string;
  /** Relative to its root, `/`-separated; `.` is the root itself. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in UTF-16 units. */
  readonly column?: number;
  /** In UTF-16 units. */
  readonly length?: number;
  readonly args?: ProblemArgs;
  readonly message: string;
  /** What to do, with the exact text to write. */
  readonly hint?: string;
  /** The URI that the skill would have had. */
  readonly skill?: string;
  /** How many problems this one is, where they are counted and not listed; absent for one. */
  readonly count?: number;
}

/** How many problems of one code in one file are listed; the others are counted. */
export const MAX_LISTED = 100;

/** A problem before its severity is looked up in the table of codes. */
export type ProblemInit = Omit<Problem, 'severity' | 'count'>;

/** What the problems of one file, or of one root, have in common. */
export type Whereabouts = Pick<ProblemInit, 'root' | 'skill'>;

/** A path as problems have it: one in a root that is one skill itself, `./SKILL.md`, loses its dot. */
export function toProblemPath(path: string): string {
  return path.replace(/^\.\/(?=.)/, '');
}

/** Makes a problem with the severity of its code. */
export function toProblem(init: ProblemInit): Problem {
  const { code, root, path, line, column, length, args, message, hint, skill } = init;
  return {
    code,
    severity: CODES[code].severity,
    ...(root === undefined ? {} : { root }),
    path: toProblemPath(path),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(length === undefined ? {} : { length }),
    ...(args === undefined ? {} : { args }),
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(skill === undefined ? {} : { skill }),
  };
}

/** What tells a problem from another: two looks at the same fault have the same. The severity is no part of it. */
export function toProblemKey({ root, path, code, line, column, message }: Problem): string {
  return JSON.stringify([root, path, code, line, column, message]);
}

/** Orders strings by UTF-16 code units, independent of any locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order in which problems leave the process: path, line, column, code. */
export function compareProblems(a: Problem, b: Problem): number {
  return (
    compareText(a.path, b.path) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}
