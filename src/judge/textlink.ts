import { type Problem, toProblem } from '../problems.ts';
import { listNames, toBaseName } from '../text/names.ts';

/** The longest file that is looked at, in bytes: no system has longer paths. */
export const LINK_BYTES = 4096;

/** A relative path that begins above or beside its file, on one line: what git writes for a link where it makes none. */
const RELATIVE = /^\.\.?(?:\/[^\s/\\:*?"<>|][^/\\:*?"<>|\p{Cc}]*)+$|^\.\.(?:\/\.\.)*$/u;

/** The end of a line, which no such file has. */
const LINE_FEED = 0x0a;

/** A path below the folder of its file, of the characters that paths in repositories have. */
const INNER = /^[\w.@+~-]+(?:\/[\w.@+~-]+)*$/;

/**
 * The target of a symbolic link that git wrote as a text file (`core.symlinks=false`, the default on Windows), or undefined for any
 * other content: one relative path, and no line end after it.
 *
 * @param isKnown - whether something has a path, relative to the folder of the file: a path that does not begin with a dot is as well
 *   a word
 */
export function readTextLink(bytes: Uint8Array, isKnown: (path: string) => boolean): string | undefined {
  // every file of every skill comes by here: its bytes say at its first line that it is something else
  if (bytes.length === 0 || bytes.length > LINK_BYTES || bytes.includes(LINE_FEED)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (RELATIVE.test(text)) return text;
  return INNER.test(text) && isKnown(text) ? text : undefined;
}

/** A file that holds the target of a link. */
export interface TextLink {
  /** Relative to the root. */
  readonly path: string;
  readonly target: string;
}

/** One warning for the files of a skill, or of a group in the place of skills, that hold targets of links; none for none. */
export function toTextLinkFiles(folder: string, links: readonly TextLink[]): Problem[] {
  const [first] = links;
  if (first === undefined) return [];
  if (links.length === 1)
    return [toProblem({ code: 'link-as-text-file', path: first.path, ...describeTextLink(first) })];
  const start = folder === '' ? 0 : folder.length + 1;
  const names = listNames(links.map(({ path }) => path.slice(start)));
  return [
    toProblem({
      code: 'link-as-text-file',
      path: folder === '' ? '.' : folder,
      message: `${links.length} files look like symbolic links that git wrote as text files (core.symlinks=false): all that each holds is a path: ${names}`,
      hint: `put copies in their place; ${IN_VAIN}`,
    }),
  ];
}

/** What a problem says of a file that holds the target of a link. */
export function describeTextLink({ path, target }: TextLink): { message: string; hint: string } {
  return {
    message: `"${toBaseName(path)}" looks like a symbolic link that git wrote as a text file (core.symlinks=false): all it holds is "${target}"`,
    hint: `put a copy of "${target}" in its place; ${IN_VAIN}`,
  };
}

const IN_VAIN = 'git clone -c core.symlinks=true makes links again, and links are not published';
