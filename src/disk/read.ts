import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { MAX_BYTES } from '../catalog/manifest.ts';
import { toBaseName } from '../text/names.ts';
import { areUntouched, FolderChain } from './chain.ts';
import { type ReadFault, toFault } from './faults.ts';
import type { FoundFile, ReadFile, Reading, SeenFile, SeenFolder } from './skilltree.ts';

/** A file on disk, and what the file system reported about it. */
export interface StatFile extends SeenFile {
  readonly stats: Stats;
}

/**
 * How long before a reading a file must have been left alone for its mark to tell of every change since, in milliseconds: file systems
 * round times, by up to two seconds.
 */
export const ROUNDING = 3000;

// Neither flag exists on Windows, where Node opens no link as its target without being asked to follow it by name either;
// the comparison with what the walk saw holds on every platform.
export const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Looks at files by name, following no link below `root`. A swapped folder may show others: they are compared with what is opened.
 */
export function statFiles(root: string, files: readonly FoundFile[]): { seen: StatFile[]; faults: ReadFault[] } {
  const seen: StatFile[] = [];
  const faults: ReadFault[] = [];
  for (const { path, folder } of files) {
    try {
      const stats = lstatSync(`${root}/${path}`);
      seen.push({ path, folder, size: stats.size, stats });
    } catch (error) {
      faults.push(toFault(path, error));
    }
  }
  return { seen, faults };
}

/**
 * How long a file must have been left alone before it is read, in milliseconds: two writings within one tick of the system's clock
 * leave the same time, so the second would not be seen.
 */
const SETTLED = 20;

/** How often files are looked at until they are left alone. */
const ROUNDS = 10;

/** Looks at files as {@link statFiles} does, and waits for those that were just written. What is still written then is a fault. */
export async function settleFiles(
  root: string,
  files: readonly FoundFile[],
): Promise<{ seen: StatFile[]; faults: ReadFault[] }> {
  for (let round = 1; ; round++) {
    const looked = statFiles(root, files);
    const fresh = looked.seen.filter(({ stats }) => isWithin(stats, SETTLED));
    if (fresh.length === 0) return looked;
    if (round === ROUNDS) {
      return {
        seen: looked.seen.filter((file) => !fresh.includes(file)),
        faults: [
          ...looked.faults,
          ...fresh.map(({ path }): ReadFault => ({ path, code: 'changed-while-reading', reason: 'busy' })),
        ],
      };
    }
    await setTimeout(SETTLED);
  }
}

/**
 * Whether a file was written in the last so many milliseconds. A time to come is that of another clock, on a network drive say, and does
 * not tell how long ago it was.
 */
function isWithin({ ctimeMs }: Stats, ms: number): boolean {
  // the clock here has whole milliseconds, and that of files has fractions
  const now = Date.now() + 1;
  return ctimeMs <= now && ctimeMs > now - ms;
}

/** How long ago a file was written where its writer may be halfway through the files of a skill, in milliseconds. */
export const RECENT = 500;

/**
 * Looks once more at files that were written shortly before they were read: a writer that was halfway through them goes on, and what
 * was read of the others is older than it. One that rests longer than this waits is not noticed: then this is what lay on the disk.
 */
export async function recheckFiles(root: string, seen: readonly StatFile[]): Promise<ReadFault[]> {
  // a time to come is that of another clock, and would be recent at every look: a wait for each skill of a large folder
  if (!seen.some(({ stats }) => isWithin(stats, RECENT))) return [];
  await setTimeout(SETTLED);
  const { seen: now, faults } = statFiles(root, seen);
  const before = new Map(seen.map(({ path, stats }) => [path, stats]));
  const changed = now.flatMap(({ path, stats }): ReadFault[] => {
    const old = before.get(path);
    const change = old === undefined ? undefined : findChange(old, stats);
    return change === undefined ? [] : [{ path, code: 'changed-while-reading', ...change }];
  });
  return [...faults, ...changed];
}

/**
 * Reads the files of one skill, each up to the size that was seen, into one allocation.
 * What was put in a file's place since (a link, a FIFO, another file) is a fault, is never followed, and never blocks; nor is a link in
 * the place of a folder above it.
 *
 * @param root - absolute path, without links, that the files' paths are relative to
 * @param seen - sorted by path, so that each folder is entered once; together at most {@link MAX_BYTES}
 * @param start - when the walk began, in milliseconds since 1970
 * @param note - told how long each file took, in milliseconds
 */
