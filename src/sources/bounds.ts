import { SourceError } from './trouble.ts';

/** The most bytes of an archive, packed and unpacked; entries; and times that an entry may grow. */
export const LIMITS = { packed: 64 * 1024 * 1024, unpacked: 256 * 1024 * 1024, entries: 20_000, ratio: 200 } as const;

/** Where a file is so small that growing says nothing, in bytes: a file of one letter repeated is no bomb. */
const SMALL = 1024 * 1024;

/** Judges the entries of an archive one by one: paths, their number, and what they have together. */
export class EntryGuard {
  readonly #paths = new Set<string>();
  #bytes = 0;

  /**
   * Gives the path as a tree has it; undefined for a folder, which is made of what is in it.
   *
   * @param size - unpacked
   * @param packed - where that is known
   * @throws SourceError
   */
  admit(name: string, size: number, packed?: number): string | undefined {
    const path = name.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
    const isFolder = /\/$/.test(name) || path === '' || path === '.';
    if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) throw refusePath(name, 'is absolute');
    if (name.includes('\\')) throw refusePath(name, 'has a backslash');
    if (name.includes('\0')) throw refusePath(name, 'has a NUL');
    if (!isFolder && path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw refusePath(name, 'is not a plain path below the top');
    }
    if (isFolder && path.split('/').includes('..')) throw refusePath(name, 'leads out of the archive');
    if (this.#paths.size >= LIMITS.entries) {
      throw new SourceError('unreadable', `it has more than ${LIMITS.entries} entries`);
    }
    this.#bytes += size;
    if (this.#bytes > LIMITS.unpacked) throw tooLarge('unpacked it has', this.#bytes, LIMITS.unpacked);
    if (packed !== undefined && size > SMALL && size > packed * LIMITS.ratio) {
      throw new SourceError('unreadable', `"${name}" grows more than ${LIMITS.ratio} times when it is unpacked`);
    }
    if (isFolder) return undefined;
    if (this.#paths.has(path)) throw refusePath(path, 'is in it twice');
    this.#paths.add(path);
    return path;
  }
}

function refusePath(path: string, why: string): SourceError {
  return new SourceError('unreadable', `its path "${path}" ${why}`);
}

/** @param what - a verb with its subject */
export function tooLarge(what: string, bytes: number, most: number): SourceError {
  return new SourceError('unreadable', `${what} ${bytes} bytes, and ${most} are the most`);
}
