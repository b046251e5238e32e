import { existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPrefix } from '../text/names.ts';
import { findMatches, isGlob } from './glob.ts';
import { quoteValue } from './loading.ts';
import { openFolder } from './open.ts';
import type { SkillTree } from './skilltree.ts';

/** A folder that holds skills, and what is put before the path of each. */
export interface SkillRoot {
  /** A folder, one skill, or a glob for several of either. */
  readonly path: string | URL;
  /** One or more names joined by `/`: the skills are served below `skill://prefix/…`. Default: none. */
  readonly prefix?: string;
}

/** A root that is not looked for on disk, and what is put before the path of each of its skills. */
interface TreeRoot extends Pick<SkillRoot, 'prefix'> {
  readonly tree: SkillTree;
}

/** A root that could not be opened. */
interface FaultRoot extends Pick<SkillRoot, 'prefix'> {
  readonly fault: RootFault;
}

/** A root in one of the ways to give it. */
export type Root = string | URL | SkillRoot | TreeRoot | FaultRoot;

/** Why a root cannot be used. */
export type RootFault = {
  /** As it was given. */
  readonly given: string;
} & (
  | {
      readonly reason: 'missing' | 'unmatched';
      /** The folder from which upwards it was looked for. */
      readonly start?: string;
      /** Where it would be, absolute. */
      readonly place?: string;
    }
  | { readonly reason: 'not-folder' }
  | {
      readonly reason: 'unreadable';
      /** What the system reported. */
      readonly detail: string;
    }
  | {
      /** What is not a folder: a repository, a package or an archive. */
      readonly reason: 'source';
      readonly isMissing: boolean;
      readonly detail: string;
      readonly hint: string | undefined;
    }
);

/** A root that was looked for: the folder where it was found, or why it cannot be used. */
export interface ResolvedRoot {
  /** As it was given, or absolute where it was looked for upwards. */
  readonly path: string;
  readonly prefix: string;
  /** Absolute, links resolved: a root may be given through a link, but nothing below it is. */
  readonly folder?: string;
  /** Absent where there is a fault. */
  readonly tree?: SkillTree;
  readonly fault?: RootFault;
  /** Present for a match of a glob. */
  readonly match?: RootMatch;
}

/** A root as a problem names it: as it was given, without slashes at its end. */
export function toRootLabel(root: ResolvedRoot): string {
  return isSource(root) ? `${root.path}:` : root.path.replace(/(?<=.)\/+$/, '');
}

/** Whether a root is not a folder that somebody writes to, but a state of something else. */
export function isSource({ tree, fault }: ResolvedRoot): boolean {
  return tree?.revision !== undefined || fault?.reason === 'source';
}

/** A root as one of those that a glob matches. */
interface RootMatch {
  /** The same object for all matches of one glob. */
  readonly glob: { readonly pattern: string };
  /** As it was given, without what tells this match apart. */
  readonly prefix: string;
  /** What tells it apart from the other matches, put after the prefix where skills of several have one URI; may be empty. */
  readonly apart: string;
}

/**
 * Finds roots on disk.
 *
 * @param from - the module or folder that relative roots are looked for from, upwards; default: the working directory alone
 * @throws TypeError for a prefix that is none, a URL that names no file, an empty path, or a `from` that is no place on disk
 */
export function resolveRoots(roots: Root | readonly Root[], from?: string | URL): ResolvedRoot[] {
  const list = Array.isArray(roots) ? (roots as readonly Root[]) : [roots as Root];
  if (list.length === 0) throw new TypeError('there is no root');
  const start = from === undefined ? undefined : toStart(from);
  return list.flatMap((root) => {
    const {
      path,
      prefix = '',
      tree,
      fault,
    } = typeof root === 'string' || root instanceof URL
      ? { path: root }
      : ((root ?? {}) as SkillRoot & Partial<TreeRoot> & Partial<FaultRoot>);
    if (prefix !== '' && (typeof prefix !== 'string' || !isPrefix(prefix))) {
      throw new TypeError(
        `the prefix ${quoteValue(prefix)} is not one or more names joined by "/" (a-z, 0-9 and single hyphens)`,
      );
    }
    if (tree !== undefined) return [toTreeRoot(tree, prefix)];
    if (fault !== undefined) return [{ path: fault.given, prefix, fault }];
    const given = path instanceof URL ? fileURLToPath(path) : path;
    if (typeof given !== 'string') throw new TypeError('a root is neither a path nor a URL nor { path, prefix }');
    // an unset variable, most likely; the working directory is nobody's wish
    if (given === '') throw new TypeError('a root is the empty string');
    const typed = path instanceof URL ? given : expandHome(given);
    if (path instanceof URL || !isGlob(typed)) return [{ path: typed, prefix, ...findFolder(typed, start) }];
    return findGlob(typed, prefix, start);
  });
}

