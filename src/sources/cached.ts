import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { RepairError, withFolder } from '../disk/folder.ts';
import { takeLock } from '../disk/mutex.ts';
import { describeGit, runGit } from './git.ts';
import { maskUrl, type RemoteSource } from './grammar.ts';
import { findCommit, isHash } from './objects.ts';
import { SourceError } from './trouble.ts';

/** How long another process that fetches the same repository is waited for, and how often this one shows that it is at work; in milliseconds. */
const PATIENCE = 600_000;
const SIGN_OF_LIFE = 15_000;

/** What every fetch leaves alone. */
const QUIET = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-auto-gc'];

/** A transfer that is slower than this many bytes a second, for as many seconds, is given up. */
const SLOW = ['-c', 'http.lowSpeedLimit=100', '-c', 'http.lowSpeedTime=60'];

/**
 * Brings a commit of a repository into the cache, if it is not there: a hash that is there is not asked for again. Of a commit whose
 * skills are in one folder, the contents of the others are not fetched, where the server can leave them out.
 *
 * @param sub - that folder; `''` for all, undefined where it is not known
 * @param cache - a folder that nobody else can write to
 * @returns the repository in the cache, and the whole hash
 * @throws SourceError
 */
export async function fetchCommit(
  { url, ref, sub = '' }: Pick<RemoteSource, 'url' | 'ref' | 'sub'>,
  cache: string,
  env: NodeJS.ProcessEnv,
): Promise<{ folder: string; hash: string }> {
  const name = createHash('sha256').update(url).digest('hex');
  const all = join(cache, 'git');
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const folder = join(realpathSync(all), name);
  if (isHash(ref)) {
    const kept = await findKept(folder, ref, env);
    if (kept !== undefined && (await listMissing(folder, kept, sub, env)).length === 0) return { folder, hash: kept };
  }
  try {
    return await withFolder(realpathSync(all), '', async (held) => {
      const lock = await takeLock(held, name, PATIENCE);
      const path = join(held.path, `.${name}.lock`);
      const alive = setInterval(() => touch(path), SIGN_OF_LIFE).unref();
      try {
        const hash = await fetchRef(folder, url, ref, sub, env);
        await fetchMissing(folder, url, hash, sub, env);
        return { folder, hash };
      } finally {
        clearInterval(alive);
        await lock.release();
      }
    });
  } catch (error) {
    if (!(error instanceof RepairError)) throw error;
    throw new SourceError('unreadable', `the cache of ${maskUrl(url)} cannot be used: ${error.message}`, undefined, {
      cause: error,
    });
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // taken away: the next check says so
  }
}

async function findKept(folder: string, hash: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (!existsSync(join(folder, 'HEAD'))) return undefined;
  return findCommit(folder, hash, env).catch((error: unknown) => {
    if (error instanceof SourceError && error.kind === 'missing') return undefined;
    throw error;
  });
}

async function fetchRef(
  folder: string,
  url: string,
  ref: string,
  sub: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  if (!existsSync(join(folder, 'HEAD'))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = await runGit(folder, ['init', '--quiet', '--bare', '--template='], env);
    if (made.status !== 0) throw new SourceError('unreadable', describeGit(made));
  }
  const own = `refs/kept/${createHash('sha256').update(ref).digest('hex')}`;
  const filter = sub === '' ? [] : ['--filter=blob:none'];
  const options = [...QUIET, ...filter, '--depth=1', '--force'];
  const fetched = await runGit(folder, [...SLOW, 'fetch', ...options, '--', url, `+${ref}:${own}`], env);
  if (fetched.status !== 0) throw describeFailure(url, ref, describeGit(fetched));
  return findCommit(folder, isHash(ref) ? ref : own, env);
}

/** The objects below a folder that are not in the cache; no server is asked. */
async function listMissing(folder: string, hash: string, sub: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  if (sub === '') return [];
  const listed = await runGit(folder, ['rev-list', '--objects', '--missing=print', `${hash}:${sub}`, '--'], env);
  // a folder that is not there is reported where it is listed
  return listed.status === 0 ? (listed.stdout.toString().match(/(?<=^\?)[0-9a-f]+$/gm) ?? []) : [];
}

async function fetchMissing(
  folder: string,
  url: string,
  hash: string,
  sub: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const missing = await listMissing(folder, hash, sub, env);
  if (missing.length === 0) return;
  // as git fetches what is missing itself: it asks for these objects, and says nothing of what it has
  const settings = [...SLOW, '-c', 'fetch.negotiationAlgorithm=noop'];
  const options = [...QUIET, '--no-write-fetch-head', '--filter=blob:none', '--stdin'];
  const fetched = await runGit(folder, [...settings, 'fetch', ...options, '--', url], env, `${missing.join('\n')}\n`);
  if (fetched.status !== 0) throw describeFailure(url, hash, describeGit(fetched));
}

function describeFailure(url: string, ref: string, why: string): SourceError {
  const isMissing = /couldn't find remote ref|not our ref|unadvertised object/i.test(why);
  if (isMissing) return new SourceError('missing', `${maskUrl(url)} has no commit "${ref}": ${why}`);
  const isClosed = /terminal prompts disabled|Authentication failed|Permission denied|could not read/i.test(why);
  const hint = isClosed
    ? 'let git know you: "git ls-remote" has to work for this URL without a question, by a credential helper or an SSH agent'
    : 'a commit that is given by its whole hash is taken from the cache, once it is there';
  return new SourceError('unreadable', `${maskUrl(url)} cannot be fetched: ${why}`, hint);
}
