import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Why nothing was done: the folder is not as it was judged, or the system does not allow it. */
export class RepairError extends Error {
  override readonly name = 'RepairError';
}

/** Folders by path, from the root down, as they were first seen. */
export type SeenFolders = ReadonlyMap<string, Stats>;

// Neither flag exists on Windows; the comparison by inode holds on every platform.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Looks at every folder from the root down to one below it, and refuses a link among them. */
export async function seeFolders(root: string, path: string): Promise<SeenFolders> {
  const seen = new Map<string, Stats>();
  let folder = root;
  for (const segment of ['', ...path.split('/')]) {
    folder = join(folder, segment);
    const stats = await lstat(folder);
    if (!stats.isDirectory()) throw new RepairError(`"${basename(folder)}" is no folder any more`);
    seen.set(folder, stats);
  }
  return seen;
}

/** Refuses to go on where a folder is not the one that was seen. */
export async function requireSame(folders: SeenFolders): Promise<void> {
  for (const [folder, stats] of folders) {
    const now = await lstat(folder);
    if (!isSame(now, stats)) throw new RepairError(`the folder "${basename(folder)}" was replaced just now`);
  }
}

/** Opens a regular file, not through a link, whose content is exactly this, and says what it is. */
export async function requireContent(path: string, content: Uint8Array): Promise<Stats> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, FLAGS);
    const stats = await handle.stat();
    if (!stats.isFile() || !isSame(await lstat(path), stats)) throw new RepairError('it is no regular file any more');
    if (stats.size !== content.length || !(await handle.readFile()).equals(content)) {
      throw new RepairError('it changed since it was judged');
    }
    return stats;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw new RepairError('a symbolic link is in its place');
    throw error;
  } finally {
    await handle?.close();
  }
}

/**
 * Puts a new content in the place of a file that still has the old one: written beside, with mode and owner kept, and renamed over,
 * so that nobody ever sees half of it. A hard link to the file elsewhere keeps the old content.
 *
 * @throws RepairError where the file or a folder above it is not what was judged; the file is untouched then
 */
export async function replaceFile(
  folders: SeenFolders,
  path: string,
  before: Uint8Array,
  after: Uint8Array,
): Promise<void> {
  const stats = await requireContent(path, before);
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(beside, 'wx', 0o600);
    // where a folder was swapped for a link, the new file lies somewhere else, and is removed again
    await requireSame(folders);
    await handle.writeFile(after);
    await keepOwner(handle, stats);
    // The mask of the process does not apply to a mode that is kept.
    await handle.chmod(stats.mode & 0o7777);
    await handle.sync();
    await handle.close();
    handle = undefined;
    await requireContent(path, before);
    await requireSame(folders);
    await rename(beside, path);
  } catch (error) {
    await handle?.close();
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const ours = await handle.stat();
  if (ours.uid === uid && ours.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch (error) {
    // another group of ours is no loss, another owner is
    if (ours.uid !== uid) throw new RepairError('it belongs to another user', { cause: error });
  }
}

/** Whether two looks at a path saw the same file or folder. */
export function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.isDirectory() === b.isDirectory();
}
