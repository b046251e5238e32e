import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { FolderChain } from './chain.ts';
import type { SeenFolder } from './skilltree.ts';

/** Why nothing was done. `changed`: the file is not what it was; else the system, or what lies there, does not allow it. */
export class RepairError extends Error {
  override readonly name = 'RepairError';
  readonly isChanged: boolean;

  constructor(message: string, options?: ErrorOptions & { isChanged?: boolean }) {
    super(message, options);
    this.isChanged = options?.isChanged ?? false;
  }
}

/**
 * A folder in which files are replaced. It is opened from the one above it, as the reader opens it, so that whatever is put in the
 * place of a folder later, its entries are still found. Where no path can begin at a descriptor, `check` looks again.
 */
export class HeldFolder {
  /** The path under which the entries are found until the folder is closed. */
  readonly path: string;
  readonly stats: Stats;
  readonly #chain: FolderChain;

  /**
   * @param root - absolute path, without links
   * @param path - of a folder below it, `/`-separated; `''` for the root itself
   * @throws RepairError where one of the folders is not a folder, or is replaced at this moment
   */
  constructor(root: string, path = '', chain = new FolderChain(root)) {
    this.#chain = chain;
    let folder: SeenFolder | undefined;
    let place = '';
    try {
      for (const name of ['', ...path.split('/').filter((part) => part !== '')]) {
        const stats = lstatSync(folder === undefined ? root : `${place}/${name}`);
        const shown = folder === undefined ? root : name;
        if (!stats.isDirectory()) throw new RepairError(`"${shown}" is not a folder any more`);
        const below = folder === undefined || folder.path === '' ? name : `${folder.path}/${name}`;
        folder = { path: below, name, stats, ...(folder === undefined ? {} : { parent: folder }) };
        place = this.#enter(folder, shown);
        // a link above the root leads to a folder that has another path
        if (below === '' && place !== root && readlinkSync(place) !== root) throw toReplaced(shown);
      }
    } catch (error) {
      chain.close();
      throw error;
    }
    this.path = place;
    this.stats = lstatSync(`${place}/.`);
  }

  /** Refuses to go on where a folder could not be held and is another one now. */
  check(): void {
    const [fault] = this.#chain.recheck();
    if (fault !== undefined) throw toReplaced(fault.path);
  }

  close(): void {
    this.#chain.close();
  }

  #enter(folder: SeenFolder, shown: string): string {
    const place = this.#chain.enter(folder);
    if (typeof place === 'string') return place;
    throw place.code === 'changed-while-reading'
      ? toReplaced(shown)
      : new RepairError(place.reason === 'denied' ? 'permission denied' : (place.detail ?? place.reason));
  }
}

/** Does something in a folder, and lets go of it. */
export async function withFolder<T>(
  root: string,
  path: string,
  run: (folder: HeldFolder) => T | Promise<T>,
): Promise<T> {
  const folder = new HeldFolder(root, path);
  try {
    return await run(folder);
  } finally {
    folder.close();
  }
}

function toReplaced(name: string): RepairError {
  return new RepairError(`the folder "${name}" was replaced just now`, { isChanged: true });
}

/** Whether two looks at a path saw the same file or folder. */
export function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.isDirectory() === b.isDirectory();
}
