import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { keepAttributes } from './attributes.ts';
import { type HeldFolder, isSame, RepairError } from './folder.ts';
import { ABANDONED, isTemporary, type Lock, takeLock, toTemporary } from './mutex.ts';

// Neither flag exists on Windows; the comparison by inode holds on every platform.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A file that nobody else writes meanwhile, as far as they run this program. */
export interface LockedFile {
  /** Its content; undefined where there is none. Throws a RepairError for anything but a regular file. */
  read: () => Promise<{ content: Buffer; stats: Stats } | undefined>;
  /**
   * Puts a new content in the place of the old one: written beside and renamed over, so that nobody ever sees half of it. A hard link
   * to the file elsewhere keeps the old content. Gives what of the file could not be kept.
   *
   * @param mode - of a file that is new; 0o666 less the mask of the process by default
   * @throws RepairError where the file or its folder is not what it was; the file is untouched then
   */
  replace: (before: Uint8Array | undefined, after: Uint8Array, mode?: number) => Promise<string[]>;
}

/** Locks a file of a folder, does something with it, and unlocks it. The file need not exist. */
export async function withFile<T>(folder: HeldFolder, name: string, run: (file: LockedFile) => Promise<T>): Promise<T> {
  const lock = await takeLock(folder, name);
  try {
    await removeAbandoned(folder, name);
    return await run({
      read: () => readFile(`${folder.path}/${name}`),
      replace: (before, after, mode) => replaceFile(folder, name, lock, before, after, mode),
    });
  } finally {
    await lock.release();
  }
}

/** Requires that a file has exactly this content, and says what it is. */
export async function requireContent(path: string, content: Uint8Array): Promise<Stats> {
  const found = await readFile(path);
  if (found === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  if (!found.content.equals(content)) throw new RepairError('it changed meanwhile', { isChanged: true });
  return found.stats;
}

/** Reads a regular file, not through a link. */
async function readFile(path: string): Promise<{ content: Buffer; stats: Stats } | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, FLAGS);
    const stats = await handle.stat();
    if (!stats.isFile() || !isSame(await lstat(path), stats)) throw new RepairError('it is not a regular file');
    return { content: await handle.readFile(), stats };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw new RepairError('a symbolic link is in its place', { cause: error });
    throw error;
  } finally {
    await handle?.close();
  }
}

async function replaceFile(
  folder: HeldFolder,
  name: string,
  lock: Lock,
  before: Uint8Array | undefined,
  after: Uint8Array,
  mode = 0o666,
): Promise<string[]> {
  const path = `${folder.path}/${name}`;
  const stats = before === undefined ? undefined : await requireContent(path, before);
  const beside = `${folder.path}/${toTemporary(name)}`;
  let handle: FileHandle | undefined;
  try {
    handle = await open(beside, 'wx', stats === undefined ? mode : 0o600);
    // where a folder was swapped for a link, the new file lies somewhere else, and is removed again
    folder.check();
    const lost = stats === undefined ? [] : await keepAttributes(handle, { from: path, to: beside }, stats);
    await handle.truncate();
    await handle.writeFile(after);
    await handle.sync();
    const made = await handle.stat();
    await handle.close();
    handle = undefined;
    if (before !== undefined) await requireContent(path, before);
    folder.check();
    await lock.check();
    if (!isSame(await lstat(beside), made))
      throw new RepairError('its temporary file was replaced', { isChanged: true });
    await (stats === undefined ? putNew(beside, path) : rename(beside, path));
    return lost;
  } catch (error) {
    await handle?.close();
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

/** Gives a file its name, unless something has got that name meanwhile. */
async function putNew(beside: string, path: string): Promise<void> {
  try {
    await link(beside, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new RepairError('it was created meanwhile', { isChanged: true, cause: error });
    // a disk without hard links
    return rename(beside, path);
  }
  await unlink(beside);
}

/** Removes temporary files of runs that were killed. */
async function removeAbandoned(folder: HeldFolder, name: string): Promise<void> {
  for (const entry of await readdir(folder.path)) {
    if (!isTemporary(entry, name)) continue;
    const path = `${folder.path}/${entry}`;
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile() && Date.now() - stats.mtimeMs > ABANDONED) await unlink(path).catch(() => undefined);
  }
}
