import { statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import fastGlob from 'fast-glob';
import { compareText } from '../problems.ts';
import { isPrefix } from '../text/names.ts';

/** A folder that a glob matches. */
interface Match {
  /** As the glob is written: relative where that is. */
  readonly path: string;
  /** The part of the path that differs between the matches, where it can be a prefix; else empty. */
  readonly apart: string;
}

/** Whether a root is a glob, unless a folder of that very name exists. A variable in braces is none. */
export function isGlob(path: string): boolean {
  return fastGlob.isDynamicPattern(toPattern(path)) && !/[$%]/.test(path);
}

/**
 * The folders that a glob matches, sorted.
 *
 * @param start - the folder from which upwards a relative glob is tried, until one folder has matches; default: the working directory
 *   alone
 * @returns the folder that the matches are relative to as well
 */
export function findMatches(glob: string, start?: string): { folder: string; matches: Match[] } {
  for (let folder = start ?? resolve('.'); ; ) {
    const paths = findFolders(toPattern(glob), folder);
    const parent = dirname(folder);
    if (paths.length > 0 || start === undefined || parent === folder) return { folder, matches: tellApart(paths) };
    folder = parent;
  }
}

/** A glob has slashes, whatever the platform has. */
function toPattern(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}

function findFolders(pattern: string, cwd: string): string[] {
  const found = fastGlob.sync(pattern.replace(/\/+$/, ''), {
    cwd,
    onlyFiles: false,
    // a root may be given through a link, as by a shell; "**" could go round in circles
    followSymbolicLinks: !pattern.includes('**'),
    suppressErrors: true,
  });
  const isFolder = (path: string) => statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
  return found.filter(isFolder).sort(compareText);
}

/** Takes from the paths what they begin and end with alike. */
function tellApart(paths: readonly string[]): Match[] {
  if (paths.length < 2) return paths.map((path) => ({ path, apart: '' }));
  const split = paths.map((path) => path.split('/'));
  const shortest = split.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  let head = 0;
  while (head < shortest - 1 && split.every((each) => each[head] === split[0]?.[head])) head++;
  let tail = 0;
  while (tail < shortest - head - 1 && split.every((each) => each.at(-1 - tail) === split[0]?.at(-1 - tail))) tail++;
  return paths.map((path, at) => {
    const apart = split[at]?.slice(head, split[at].length - tail).join('/') ?? '';
    return { path, apart: isPrefix(apart) ? apart : '' };
  });
}
