import { posix } from 'node:path';
import type { ReadFault } from './faults.ts';
import type { EntryKind, ReadFile, SkillTree, TreeEntry } from './skilltree.ts';

/** One path of a source that lists all of them. Folders are made of the paths below them. */
export interface ListedEntry {
  /** Relative to the root, `/`-separated, without `.` and `..`. */
  readonly path: string;
  readonly kind: Exclude<EntryKind, 'folder'>;
  /** In bytes; limits are applied to it before anything is read. */
  readonly size: number;
  /** Equal where the content is: a hash, say. Without one, a live server reads the file anew each time. */
  readonly id?: string;
  /** The content; of a link, the path that it leads to. Those of one skill are asked for at once, and each is copied. */
  read(): Uint8Array | Promise<Uint8Array>;
}

/** What a source other than a folder on disk gives. */
export interface TreeSource extends Pick<SkillTree, 'label' | 'revision'> {
  /** What the root is called; default: nothing. */
  readonly name?: string;
  readonly entries: Iterable<ListedEntry>;
}

type Node = Map<string, ListedEntry | Node>;

/**
 * Makes a tree of a list of paths: hidden names, exclude patterns, limits, names and links are then judged as those of a folder on disk.
 *
 * @throws TypeError for a path that is absolute or has an empty segment, `.` or `..`, and for two entries that cannot both be
 */
export function createTree({ label, name = '', revision, entries }: TreeSource): SkillTree {
  const root: Node = new Map();
  for (const entry of entries) addEntry(root, entry);
  const find = (path: string) => findNode(root, path);
  const findFile = (path: string) => {
    const node = find(path);
    return node === undefined || isFolder(node) ? undefined : node;
  };
  return {
    label,
    name,
    ...(revision === undefined ? {} : { revision }),
    list(path) {
      const node = find(path);
      if (node === undefined || !isFolder(node)) throw toSystemError('ENOTDIR', path);
      return {
        entries: [...node].map(([each, child]): TreeEntry => ({ name: each, kind: kindOf(child) })).sort(byName),
      };
    },
    kindOf(path) {
      const node = find(path);
      return node === undefined ? undefined : kindOf(node);
    },
    followLink: (path) => followLink(root, path),
    async look(files) {
      const seen = files.flatMap((file) => {
        const entry = findFile(file.path);
        return entry === undefined ? [] : [{ ...file, size: entry.size }];
      });
      return { seen, faults: [] };
    },
    async read(seen) {
      const files: ReadFile[] = [];
      const faults: ReadFault[] = [];
      const contents = await Promise.all(seen.map(({ path }) => readEntry(findFile(path))));
      contents.forEach((bytes, at) => {
        const { path = '', size = 0 } = seen[at] ?? {};
        if (bytes instanceof Error) faults.push({ path, code: 'unreadable', reason: 'system', detail: bytes.message });
        else if (bytes.length === size) files.push({ path, bytes: new Uint8Array(bytes) });
        else faults.push({ path, code: 'changed-while-reading', reason: 'resized', sizes: [size, bytes.length] });
      });
      return { files, faults };
    },
    async peek({ path }, most) {
      const entry = findFile(path);
      if (entry?.kind !== 'file' || entry.size > most) return undefined;
      const bytes = await readEntry(entry);
      return bytes instanceof Error || bytes.length !== entry.size ? undefined : bytes;
    },
    markOf({ path }) {
      const entry = findFile(path);
      return entry?.id === undefined ? undefined : { text: entry.id, changed: 0 };
    },
  };
}

function addEntry(root: Node, entry: ListedEntry): void {
  const segments = entry.path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw new TypeError(`"${entry.path}" is not a path below a root`);
  }
  const last = segments.pop() ?? '';
  let folder = root;
  for (const segment of segments) {
    const node: ListedEntry | Node = folder.get(segment) ?? new Map();
    if (!isFolder(node)) throw new TypeError(`"${entry.path}" is below "${node.path}", which is not a folder`);
    folder.set(segment, node);
    folder = node;
  }
  if (folder.has(last)) throw new TypeError(`"${entry.path}" is listed twice`);
  folder.set(last, entry);
}

/** An archive has its files in any order. */
function byName(a: TreeEntry, b: TreeEntry): number {
  return a.name < b.name ? -1 : 1;
}

function isFolder(node: ListedEntry | Node): node is Node {
  return node instanceof Map;
}

function kindOf(node: ListedEntry | Node): EntryKind {
  return isFolder(node) ? 'folder' : node.kind;
}

function findNode(root: Node, path: string): ListedEntry | Node | undefined {
  let node: ListedEntry | Node | undefined = root;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    node = node !== undefined && isFolder(node) ? node.get(segment) : undefined;
  }
  return node;
}

/** How many links a path may lead through, as systems have it. */
const LINKS = 40;

/** What leads out of the tree leads to no folder. */
async function followLink(root: Node, path: string): Promise<string | undefined> {
  const target = await readTarget(findNode(root, path));
  const folder = posix.dirname(path);
  if (target === undefined || !(await leadsToFolder(root, `${folder}/${target}`))) return undefined;
  return posix.join('/', folder, target).replace(/(?<=.)\/$/, '');
}

/** Goes through a path as a system does, where a link may stand for any part of it. */
async function leadsToFolder(root: Node, path: string): Promise<boolean> {
  const left = path.split('/').reverse();
  const done: string[] = [];
  let links = 0;
  for (let segment = left.pop(); segment !== undefined; segment = left.pop()) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      if (done.pop() === undefined) return false;
      continue;
    }
    const node = findNode(root, [...done, segment].join('/'));
    const target = await readTarget(node);
    if (target !== undefined) {
      if (++links > LINKS) return false;
      left.push(...target.split('/').reverse());
    } else if (node === undefined || !isFolder(node)) return false;
    else done.push(segment);
  }
  return true;
}

/** The relative path that a link holds; undefined for what is no such link. */
async function readTarget(node: ListedEntry | Node | undefined): Promise<string | undefined> {
  if (node === undefined || isFolder(node) || node.kind !== 'link') return undefined;
  const bytes = await readEntry(node);
  const target = bytes instanceof Error ? '/' : Buffer.from(bytes).toString();
  return target.startsWith('/') ? undefined : target;
}

async function readEntry(entry: ListedEntry | undefined): Promise<Uint8Array | Error> {
  try {
    return (await entry?.read()) ?? new Error('it is gone');
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function toSystemError(code: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}
