import { toBaseName } from './names.ts';
import { type Problem, toProblem } from './problems.ts';

/** The longest file that is looked at, in bytes: no system has longer paths. */
export const LINK_BYTES = 4096;

/** A relative path that begins above or beside its file, on one line: what git writes for a link where it makes none. */
const RELATIVE = /^\.\.?(?:\/[^\s/\\:*?"<>|][^/\\:*?"<>|\p{Cc}]*)+$|^\.\.(?:\/\.\.)*$/u;

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
  if (bytes.length === 0 || bytes.length > LINK_BYTES) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (RELATIVE.test(text)) return text;
  return INNER.test(text) && isKnown(text) ? text : undefined;
}

/** A file that is not SKILL.md, in a skill or in the place of one. */
export function toTextLinkFile(path: string, target: string): Problem {
  return toProblem({ code: 'link-as-text-file', path, ...describeTextLink(path, target) });
}

/** What a problem says of a file that holds the target of a link. */
export function describeTextLink(path: string, target: string): { message: string; hint: string } {
  return {
    message: `"${toBaseName(path)}" looks like a symbolic link that git wrote as a text file (core.symlinks=false): all it holds is "${target}"`,
    hint: `put a copy of "${target}" in its place; git clone -c core.symlinks=true makes a link of it, and links are not published`,
  };
}
