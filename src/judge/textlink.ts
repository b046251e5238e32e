import { say } from '../messages/say.ts';
import { type Problem, toProblem, type Whereabouts } from '../problems.ts';
import { toBaseName } from '../text/names.ts';

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

/** A file that contains the target of a link. */
export interface TextLink {
  /** Relative to the root. */
  readonly path: string;
  readonly target: string;
}

/** One warning for the files of a skill, or of a group in the place of skills, that contain targets of links; none for none. */
export function toTextLinkFiles(folder: string, links: readonly TextLink[]): Problem[] {
  const [first] = links;
  if (first === undefined) return [];
  if (links.length === 1) {
    return [toProblem({ ...say('link-as-text-file/one', toNamed(first)), path: first.path })];
  }
  const start = folder === '' ? 0 : folder.length + 1;
  const names = links.map(({ path }) => path.slice(start));
  return [toProblem({ ...say('link-as-text-file/several', { names }), path: folder === '' ? '.' : folder })];
}

/** A SKILL.md that contains nothing but the target of a link. */
export function toTextLinkSkill(link: TextLink, where: Whereabouts): Problem {
  return toProblem({ ...say('link-as-text', toNamed(link)), path: link.path, ...where });
}

function toNamed({ path, target }: TextLink): { readonly name: string; readonly target: string } {
  return { name: toBaseName(path), target };
}
