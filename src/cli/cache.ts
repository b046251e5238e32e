import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** When what was compiled is written down, in milliseconds: a server may be killed without a word, and then nothing is at its end. */
const WRITTEN_AFTER = 5000;

/** For others than the owner to write. */
const SHARED = 0o022;
const STICKY = 0o1000;

/** What Node has from 22.1 on (and 22.10 for the second). */
interface CompileCache {
  enableCompileCache?(folder: string): unknown;
  flushCompileCache?(): void;
}

/** What is asked of a process. */
export type CacheProcess = Pick<NodeJS.Process, 'env' | 'platform' | 'geteuid'>;

/**
 * Lets V8 keep what it compiles of this command, so that the next start need not compile it again. What is kept is run, so it is in a
 * folder that only the user can write to; where there is none, and before Node 22.1, nothing is kept.
 */
export function keepCompiled(node: CacheProcess): void {
  const { enableCompileCache, flushCompileCache } = module as CompileCache;
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = node.env;
  if (enableCompileCache === undefined || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return;
  const folder = makeCacheFolder(node, homedir());
  if (folder === undefined) return;
  enableCompileCache(folder);
  setTimeout(() => flushCompileCache?.(), WRITTEN_AFTER).unref();
}

/**
 * Makes the folder for what can be made again: `mcp-server-skills` in `$XDG_CACHE_HOME`, else where the platform keeps such folders.
 *
 * @returns its path; undefined where it cannot be made, or somebody else could change what is in it
 */
export function makeCacheFolder(node: CacheProcess, userHome: string): string | undefined {
  const home = toCacheHome(node, userHome);
  if (home === undefined) return undefined;
  const user = node.geteuid?.();
  try {
    // its own folder may be missing still, but not the one above: a home that does not exist is not made
    if (!isSafe(realpathSync(dirname(home)), user)) return undefined;
    makeFolder(home);
    const real = realpathSync(home);
    if (!isSafe(real, user)) return undefined;
    const folder = join(real, 'mcp-server-skills');
    makeFolder(folder);
    return isOwn(lstatSync(folder), user) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function toCacheHome({ env, platform }: CacheProcess, userHome: string): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = env;
  // the specification of XDG has a relative path ignored
  if (XDG_CACHE_HOME !== undefined && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (platform === 'win32') return LOCALAPPDATA;
  if (!isAbsolute(userHome)) return undefined;
  return platform === 'darwin' ? join(userHome, 'Library', 'Caches') : join(userHome, '.cache');
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** @param user - undefined on Windows, where a folder of the user's is closed to others by its access list */
function isOwn(stats: Stats, user: number | undefined): boolean {
  return stats.isDirectory() && (user === undefined || (stats.uid === user && (stats.mode & SHARED) === 0));
}

/** Whether nobody else can put another folder in the place of one below this: goes for it and all folders above. */
function isSafe(path: string, user: number | undefined): boolean {
  if (user === undefined) return true;
  const { uid, mode } = lstatSync(path);
  if (uid !== user && uid !== 0) return false;
  if ((mode & SHARED) !== 0 && (mode & STICKY) === 0) return false;
  const above = dirname(path);
  return above === path || isSafe(above, user);
}
