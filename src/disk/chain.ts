import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { type ReadFault, toFault } from './faults.ts';
import type { EntryStats, SeenFolder } from './skilltree.ts';

// none of the two exists on Windows
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

interface Held {
  readonly folder: SeenFolder;
  /** Under which its entries are found. */
  readonly path: string;
  readonly descriptor?: number;
}

/**
 * The folders from a root down to the files that are read, each opened from the one above it and compared with what the walk saw: a link
 * in the place of one of them leads nowhere, not even one that is gone again when somebody looks. Where no path can begin at a
 * descriptor, folders are looked at before the reading and behind it, which leaves the moments between.
 */
export class FolderChain {
  readonly #root: string;
  readonly #descriptors: string;
  readonly #held: Held[] = [];
  readonly #unpinned: SeenFolder[] = [];

  /**
   * @param root - absolute path, without links
   * @param descriptors - the folder that holds what descriptors are open on; `''` for none
   */
  constructor(root: string, descriptors = knowDescriptors()) {
    this.#root = root;
    this.#descriptors = descriptors;
  }

  /** The path under which a folder's entries are found until the next call, or why it is not the folder that the walk read. */
  enter(folder: SeenFolder): string | ReadFault {
    const at = this.#held.findIndex((held) => held.folder === folder);
    const known = this.#held[at];
    if (known !== undefined) {
      this.#leave(at + 1);
      return known.path;
    }
    const above = folder.parent === undefined ? this.#root : this.enter(folder.parent);
    if (typeof above !== 'string') return above;
    try {
      return this.#hold(folder, folder.parent === undefined ? above : `${above}/${folder.name}`) ?? toReplaced(folder);
    } catch (error) {
      const fault = toFault(folder.path, error);
      return fault.code === 'unreadable' ? fault : toReplaced(folder);
    }
  }

  /** Which of the folders that could not be held are others now. */
  recheck(): ReadFault[] {
    return this.#unpinned.filter((folder) => !isSame(lookAt(this.#root, folder), folder.stats)).map(toReplaced);
  }

  close(): void {
    this.#leave(0);
  }

  #hold(folder: SeenFolder, path: string): string | undefined {
    if (this.#descriptors === '') {
      if (!isSame(lookAt(this.#root, folder), folder.stats)) return undefined;
      this.#unpinned.push(folder);
      this.#held.push({ folder, path });
      return path;
    }
    const descriptor = openSync(path, FLAGS);
    const held = { folder, path: `${this.#descriptors}/${descriptor}`, descriptor };
    this.#held.push(held);
    if (isSame(fstatSync(descriptor), folder.stats)) return held.path;
    this.#leave(this.#held.length - 1);
    return undefined;
  }

  #leave(length: number): void {
    for (const { descriptor } of this.#held.splice(length)) if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * Whether each folder is as the walk saw it, none of its entries put in another's place: that leaves its time in the folder, and
 * nobody but the system sets it. Then paths led where they led for the walk, all the time.
 */
export function areUntouched(root: string, folders: readonly SeenFolder[]): boolean {
  return folders.every((folder) => {
    const now = lookAt(root, folder);
    return isSame(now, folder.stats) && now?.ctimeMs === folder.stats?.ctimeMs;
  });
}

let known: string | undefined;

/** It is that of this process, so it is looked for once and not for each skill. */
function knowDescriptors(): string {
  known ??= findDescriptors();
  return known;
}

/** Found by trying: not every system has such paths, and a sandbox may keep them away. */
function findDescriptors(): string {
  try {
    // without the link that every look-up would follow
    const folder = realpathSync.native('/proc/self/fd');
    const descriptor = openSync('/', FLAGS);
    try {
      return isSame(statSync(`${folder}/${descriptor}/.`), fstatSync(descriptor)) ? folder : '';
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}

function lookAt(root: string, { path }: SeenFolder): EntryStats | undefined {
  try {
    return lstatSync(path === '' ? root : `${root}/${path}`);
  } catch {
    return undefined;
  }
}

function isSame(now: EntryStats | undefined, seen: EntryStats | undefined): boolean {
  return now?.isDirectory() === true && now.ino === seen?.ino && now.dev === seen.dev;
}

function toReplaced({ path }: SeenFolder): ReadFault {
  return { path: path === '' ? '.' : path, code: 'changed-while-reading', reason: 'folder' };
}
