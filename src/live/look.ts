import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { ROUNDING } from '../disk/read.ts';
import { type ResolvedRoot, type Root, resolveRoots } from '../disk/roots.ts';
import { createPause } from '../disk/slice.ts';
import { toMatcher } from '../disk/walk.ts';
import { compareText } from '../problems.ts';
import { findRemote } from './filesystem.ts';

/** What is looked at. */
export interface Places {
  /** Or what gives them as they are now. */
  readonly roots: Root | readonly Root[] | (() => Promise<readonly Root[]>);
  readonly from?: string | URL | undefined;
  /** Globs relative to a root. */
  readonly exclude: readonly string[];
  /** Files beside the roots that count as well. */
  readonly beside?: readonly string[];
}

/**
 * What the file system said of every entry of the roots, without reading a file. A later look at which nothing is different is the same
 * object.
 */
export interface Look {
  readonly roots: readonly SeenRoot[];
  /** When the last of the entries was changed, in milliseconds since 1970; times to come, which are those of another clock, aside. */
  readonly youngest: number;
  /** How many entries were changed in the last second before the look. */
  readonly fresh: number;
  /** How many folders were seen. */
  readonly folders: number;
  readonly beside: readonly Float64Array[];
}

/** A root as it was found. */
interface SeenRoot {
  readonly root: ResolvedRoot;
  readonly top?: SeenFolder;
}

/** A folder and what is in it: the numbers of its entries, folders aside. */
export interface SeenFolder {
  readonly own: Float64Array;
  /** Why it could not be read. */
  readonly error?: string;
  /** Of what is no folder, sorted. */
  readonly names: readonly string[];
  readonly numbers: Float64Array;
  /** Sorted by name. */
  readonly folders: ReadonlyMap<string, SeenFolder>;
  /** When the names were read last, in milliseconds since 1970. */
  readAt: number;
}

/** How long a look keeps the event loop to itself, in milliseconds. */
const SLICE = 25;

/** Numbers an entry. */
const WIDTH = 6;

/** What one look keeps in mind. */
interface Glance {
  readonly now: number;
  readonly isExcluded: (path: string) => boolean;
  /** Whether a folder whose times are the same has the same names in it: not on every network drive. */
  trustsFolders: boolean;
  readonly pause: () => Promise<void> | undefined;
  youngest: number;
  fresh: number;
  folders: number;
}

/**
 * Looks at the roots.
 *
 * @param before - an earlier look: what comes back is that very object where nothing is different
 */
export async function lookAtRoots({ roots, from, exclude, beside = [] }: Places, before?: Look): Promise<Look> {
  const glance: Glance = {
    now: Date.now(),
    isExcluded: toMatcher(exclude),
    trustsFolders: true,
    pause: createPause(SLICE),
    youngest: 0,
    fresh: 0,
    folders: 0,
  };
  const seen: SeenRoot[] = [];
  const given = typeof roots === 'function' ? await roots() : roots;
  for (const [at, root] of resolveRoots(given, from).entries()) {
    const known = before?.roots[at];
    if (root.folder === undefined) seen.push(known !== undefined && isSameRoot(known.root, root) ? known : { root });
    else {
      glance.trustsFolders = findRemote(root.folder) === undefined;
      const top = await lookInto(glance, root.folder, '', known?.root.folder === root.folder ? known.top : undefined);
      seen.push(known?.top === top && isSameRoot(known.root, root) ? known : { root, top });
    }
  }
  const files = beside.map(lookBeside);
  const isSame =
    before !== undefined &&
    isSameList(before.roots, seen) &&
    files.every((file, at) => areEqual(file, before.beside[at] as Float64Array));
  if (isSame) return before;
  const { youngest, fresh, folders } = glance;
  return { roots: seen, youngest, fresh, folders, beside: files };
}

/** Every folder that was seen, by its absolute path. */
export function* listFolders({ roots }: Look): Generator<readonly [path: string, seen: SeenFolder]> {
  for (const { root, top } of roots)
    if (top !== undefined && root.folder !== undefined) yield* listBelow(root.folder, top);
}

function* listBelow(path: string, seen: SeenFolder): Generator<readonly [string, SeenFolder]> {
  yield [path, seen];
  for (const [name, child] of seen.folders) yield* listBelow(`${path}/${name}`, child);
}

