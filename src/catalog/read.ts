import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { MAX_BYTES } from './manifest.ts';

/** Why a file could not be read as the walk saw it. */
export interface ReadFault {
  readonly path: string;
  readonly code: 'unreadable' | 'changed-while-reading';
  readonly reason: string;
}

/** A file that the walk found, and what the file system said of it then. */
export interface SeenFile {
  readonly path: string;
  readonly stats: Stats;
}

/** A file whose bytes were read. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

// Neither flag exists on Windows, where Node opens no link as its target without being asked to follow it by name either;
// the comparison with what the walk saw holds on every platform.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Looks at files by name, following no link. */
export function statFiles(folder: string, paths: readonly string[]): { seen: SeenFile[]; faults: ReadFault[] } {
  const seen: SeenFile[] = [];
  const faults: ReadFault[] = [];
  for (const path of paths) {
    try {
      seen.push({ path, stats: lstatSync(`${folder}/${path}`) });
    } catch (error) {
      faults.push(toFault(path, error));
    }
  }
  return { seen, faults };
}

/**
 * Reads the files of one skill, each up to the size that was seen, into one allocation.
 * What was put in a file's place since (a link, a FIFO, another file) is a fault, is never followed, and never blocks.
 *
 * @param folder - absolute path of the root that the files' paths are relative to
 * @param seen - together at most {@link MAX_BYTES}
 */
export function readFiles(folder: string, seen: readonly SeenFile[]): { files: ReadFile[]; faults: ReadFault[] } {
  const total = seen.reduce((sum, file) => sum + file.stats.size, 0);
  if (total > MAX_BYTES) throw new RangeError(`${total} bytes are more than a skill may have`);
  const files: ReadFile[] = [];
  const faults: ReadFault[] = [];
  const slab = Buffer.allocUnsafeSlow(total);
  let offset = 0;
  for (const { path, stats } of seen) {
    const reason = readInto(slab, offset, `${folder}/${path}`, stats);
    if (typeof reason === 'object') faults.push(toFault(path, reason.error));
    else if (reason !== undefined) faults.push({ path, code: 'changed-while-reading', reason });
    else {
      files.push({ path, bytes: new Uint8Array(slab.buffer, offset, stats.size) });
      offset += stats.size;
    }
  }
  return { files, faults };
}

/** Whether a folder is still the one that the walk read. */
export function isSameFolder(path: string, stats: Stats): boolean {
  try {
    const now = lstatSync(path);
    return now.isDirectory() && now.ino === stats.ino && now.dev === stats.dev;
  } catch {
    return false;
  }
}

function readInto(slab: Buffer, offset: number, path: string, seen: Stats): string | undefined | { error: unknown } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    let length = 0;
    while (length < seen.size) {
      const count = readSync(descriptor, slab, offset + length, seen.size - length, null);
      if (count === 0) break;
      length += count;
    }
    // one look behind the reading answers for what was opened and for what was done to it meanwhile
    return (
      toChange(seen, fstatSync(descriptor)) ?? (length === seen.size ? undefined : toSizeReason(seen.size, length))
    );
  } catch (error) {
    // what was put in a file's place may not be readable at all (a folder, a FIFO)
    const change = descriptor === undefined ? undefined : toChange(seen, fstatSync(descriptor));
    return change ?? { error };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What happened to a file between two looks at it. */
function toChange(seen: Stats, now: Stats): string | undefined {
  if (!now.isFile() || now.ino !== seen.ino || now.dev !== seen.dev) return 'something else was put in its place';
  if (now.size !== seen.size) return toSizeReason(seen.size, now.size);
  return now.mtimeMs === seen.mtimeMs ? undefined : 'it was written to';
}

function toSizeReason(before: number, after: number): string {
  return `its size went from ${before} to ${after} bytes`;
}

function toFault(path: string, error: unknown): ReadFault {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { path, code: 'changed-while-reading', reason: 'it was removed' };
    case 'ELOOP':
    case 'EMLINK':
      return { path, code: 'changed-while-reading', reason: 'a symbolic link was put in its place' };
    case 'ENXIO':
      return { path, code: 'changed-while-reading', reason: 'something else was put in its place' };
    case 'EACCES':
    case 'EPERM':
      return { path, code: 'unreadable', reason: 'permission denied' };
    default:
      return { path, code: 'unreadable', reason: code ?? message };
  }
}
