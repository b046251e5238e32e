import type { ReadFault } from './faults.ts';

/** What a path is. A submodule is a folder whose files a Git repository does not hold; `special` is a socket, a FIFO or a device. */
export type EntryKind = 'file' | 'folder' | 'link' | 'submodule' | 'special';

/** An entry of a folder. */
export interface TreeEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** What the system reports about an entry on disk, as far as it is used; Node's own type, without a need for the types of Node. */
export interface EntryStats {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** A folder, and what a first look at it saw. */
export interface SeenFolder {
  /** Relative to the root, `/`-separated; `''` is the root itself. */
  readonly path: string;
  readonly name: string;
  readonly parent?: SeenFolder;
  readonly stats?: EntryStats;
}

/** A file that the walk found: its path relative to the root, and the folder that it is in. */
export interface FoundFile {
  readonly path: string;
  readonly folder: SeenFolder;
}

/** The same, and what a look at it saw. */
export interface SeenFile extends FoundFile {
  /** In bytes. */
  readonly size: number;
  /** Of a file on disk. */
  readonly stats?: EntryStats;
}

/** A file whose bytes were read. */
export interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What was read of files, and what could not be. */
export interface Reading {
  readonly files: readonly ReadFile[];
  readonly faults: readonly ReadFault[];
}

/** What tells one state of a file from another. */
interface Mark {
  /** Equal for two looks between which nobody wrote to the file. */
  readonly text: string;
  /** When the file was last changed, in milliseconds since 1970. A mark is only to be trusted where this is some seconds ago. */
  readonly changed: number;
}

/**
 * Files and folders below one root, wherever they are: a folder on disk ({@link openFolder}), or a list of paths with their contents
 * ({@link createTree}). It knows nothing of skills: what a path means, and which are read, is decided by those who ask. Paths are
 * relative to the root and `/`-separated; `''` is the root. No method follows a link.
 */
export interface SkillTree {
  /** The root as a person typed it, for hints. */
  readonly label: string;
  /** What the root is called; `''` where nothing names it. It names a root that is one skill. */
  readonly name: string;
  /** Which state of a source this is: a commit, say. */
  readonly revision?: string;
  /** Absolute, without links; absent for what is not a folder on disk. */
  readonly folder?: string;
  /** The folder that holds the root; absent where nothing does. */
  above?(): SkillTree;
  /** The entries of a folder, in any order. @throws what the system reports, for what is not a folder or cannot be read */
  list(path: string): { readonly entries: Iterable<TreeEntry>; readonly stats?: EntryStats };
  /** What a path is now; undefined where nothing is or can be seen. */
  kindOf(path: string): EntryKind | undefined;
  /** The folder that a link leads to, absolute (`/` is the root of a tree that is not on disk); undefined where it leads to none. */
  followLink(path: string): Promise<string | undefined>;
  /**
   * Looks at files without reading them, in their order.
   *
   * @param isSettled - whether it waits until nobody has just written to them; a file that is written to all the time is a fault
   */
  look(
    files: readonly FoundFile[],
    isSettled: boolean,
  ): Promise<{ readonly seen: readonly SeenFile[]; readonly faults: readonly ReadFault[] }>;
  /** How many skills are worth reading at once, at this moment; default: one. */
  ahead?(): number;
  /** Reads the files of one skill, which are what they were when they were looked at, or faults. @param start - of the walk */
  read(seen: readonly SeenFile[], start: number): Promise<Reading>;
  /** The content of one file; undefined where it has more than `most` bytes or cannot be read. */
  peek(file: FoundFile, most: number, start: number): Promise<Uint8Array | undefined>;
  /** undefined where nothing tells whether a file is another one now. */
  markOf(file: SeenFile): Mark | undefined;
}
