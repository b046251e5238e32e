import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { ListedEntry } from '../disk/source.ts';
import { describeGit, runGit, startGit, toStartError } from './git.ts';
import { SourceError } from './trouble.ts';

/** A commit of a repository. */
export interface Commit {
  /** The repository's own folder, absolute. */
  readonly folder: string;
  /** The whole hash. */
  readonly hash: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Whether a ref is a whole hash, which never moves. */
export function isHash(ref: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref);
}

/** Entries of one tree: more are no folder of skills. */
const MAX_ENTRIES = 1_000_000;

const KINDS: Readonly<Record<string, ListedEntry['kind']>> = {
  '100644': 'file',
  '100755': 'file',
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
};

/**
 * The hash of the commit that a ref is now.
 *
 * @throws SourceError
 */
export async function findCommit(folder: string, ref: string, env: NodeJS.ProcessEnv): Promise<string> {
  const found = await runGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], env);
  const hash = found.stdout.toString().trim();
  if (found.status === 0 && /^[0-9a-f]{40,64}$/.test(hash)) return hash;
  const top = await runGit(folder, ['rev-parse', '--git-dir'], env);
  if (top.status !== 0) {
    if (existsSync(folder)) throw new SourceError('unreadable', describeGit(top));
    throw new SourceError('missing', `there is no folder "${folder}"`, 'write the path of a repository that exists');
  }
  const why = ref === 'HEAD' ? 'the repository has no commit' : `the repository has no commit "${ref}"`;
  throw new SourceError('missing', why, 'write a branch, a tag, or a hash that it has');
}

/**
 * The entries of a commit below a folder, whose contents are read from the objects: no checkout is touched, and none changes a byte.
 *
 * @throws SourceError where there is no such folder
 */
export async function listCommit(commit: Commit, sub: string): Promise<ListedEntry[]> {
  const { folder, hash, env } = commit;
  const tree = sub === '' ? hash : `${hash}:${sub}`;
  const listed = await runGit(folder, ['ls-tree', '-r', '-z', '-l', '--full-tree', tree], env);
  if (listed.status !== 0) {
    const isMissing = /not a valid object name|not a tree object|does not exist|exists on disk/i.test(listed.messages);
    if (!isMissing) throw new SourceError('unreadable', describeGit(listed));
    throw new SourceError('missing', `the commit ${hash} has no folder "${sub}"`);
  }
  const blobs = new BlobReader(commit);
  const entries: ListedEntry[] = [];
  const seen = new Set<string>();
  for (const line of splitRecords(listed.stdout)) {
    const entry = toEntry(line, blobs);
    // of names that are not UTF-8, several may look the same; each of them is refused
    if (entry.path.includes('\ufffd') && seen.has(entry.path)) continue;
    seen.add(entry.path);
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) throw new SourceError('unreadable', `it has more than ${MAX_ENTRIES} files`);
  }
  return entries;
}

function* splitRecords(output: Buffer): Generator<string> {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    yield output.toString('utf8', at, end === -1 ? output.length : end);
    if (end === -1) return;
    at = end + 1;
  }
}

/** `MODE TYPE HASH SIZE<tab>PATH` */
function toEntry(record: string, blobs: BlobReader): ListedEntry {
  const tab = record.indexOf('\t');
  const [mode = '', , hash = '', size = ''] = record.slice(0, tab).split(/ +/);
  const kind = KINDS[mode] ?? 'special';
  return { path: record.slice(tab + 1), kind, size: Number(size) || 0, id: hash, read: () => blobs.read(hash) };
}

interface Wanted {
  readonly hash: string;
  readonly resolve: (bytes: Buffer) => void;
  readonly reject: (error: Error) => void;
}

/** How long a reader with nothing to do is kept, in milliseconds. */
const IDLE = 200;

/** Reads blobs through one child, in the order in which they are asked for; it ends when nobody asks any more. */
class BlobReader {
  readonly #commit: Commit;
  readonly #wanted: Wanted[] = [];
  #child: ChildProcess | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  /** How many bytes the answer to the first of them has, with its header; undefined where the header is not complete. */
  #needed: number | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(commit: Commit) {
    this.#commit = commit;
  }

  read(hash: string): Promise<Buffer> {
    clearTimeout(this.#idle);
    return new Promise((resolve, reject) => {
      this.#wanted.push({ hash, resolve, reject });
      this.#start().stdin?.write(`${hash}\n`);
    });
  }

  #start(): ChildProcess {
    if (this.#child !== undefined) return this.#child;
    const { folder, env } = this.#commit;
    const child = startGit(folder, ['cat-file', '--batch'], env, 'pipe');
    this.#child = child;
    let messages = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + text).slice(-1000);
    });
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    // a child that has ended is reported once, by its end
    child.stdin?.on('error', () => undefined);
    void once(child, 'close').then(
      ([status]) => this.#end(child, new Error(describeGit({ status, stdout: Buffer.alloc(0), messages }))),
      (error: NodeJS.ErrnoException) => this.#end(child, toStartError(error)),
    );
    return child;
  }

  #end(child: ChildProcess, error: Error): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#chunks = [];
    this.#length = 0;
    this.#needed = undefined;
    for (const { reject } of this.#wanted.splice(0)) reject(error);
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    while (this.#wanted.length > 0 && this.#answer());
    if (this.#wanted.length === 0) {
      clearTimeout(this.#idle);
      const child = this.#child;
      this.#idle = setTimeout(() => {
        this.#child = undefined;
        child?.stdin?.end();
      }, IDLE).unref();
    }
  }

  /** Gives the first answer away, if it is complete. */
  #answer(): boolean {
    if (this.#needed !== undefined && this.#length < this.#needed) return false;
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks, this.#length);
    this.#chunks = [bytes];
    const end = bytes.indexOf(10);
    if (end === -1) return false;
    const header = bytes.toString('latin1', 0, end);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
    this.#needed = end + 1 + (size === undefined ? 0 : Number(size) + 1);
    if (this.#length < this.#needed) return false;
    const wanted = this.#wanted.shift();
    const content = bytes.subarray(end + 1, this.#needed - 1);
    const rest = bytes.subarray(this.#needed);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#needed = undefined;
    if (size === undefined) wanted?.reject(new Error(`git cannot read the object ${wanted.hash}: ${header}`));
    else wanted?.resolve(content);
    return true;
  }
}