/** A tree knows its own folder, where it is one on disk. */
function toTreeRoot(tree: SkillTree, prefix: string): ResolvedRoot {
  return { path: tree.label, prefix, tree, ...(tree.folder === undefined ? {} : { folder: tree.folder }) };
}

/**
 * A path whose leading `~/` is the home folder: a host starts no shell that would replace it. Where a folder `~` exists, it is meant.
 *
 * @param home - absolute; default: that of the user
 * @param cwd - default: the working directory
 */
export function expandHome(path: string, home = homedir(), cwd = resolve('.')): string {
  if (!/^~(?:\/|$)/.test(path) || existsSync(resolve(cwd, path)) || existsSync(resolve(cwd, '~'))) return path;
  return join(home, path.slice(1));
}

/** The roots that a glob matches. One that matches nothing is a root that is missing. */
function findGlob(pattern: string, prefix: string, start: string | undefined): ResolvedRoot[] {
  if (existsSync(resolve(start ?? '.', pattern))) return [{ path: pattern, prefix, ...findFolder(pattern, start) }];
  const { folder, matches } = findMatches(pattern, start);
  const glob = { pattern };
  if (matches.length > 0) {
    return matches.map(({ path, apart }) => {
      // what was looked for upwards is shown by where it is
      const shown = start === undefined || isAbsolute(path) ? path : join(folder, path);
      return { path: shown, prefix, match: { glob, prefix, apart }, ...findRoot(shown, resolve(folder, path)) };
    });
  }
  const fault = { reason: 'unmatched', given: pattern, ...(start === undefined ? {} : { start }) } as const;
  return [{ path: pattern, prefix, fault }];
}

/** Reads a root as it is written on a command line: a folder, or `prefix=folder`. */
export function parseRoot(argument: string): { path: string; prefix?: string } {
  const at = argument.indexOf('=');
  const prefix = argument.slice(0, Math.max(at, 0));
  return at > 0 && at < argument.length - 1 && isPrefix(prefix)
    ? { path: argument.slice(at + 1), prefix }
    : { path: argument };
}

type Found = Pick<ResolvedRoot, 'folder' | 'tree' | 'fault'> & { readonly path?: string };

function findFolder(given: string, start: string | undefined): Found {
  if (start === undefined || isAbsolute(given)) return findRoot(given, resolve(given));
  const found = searchUpwards(given, start);
  // what is relative to a module is shown by where it is: nobody could guess which of the folders above was taken
  if (found !== undefined) return { path: found, ...findRoot(found, found) };
  return { fault: { reason: 'missing', given, start } };
}

function findRoot(given: string, place: string): Found {
  try {
    const folder = realpathSync(place);
    if (!statSync(folder).isDirectory()) return { fault: { reason: 'not-folder', given } };
    return { folder, tree: openFolder(folder, given) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { fault: { reason: 'missing', given, place } };
    return { fault: { reason: 'unreadable', given, detail: code ?? message } };
  }
}

function searchUpwards(given: string, start: string): string | undefined {
  for (let folder = start; ; ) {
    const candidate = join(folder, given);
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The folder where a search begins: that of a module, or a folder itself. */
function toStart(from: unknown): string {
  // a URL of another realm, such as that of a test runner, is none by `instanceof`
  const text = typeof from === 'object' && from !== null && 'href' in from ? from.href : from;
  if (typeof text !== 'string' || /^$|\0/.test(text) || /^(?!file:)[a-z][a-z0-9+.-]+:/i.test(text)) {
    throw new TypeError(
      `from must be the path or the file: URL of a module or a folder, such as import.meta.url, not ${quoteValue(text)}`,
    );
  }
  const path = /^file:/i.test(text) ? fileURLToPath(text) : text;
  const place = resolve(path);
  const isFolder =
    path.endsWith('/') || path.endsWith(sep) || statSync(place, { throwIfNoEntry: false })?.isDirectory();
  return isFolder === true ? place : dirname(place);
}
