import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { createPace, readAtOnce } from './overlap.ts';
import { readFiles, recheckFiles, type StatFile, settleFiles, statFiles } from './read.ts';
import type { EntryKind, SkillTree, TreeEntry } from './skilltree.ts';

/**
 * A folder on disk as a tree.
 *
 * @param folder - absolute path of an existing folder, links resolved
 * @param label - the folder as it was typed; default: its path
 */
export function openFolder(folder: string, label = folder): SkillTree {
  const toPlace = (path: string) => (path === '' ? folder : `${folder}/${path}`);
  const parent = dirname(folder);
  const pace = createPace();
  return {
    label,
    folder,
    name: basename(folder),
    ...(parent === folder ? {} : { above: () => openFolder(parent) }),
    list(path) {
      const place = toPlace(path);
      const stats = lstatSync(place);
      // A folder that became a link since its parent was read. One above it may have become one as well: then these are names from
      // elsewhere, and what is read is looked for from the root down.
      if (path !== '' && !stats.isDirectory()) {
        throw Object.assign(new Error(`${place} is not a folder any more`), { code: 'ENOTDIR' });
      }
      return { stats, entries: readdirSync(place, { withFileTypes: true }).map(toEntry) };
    },
    kindOf(path) {
      try {
        const stats = lstatSync(toPlace(path), { throwIfNoEntry: false });
        return stats && toKind(stats);
      } catch {
        // below a folder that cannot be looked into, or under a name that no disk can hold
        return undefined;
      }
    },
    async followLink(path) {
      const link = toPlace(path);
      return leadsToFolder(link) ? resolve(dirname(link), readTarget(link)) : undefined;
    },
    ahead: pace.ahead,
    look: async (files, isSettled) => (isSettled ? settleFiles(folder, files) : statFiles(folder, files)),
    async read(seen, start) {
      const files = seen as readonly StatFile[];
      const together = pace.isSlow() ? await readAtOnce(folder, files, start) : undefined;
      const reading = together ?? readFiles(folder, files, start, pace.note);
      return reading.faults.length > 0 ? reading : { ...reading, faults: await recheckFiles(folder, files) };
    },
    async peek(file, most, start) {
      const { seen } = statFiles(folder, [file]);
      if (seen.every(({ stats }) => !stats.isFile() || stats.size > most)) return undefined;
      return readFiles(folder, seen, start).files[0]?.bytes;
    },
    markOf({ stats }) {
      if (stats === undefined) return undefined;
      const { dev, ino, size, mtimeMs, ctimeMs } = stats;
      return { text: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`, changed: ctimeMs };
    },
  };
}

function toEntry(entry: Dirent): TreeEntry {
  return { name: entry.name, kind: toKind(entry) };
}

function toKind(entry: Dirent | Stats): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

/** All that is asked about the target of a link (publishing rule 5). One that cannot be asked about may be a folder. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM';
  }
}

function readTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // gone since
    return '.';
  }
}
