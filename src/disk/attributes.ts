import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isSame, RepairError } from './folder.ts';

/** By their full paths: what a folder that is repaired holds must not be found under such a name. */
const COPIERS = ['/bin/cp', '/usr/bin/cp'];

/**
 * Gives a new file what the file that it replaces has: owner, group, mode, access control list and extended attributes. Says what
 * the system did not let it keep. On Windows a new file has what its folder passes on.
 *
 * @param handle - the new file, open for writing and empty; it may hold the old content afterwards
 * @param copiers - programs that are tried, since Node knows neither access control lists nor extended attributes
 * @throws RepairError where the file belongs to somebody else, and cannot be given to them
 */
export async function keepAttributes(
  handle: FileHandle,
  paths: { readonly from: string; readonly to: string },
  stats: Stats,
  copiers: readonly string[] = COPIERS,
): Promise<string[]> {
  const lost: string[] = [];
  const hasGroup = await keepOwner(handle, stats);
  if (process.platform !== 'win32' && !(await copyAttributes(handle, paths, stats, copiers))) {
    lost.push('its access control list and extended attributes, if it has any');
  }
  if (!hasGroup) lost.push(`its group (${stats.gid})`);
  // The mask of the process does not apply to a mode that is kept. Another group may do what anybody may, and nothing else.
  const { mode } = stats;
  await handle.chmod(hasGroup ? mode & 0o7777 : (mode & 0o707) | ((mode & 0o7) << 3));
  return lost;
}

async function keepOwner(handle: FileHandle, { uid, gid }: Stats): Promise<boolean> {
  const ours = await handle.stat();
  if (ours.uid === uid && ours.gid === gid) return true;
  try {
    await handle.chown(uid, gid);
    return true;
  } catch (error) {
    if (ours.uid !== uid) throw new RepairError('it belongs to another user', { cause: error });
    return false;
  }
}

/** Whether the list and the attributes were copied, or there are none. */
async function copyAttributes(
  handle: FileHandle,
  { from, to }: { readonly from: string; readonly to: string },
  stats: Stats,
  copiers: readonly string[],
): Promise<boolean> {
  const source = await open(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    if (!isSame(await source.stat(), stats)) throw new RepairError('it changed meanwhile', { isChanged: true });
    // elsewhere than on Linux, they are copied with the content alone, and from path to path
    const args =
      process.platform === 'linux'
        ? ['--attributes-only', '--preserve=mode,xattr', '--', '/proc/self/fd/3', '/proc/self/fd/4']
        : ['-p', '--', from, to];
    for (const copier of copiers) {
      const status = await runCopier(copier, args, [source.fd, handle.fd]);
      if (status !== undefined) return status === 0;
    }
    return false;
  } finally {
    await source.close();
  }
}

/** Gives the exit status; undefined where there is no such program. */
async function runCopier(
  copier: string,
  args: readonly string[],
  descriptors: readonly number[],
): Promise<number | null | undefined> {
  // a start of the command does not pay for what few of its runs need
  const { spawn } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(copier, args, { stdio: ['ignore', 'ignore', 'ignore', ...descriptors], env: {} });
    child.once('error', () => resolve(undefined));
    child.once('close', resolve);
  });
}