export function readFiles(
  root: string,
  seen: readonly StatFile[],
  start: number,
  note: (ms: number) => void = () => {},
): Reading {
  const total = seen.reduce((sum, file) => sum + file.stats.size, 0);
  if (total > MAX_BYTES) throw new RangeError(`${total} bytes are more than a skill may have`);
  const slab = Buffer.allocUnsafeSlow(total);
  const folders = collectFolders(seen);
  // paths cost half of what a chain costs
  if (isRested(folders, start)) {
    const reading = readAll(slab, seen, ({ path }) => `${root}/${path}`, note);
    if (areUntouched(root, folders)) return reading;
  }
  const chain = new FolderChain(root);
  try {
    const { files, faults } = readAll(slab, seen, (folder) => chain.enter(folder), note);
    return { files, faults: [...faults, ...chain.recheck()] };
  } finally {
    chain.close();
  }
}

/** Whether paths are as good as a chain: where no folder is touched, each has an old time, and keeps it. */
export function isRested(folders: readonly SeenFolder[], start: number): boolean {
  return folders.every(({ stats }) => stats !== undefined && stats.ctimeMs < start - ROUNDING);
}

/** The folders of files, and those above them. */
export function collectFolders(files: readonly FoundFile[]): SeenFolder[] {
  const folders = new Set<SeenFolder>();
  for (const file of files) {
    for (let folder: SeenFolder | undefined = file.folder; folder !== undefined; folder = folder.parent) {
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}

/** @param enter - the path under which a folder's entries are found, or why they are not */
function readAll(
  slab: Buffer,
  seen: readonly StatFile[],
  enter: (folder: SeenFolder) => string | ReadFault,
  note: (ms: number) => void,
): Reading {
  const files: ReadFile[] = [];
  const faults: ReadFault[] = [];
  let offset = 0;
  let before = performance.now();
  for (const { path, folder, stats } of seen) {
    const place = enter(folder);
    const fault =
      typeof place === 'string' ? readInto(slab, offset, `${place}/${toBaseName(path)}`, path, stats) : place;
    if (fault === undefined) {
      files.push({ path, bytes: new Uint8Array(slab.buffer, offset, stats.size) });
      offset += stats.size;
      // a folder that is lost is lost for each of its files
    } else if (fault.path !== faults.at(-1)?.path) faults.push(fault);
    const now = performance.now();
    note(now - before);
    before = now;
  }
  return { files, faults };
}

/** @param place - where the file is opened, `path` being what it is called */
function readInto(slab: Buffer, offset: number, place: string, path: string, seen: Stats): ReadFault | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(place, FLAGS);
    let length = 0;
    while (length < seen.size) {
      const count = readSync(descriptor, slab, offset + length, seen.size - length, null);
      if (count === 0) break;
      length += count;
    }
    return checkRead(path, seen, descriptor, length);
  } catch (error) {
    // what was put in a file's place may not be readable at all (a folder, a FIFO)
    return (descriptor === undefined ? undefined : checkRead(path, seen, descriptor)) ?? toFault(path, error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * What is wrong with what was read: one look after the reading answers for what was opened and for what was done to it meanwhile.
 *
 * @param length - how many bytes were read; default: as many as there should be
 */
export function checkRead(path: string, seen: Stats, descriptor: number, length = seen.size): ReadFault | undefined {
  const change =
    findChange(seen, fstatSync(descriptor)) ?? (length === seen.size ? undefined : toResized(seen.size, length));
  return change && { path, code: 'changed-while-reading', ...change };
}

type Change = Pick<ReadFault, 'reason' | 'sizes'>;

/** What happened to a file between two looks at it. */
function findChange(seen: Stats, now: Stats): Change | undefined {
  if (!now.isFile() || now.ino !== seen.ino || now.dev !== seen.dev) return { reason: 'other' };
  if (now.size !== seen.size) return toResized(seen.size, now.size);
  // a writer can put the time of its content back, and not the other one, which is the system's
  return now.mtimeMs === seen.mtimeMs && now.ctimeMs === seen.ctimeMs ? undefined : { reason: 'rewritten' };
}

function toResized(before: number, after: number): Change {
  return { reason: 'resized', sizes: [before, after] };
}
