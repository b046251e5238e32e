import { lstat, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { RepairError, withFolder } from '../disk/folder.ts';
import { withFile } from '../disk/replace.ts';
import { CommandError, EXIT } from '../error.ts';
import type { Scope } from './host.ts';

export interface WriteOptions {
  scope: Scope;
  /** The project's folder: a project file stays inside it, links followed. */
  cwd: string;
  /** The user's id; undefined where the platform has none. */
  uid: number | undefined;
  /** Of a file that is created; 0o666 less the mask of the process by default. */
  mode?: number | undefined;
}

/** What became of a file. */
export interface Written {
  /** The file itself, links followed. */
  path: string;
  outcome: 'created' | 'changed' | 'unchanged';
  /** What of the file the system did not let it keep, each as it is printed. */
  lost: readonly string[];
}

/**
 * Gives the file's text, or undefined where there is none, to `merge`, and puts what comes back in its place, so that nobody sees half
 * of it and no other run of this program writes meanwhile. `merge` may be called twice. Says whether anything changed.
 *
 * A link is followed, and its target written: dotfiles are often links, and a file renamed over the link would cut it off
 * from whatever manages them. But a project's files may come from anybody, so there a link may not lead out of the project;
 * and a file of another user is left alone, since the new file would be ours.
 */
export async function writeFile(
  file: string,
  merge: (text: string | undefined) => string,
  options: WriteOptions,
): Promise<Written> {
  const path = await toTarget(file, options);
  const before = await readIfAny(path);
  // nothing to write needs no lock, and no right to write
  if (before !== undefined && isUnchanged(before, merge)) return { path, outcome: 'unchanged', lost: [] };
  if (before === undefined) {
    merge(undefined);
    await mkdir(dirname(path), { recursive: true });
  }
  try {
    return await withFolder(dirname(path), '', (folder) =>
      withFile(folder, basename(path), async (locked) => {
        const found = await locked.read();
        if (found !== undefined && options.uid !== undefined && found.stats.uid !== options.uid) {
          throw new CommandError(EXIT.failure, 'belongs to another user: change it as that user');
        }
        if (found !== undefined && isUnchanged(found.content, merge)) return { path, outcome: 'unchanged', lost: [] };
        const text = merge(found === undefined ? undefined : decode(found.content));
        const lost = await locked.replace(found?.content, Buffer.from(text), options.mode);
        return { path, outcome: found === undefined ? 'created' : 'changed', lost };
      }),
    );
  } catch (error) {
    if (!(error instanceof RepairError)) throw error;
    const message = error.isChanged ? 'changed by another program just now: try again' : error.message;
    throw new CommandError(EXIT.failure, message, { cause: error });
  }
}

function isUnchanged(content: Buffer, merge: (text: string) => string): boolean {
  const text = decode(content);
  return merge(text) === text;
}

async function toTarget(file: string, { scope, cwd }: WriteOptions): Promise<string> {
  const path = await followLinks(resolve(file));
  if (scope === 'project') {
    const inside = relative(await realpath(cwd), path);
    // Another drive has no relative path, and gives back an absolute one.
    if (inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside) {
      throw new CommandError(EXIT.failure, `a link leads out of the project, to ${path}: change that file yourself`);
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
  if (isLink) throw new CommandError(EXIT.failure, 'a link to a file that does not exist');
  const parent = dirname(path);
  return parent === path ? path : join(await followLinks(parent), basename(path));
}

async function readIfAny(path: string): Promise<Buffer | undefined> {
  try {
    const status = await stat(path);
    if (!status.isFile()) throw new CommandError(EXIT.failure, 'not a file');
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
    throw new CommandError(EXIT.failure, 'not UTF-8', { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
