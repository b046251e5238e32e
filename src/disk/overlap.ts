import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { areUntouched } from './chain.ts';
import { type ReadFault, toFault } from './faults.ts';
import { checkRead, collectFolders, FLAGS, isRested, type StatFile } from './read.ts';
import type { ReadFile, Reading } from './skilltree.ts';

const [openLater, readLater, closeLater] = [promisify(open), promisify(read), promisify(close)];

/** How many files are open at once. */
const MOST_OPEN = 64;

/** How many skills are worth reading at once where files take long to open. */
const SKILLS_AHEAD = 8;

/** From how long a file takes to be read on its disk counts as slow, in milliseconds: a local one takes a hundredth of it. */
const SLOW = 2;

/** How many files have to take so long one after the other: on a busy machine, one of a few does. */
const SLOW_FILES = 16;

/** Whether files are read one after the other, which is fastest where nothing has to be waited for, or several at once. */
export interface Pace {
  /** Notes how long a file took, in milliseconds. */
  note(ms: number): void;
  isSlow(): boolean;
  ahead(): number;
}

/** A disk counts as fast until its files took long. */
export function createPace(): Pace {
  let slow = 0;
  return {
    note(ms) {
      if (slow < SLOW_FILES) slow = ms > SLOW ? slow + 1 : 0;
    },
    isSlow: () => slow === SLOW_FILES,
    ahead: () => (slow === SLOW_FILES ? SKILLS_AHEAD : 1),
  };
}

/**
 * Reads the files of one skill as `readFiles` does, many at once: where each takes its time to be opened, they wait together. undefined
 * where a folder of theirs was touched of late, and has to be held while its files are read.
 */
export async function readAtOnce(root: string, seen: readonly StatFile[], start: number): Promise<Reading | undefined> {
  const folders = collectFolders(seen);
  if (!isRested(folders, start)) return undefined;
  const slab = Buffer.allocUnsafeSlow(seen.reduce((sum, { size }) => sum + size, 0));
  const files: ReadFile[] = [];
  let offset = 0;
  const places = seen.map((file) => {
    const place = { file, offset };
    offset += file.size;
    return place;
  });
  const read = async ({ file, offset }: { file: StatFile; offset: number }) => {
    const fault = await readOne(root, file, slab.subarray(offset, offset + file.size));
    if (fault === undefined) files.push({ path: file.path, bytes: new Uint8Array(slab.buffer, offset, file.size) });
    return fault;
  };
  const settle = askForThreads();
  const faults = (await Promise.all(places.map(read))).filter((fault) => fault !== undefined);
  settle();
  if (!areUntouched(root, folders)) return undefined;
  const order = new Map(seen.map(({ path }, at) => [path, at]));
  files.sort((a, b) => (order.get(a.path) ?? 0) - (order.get(b.path) ?? 0));
  return { files, faults };
}

/** How many threads wait for files. */
const THREADS = 16;

let hasAsked = false;

/**
 * Node makes four threads when the first is needed, unless a variable of the environment asks for more: it is there for just that moment,
 * so that no child inherits it. Where the threads are made already, or somebody chose a number, nothing changes.
 */
function askForThreads(): () => void {
  const { env } = process;
  if (hasAsked || env['UV_THREADPOOL_SIZE'] !== undefined) return () => {};
  hasAsked = true;
  env['UV_THREADPOOL_SIZE'] = String(THREADS);
  return () => {
    delete env['UV_THREADPOOL_SIZE'];
  };
}

let free = MOST_OPEN;
const waiting: (() => void)[] = [];

/** Reads a file into a part of the allocation of its skill. */
async function readOne(root: string, { path, stats }: StatFile, part: Buffer): Promise<ReadFault | undefined> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  let descriptor: number | undefined;
  try {
    descriptor = await openLater(`${root}/${path}`, FLAGS);
    let length = 0;
    while (length < part.length) {
      const { bytesRead } = await readLater(descriptor, part, length, part.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return checkRead(path, stats, descriptor, length);
  } catch (error) {
    return (descriptor === undefined ? undefined : checkRead(path, stats, descriptor)) ?? toFault(path, error);
  } finally {
    if (descriptor !== undefined) await closeLater(descriptor);
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
}
