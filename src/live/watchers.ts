import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { resolve } from 'node:path';
import type { ResolvedRoot } from '../disk/roots.ts';
import { findHinges } from './hinges.ts';
import { type Look, listFolders } from './look.ts';

/** Above so many folders their changes are looked for at intervals: a system has so many watches, for all programs together. */
export const MOST_FOLDERS = 8192;

/** How long watchers are made without a turn for others, in milliseconds. */
const SLICE = 25;

/** One folder that is watched. */
interface Watched {
  readonly watcher: FSWatcher;
  /** Of the folder when it was opened: another folder may take its place. */
  readonly ino: number;
}

/** What is to be watched: a folder, and the names in it that count; all of them where there is none. */
type Wanted = ReadonlyMap<string, ReadonlySet<string> | undefined>;

/** Tells that something may have changed. Truth is a look. */
export interface Watchers {
  /**
   * Watches the folders of a look, and no others.
   *
   * @returns whether one is watched that was not: what happened in it until now was not noticed
   * @throws what the system says where it cannot watch
   */
  update(look: Look): Promise<boolean>;
  close(): void;
}

/**
 * Makes watchers: one for each folder on Linux, where watching a tree loses files that are replaced and links that are swapped, and one
 * for each root elsewhere. The folders that hold a root, or a link on the way to it, are watched for its name.
 */
export function createWatchers(onHint: () => void, onError: (error: Error) => void): Watchers {
  const open = new Map<string, Watched>();
  let isClosed = false;
  const close = (path: string) => {
    open.get(path)?.watcher.close();
    open.delete(path);
  };
  const start = (path: string, ino: number, names: () => ReadonlySet<string> | undefined) => {
    const watcher = watch(path, { persistent: false, recursive: isTree() && names() === undefined }, (_, name) => {
      const wanted = names();
      if (name === null || wanted === undefined || wanted.has(name)) onHint();
    });
    watcher.on('error', onError);
    open.set(path, { watcher, ino });
  };
  let wanted: Wanted = new Map();
  return {
    async update(look) {
      wanted = findWanted(look);
      for (const path of open.keys()) if (!wanted.has(path)) close(path);
      let hasNew = false;
      let until = performance.now() + SLICE;
      for (const path of wanted.keys()) {
        if (performance.now() > until) {
          await new Promise((resolve) => setImmediate(resolve));
          until = performance.now() + SLICE;
        }
        if (isClosed) return false;
        const ino = lstatSync(path, { throwIfNoEntry: false })?.ino;
        if (open.get(path)?.ino === ino) continue;
        close(path);
        // gone since: the folder above tells
        if (ino === undefined) continue;
        try {
          start(path, ino, () => wanted.get(path));
          hasNew = true;
        } catch (error) {
          if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        }
      }
      return hasNew;
    },
    close() {
      isClosed = true;
      for (const path of open.keys()) close(path);
    },
  };
}

function isTree(): boolean {
  return process.platform !== 'linux';
}

function findWanted(look: Look): Wanted {
  const wanted = new Map<string, Set<string> | undefined>();
  if (isTree()) for (const { root } of look.roots) if (root.folder !== undefined) wanted.set(root.folder, undefined);
  if (!isTree())
    for (const [path, { error }] of listFolders(look)) if (error === undefined) wanted.set(path, undefined);
  for (const { root } of look.roots) {
    for (const folder of listMatching(root)) wanted.set(folder, undefined);
    for (const { folder, name } of findHinges(root.path)) {
      if (wanted.has(folder) && wanted.get(folder) === undefined) continue;
      wanted.set(folder, (wanted.get(folder) ?? new Set()).add(name));
    }
  }
  return wanted;
}

const MAGIC = /[*?{}[\]()!+@]/;

/** The folders in which another match of the glob of a root may appear: those between its beginning, which is fixed, and a match. */
function listMatching({ path, match }: ResolvedRoot): string[] {
  if (match === undefined) return [];
  const fixed = match.glob.pattern.split(/[\\/]/).findIndex((name) => MAGIC.test(name));
  const names = path.split(/[\\/]/);
  return names.slice(fixed).map((_, at) => resolve(names.slice(0, fixed + at).join('/') || '/'));
}
