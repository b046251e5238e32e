import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ConfigError } from './error.ts';
import type { Scope } from './hosts.ts';

export interface WriteOptions {
  scope: Scope;
  /** The project's folder: a project file stays inside it, links followed. */
  cwd: string;
  /** The user's id; undefined where the platform has none. */
  uid: number | undefined;
}

/**
 * Gives the file's text, or undefined where there is none, to `merge`, and puts what comes back in its place: written
 * beside and renamed over, so that no reader sees half of it. The mode is kept. Says whether anything changed.
 *
 * A link is followed, and its target written: dotfiles are often links, and a file renamed over the link would cut it off
 * from whatever manages them. But a project's files may come from anybody, so there a link may not lead out of the project;
 * and a file of another user is left alone, since the new file would be ours.
 */
export async function writeFile(
  file: string,
  merge: (text: string | undefined) => string,
  options: WriteOptions,
): Promise<{ path: string; outcome: 'created' | 'changed' | 'unchanged' }> {
  const path = await toTarget(file, options);
  const before = await readIfAny(path);
  if (before === undefined) {
    const text = merge(undefined);
    await mkdir(dirname(path), { recursive: true });
    await replace(path, Buffer.from(text), undefined, undefined);
    return { path, outcome: 'created' };
  }
  const status = await stat(path);
  if (options.uid !== undefined && status.uid !== options.uid) {
    throw new ConfigError('file', 'belongs to another user: change it as that user');
  }
  const text = decode(before);
  const merged = merge(text);
  if (merged === text) return { path, outcome: 'unchanged' };
  await replace(path, Buffer.from(merged), status.mode & 0o7777, before);
  return { path, outcome: 'changed' };
}

async function toTarget(file: string, { scope, cwd }: WriteOptions): Promise<string> {
  const path = await followLinks(resolve(file));
  if (scope === 'project') {
    const inside = relative(await realpath(cwd), path);
    // Another drive has no relative path, and gives back an absolute one.
    if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) {
      throw new ConfigError('file', `a link leads out of the project, to ${path}: change that file yourself`);
    }
  }
  return path;
}

/** The path with every link in it followed; what does not exist yet is kept as it is. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const isLink = await lstat(path).then(
    (status) => status.isSymbolicLink(),
    () => false,
  );
  if (isLink) throw new ConfigError('file', 'a link to a file that does not exist');
  const parent = dirname(path);
  return parent === path ? path : join(await followLinks(parent), basename(path));
}

async function readIfAny(path: string): Promise<Buffer | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new ConfigError('file', 'not a file');
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError('file', 'not UTF-8', undefined, error);
  }
}

async function replace(
  path: string,
  bytes: Buffer,
  mode: number | undefined,
  before: Buffer | undefined,
): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  let handle: FileHandle | undefined;
  try {
    handle = await open(beside, 'wx', mode ?? 0o666);
    await handle.writeFile(bytes);
    // The mask of the process does not apply to a mode that is kept.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
    await handle.close();
    handle = undefined;
    // A host may have written the file since: its change is not ours to lose.
    const now = await readIfAny(path);
    if (before === undefined ? now !== undefined : now === undefined || !now.equals(before)) {
      throw new ConfigError('file', 'changed by another program just now: try again');
    }
    await rename(beside, path);
  } catch (error) {
    await handle?.close();
    await unlink(beside).catch(() => undefined);
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