async function lookInto(glance: Glance, path: string, inner: string, before?: SeenFolder): Promise<SeenFolder> {
  const waiting = glance.pause();
  if (waiting !== undefined) await waiting;
  glance.folders += 1;
  let stats: Stats;
  try {
    stats = lstatSync(path);
    if (!stats.isDirectory()) return toUnread(before, 'ENOTDIR', glance.now);
  } catch (error) {
    return toUnread(before, (error as NodeJS.ErrnoException).code ?? 'EIO', glance.now);
  }
  const own = new Float64Array(WIDTH);
  note(glance, own, 0, stats);
  const isOwnSame = before !== undefined && before.error === undefined && areEqual(own, before.own);
  // two changes within one tick of a clock leave one time
  const isTrusted = isOwnSame && glance.trustsFolders && stats.ctimeMs < before.readAt - ROUNDING;
  let { names, folders } = before ?? { names: [], folders: new Map<string, SeenFolder>() };
  let children: Iterable<string> = folders.keys();
  if (!isTrusted) {
    try {
      const read = readNames(path, inner, glance);
      if (!isSameList(read.names, names)) names = read.names;
      children = read.folders;
    } catch (error) {
      return toUnread(before, (error as NodeJS.ErrnoException).code ?? 'EIO', glance.now);
    }
  }
  const numbers = new Float64Array(names.length * WIDTH);
  for (const [at, name] of names.entries()) {
    const place = `${path}/${name}`;
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) continue;
    note(glance, numbers, at * WIDTH, found);
    // what a link leads to decides whether it is in the way
    if (found.isSymbolicLink() && leadsToFolder(place)) numbers[at * WIDTH + 2] = -1;
  }
  let isSame = isOwnSame && names === before.names && areEqual(numbers, before.numbers);
  const seen = new Map<string, SeenFolder>();
  for (const name of children) {
    const known = before?.folders.get(name);
    const child = await lookInto(glance, `${path}/${name}`, inner === '' ? name : `${inner}/${name}`, known);
    if (child !== known) isSame = false;
    seen.set(name, child);
  }
  if (!isSame || seen.size !== before?.folders.size) return { own, names, numbers, folders: seen, readAt: glance.now };
  if (!isTrusted) before.readAt = glance.now;
  folders = before.folders;
  return before;
}

function toUnread(before: SeenFolder | undefined, error: string, now: number): SeenFolder {
  if (before?.error === error) return before;
  return { own: new Float64Array(), error, names: [], numbers: new Float64Array(), folders: new Map(), readAt: now };
}

/** What a walk would look at: hidden names change the time of their folder, and nothing else. */
function readNames(path: string, inner: string, { isExcluded }: Glance): { names: string[]; folders: string[] } {
  const names: string[] = [];
  const folders: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || isExcluded(inner === '' ? name : `${inner}/${name}`)) continue;
    (entry.isDirectory() ? folders : names).push(name);
  }
  return { names: names.sort(compareText), folders: folders.sort(compareText) };
}

function note(glance: Glance, numbers: Float64Array, at: number, stats: Stats): void {
  record(numbers, at, stats);
  const { ctimeMs } = stats;
  // the clock here has whole milliseconds, and that of files has fractions
  if (ctimeMs > glance.now + 1) return;
  if (ctimeMs > glance.youngest) glance.youngest = ctimeMs;
  if (ctimeMs > glance.now - 1000) glance.fresh += 1;
}

function record(numbers: Float64Array, at: number, stats: Stats): void {
  numbers[at] = stats.dev;
  numbers[at + 1] = stats.ino;
  numbers[at + 2] = stats.size;
  numbers[at + 3] = stats.mtimeMs;
  numbers[at + 4] = stats.ctimeMs;
  numbers[at + 5] = stats.mode;
}

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}

function lookBeside(file: string): Float64Array {
  const numbers = new Float64Array(WIDTH);
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats !== undefined) record(numbers, 0, stats);
  return numbers;
}

function isSameRoot(a: ResolvedRoot, b: ResolvedRoot): boolean {
  return (
    a.path === b.path &&
    a.prefix === b.prefix &&
    a.folder === b.folder &&
    a.tree?.revision === b.tree?.revision &&
    JSON.stringify(a.fault) === JSON.stringify(b.fault)
  );
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((item, at) => item === b[at]));
}
