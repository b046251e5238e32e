import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RepairError } from './folder.ts';

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
  if (process.platform !== 'win32' && !(await copyAttributes(paths, copiers))) {
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
  { from, to }: { readonly from: string; readonly to: string },
  copiers: readonly string[],
): Promise<boolean> {
  // a start of the command does not pay for what few of its runs need
  const { execFile } = await import('node:child_process');
  // elsewhere than on Linux, they are copied with the content alone
  const options = process.platform === 'linux' ? ['--attributes-only', '--preserve=mode,xattr'] : ['-p'];
  for (const copier of copiers) {
    try {
      await promisify(execFile)(copier, [...options, '--', from, to], { env: { LC_ALL: 'C' } });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false;
    }
  }
  return false;
}
