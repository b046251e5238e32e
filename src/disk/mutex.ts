import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HeldFolder, RepairError } from './folder.ts';

/** How old a lock or a temporary file is, in milliseconds, when nobody can be at work with it any more. */
export const ABANDONED = 60_000;

/** How long another writer is waited for, in milliseconds: far longer than one takes. */
const PATIENCE = 10_000;

// a lock is no more to be trusted than what lies beside it: neither flag exists on Windows
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The lock of one file: while it is held, no other process of this program writes that file. */
export interface Lock {
  /** Throws where somebody else has taken the lock meanwhile, as after a sleep of the machine. */
  check: () => Promise<void>;
  release: () => Promise<void>;
}

/**
 * Takes the lock of a file, `.NAME.lock` beside it, and waits for whoever has it. A lock whose process has ended, or that is older than
 * a minute, is nobody's.
 *
 * @throws RepairError where it is not free in time
 */
export async function takeLock(folder: HeldFolder, name: string, patience = PATIENCE): Promise<Lock> {
  const path = `${folder.path}/.${name}.lock`;
  const end = Date.now() + patience;
  for (;;) {
    const content = await create(path);
    if (content !== undefined) return toLock(path, content);
    if (await discardAbandoned(folder, path, name)) continue;
    if (Date.now() >= end) {
      throw new RepairError(`another process is writing it: try again, or remove ".${name}.lock" if none is`);
    }
    await sleep(5 + Math.random() * 20);
  }
}

/** Gives what the new lock holds; undefined where there is one. */
async function create(path: string): Promise<string | undefined> {
  const content = `${process.pid} ${hostname()} ${randomBytes(6).toString('hex')}\n`;
  try {
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return content;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Windows refuses a name that is about to be removed
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return undefined;
    throw error;
  }
}

function toLock(path: string, content: string): Lock {
  // by what it holds: a new file may get the number of one that was removed
  const isOurs = async () => (await read(path)) === content;
  return {
    check: async () => {
      if (!(await isOurs())) throw new RepairError('another process is writing it: try again', { isChanged: true });
    },
    release: async () => {
      if (await isOurs()) await unlink(path).catch(() => undefined);
    },
  };
}

/** Removes a lock that nobody holds. Of several that see it, one moves it away; a lock that was taken since is put back. */
async function discardAbandoned(folder: HeldFolder, path: string, name: string): Promise<boolean> {
  const [content, stats] = [await read(path), await lstat(path).catch(() => undefined)];
  if (stats === undefined) return true;
  if (Date.now() - stats.mtimeMs < ABANDONED && !isEnded(content)) return false;
  const aside = `${folder.path}/${toTemporary(name)}`;
  try {
    await rename(path, aside);
    if ((await read(aside)) === content) await unlink(aside);
    else await rename(aside, path);
    return true;
  } catch {
    return false;
  }
}

function read(path: string): Promise<string> {
  return readFile(path, { encoding: 'utf8', flag: FLAGS }).catch(() => '');
}

/** Whether the process that took a lock is known to have ended: it can be asked for on this machine alone. */
function isEnded(content: string): boolean {
  const [, pid, host] = /^(\d+) (.*) [0-9a-f]+\n$/.exec(content) ?? [];
  if (pid === undefined || host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** A name for a file that is not yet, or no longer, the one that is meant. */
export function toTemporary(name: string): string {
  return `.${name}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Whether a name is a temporary one of this file. */
export function isTemporary(entry: string, name: string): boolean {
  return entry.startsWith(`.${name}.`) && /^[0-9a-f]{12}\.tmp$/.test(entry.slice(name.length + 2));
}
