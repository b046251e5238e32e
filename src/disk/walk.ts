import type { readdirSync } from 'node:fs';
import fastGlob from 'fast-glob';
import picomatch from 'picomatch';
import { MAX_FILES, SKILL_FILE } from '../catalog/manifest.ts';
import { toBaseName } from '../text/names.ts';
import { type ReadFault, toFault } from './faults.ts';
import type { EntryStats, SkillTree, TreeEntry } from './skilltree.ts';

/** A folder as the walk found it: names only, nothing judged. Hidden and excluded entries are not among its children. */
export interface WalkedFolder {
  /** Relative to the root, `/`-separated; `''` is the root itself. */
  readonly path: string;
  readonly name: string;
  readonly parent?: WalkedFolder;
  readonly files: string[];
  readonly links: string[];
  /** Sockets, FIFOs, devices. */
  readonly specials: string[];
  /** Folders whose files a Git repository does not hold. */
  readonly submodules: string[];
  readonly folders: WalkedFolder[];
  /** Names that begin with a dot; folders end in `/`. */
  readonly hidden: string[];
  /** Whether the entry that an exclude pattern left out could have made this folder a skill or a group. */
  excluded: boolean;
  /** Whether that entry is its SKILL.md. */
  isSkillFileExcluded?: boolean;
  /** Taken right before the folder was read; the reader compares it with what it opens. */
  stats?: EntryStats;
  fault?: ReadFault;
  /** The skill that this folder is or lies in: its root, and how many files of it were seen. */
  tally?: Tally;
}

/** How much of one skill the walk has seen. The walk leaves a skill alone once it has seen too many files. */
interface Tally {
  readonly root: WalkedFolder;
  files: number;
  /** By the folder that holds them, relative to the skill; `''` for what lies beside SKILL.md. */
  readonly places: Map<string, Place>;
}

/** What was counted in one folder of a skill, without those below it: files, and folders that were not looked into. */
export interface Place {
  files: number;
  unread: number;
}

const SKILL_FILE_ANY_CASE = /^skill\.md$/i;

/** The entry that makes a folder a skill, or would if it were spelled or made right; undefined for a group. */
export function findSkillFile(folder: WalkedFolder): string | undefined {
  for (const names of [folder.files, folder.links, folder.specials]) if (names.includes(SKILL_FILE)) return SKILL_FILE;
  return folder.files.find(isSkillFileName);
}

/** Whether a name is that of SKILL.md, in whatever case. */
export function isSkillFileName(name: string): boolean {
  return SKILL_FILE_ANY_CASE.test(name);
}

/** The path of an entry of a folder, relative to the root. */
export function joinPath(folder: WalkedFolder, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

/** Whether a folder has an entry of a name, as far as the walk saw. */
export function hasEntry({ files, folders, links, specials, submodules }: WalkedFolder, name: string): boolean {
  return (
    folders.some((each) => each.name === name) ||
    [files, links, specials, submodules].some((names) => names.includes(name))
  );
}

/**
 * Walks a root once, follows no link, and looks into nothing that is hidden, excluded, or part of a skill that is too large already.
 * Whether a SKILL.md lies below a folder decides what the folder is, whatever its name.
 *
 * The entries are taken where the walker reads a folder, not from what its pattern matched: a pattern does not match every name that
 * a file system can hold (one with a line feed, say), and what it does not match would vanish without a word.
 *
 * @param exclude - globs relative to the root; one without `/` is matched against names at any depth, and `./` ties it to the root
 * @param onFolder - called for each folder that is read
 */
export function walkRoot(tree: SkillTree, exclude: readonly string[], onFolder?: () => void): WalkedFolder {
  const isExcluded = toMatcher(exclude);
  const root = toFolder('', '');
  const pending = new Map<string, WalkedFolder>();

  // called breadth first: how many files a skill has is known before its folders are looked into
  const readFolder = (directory: string): FoundFolder[] => {
    const walked = pending.get(directory) ?? root;
    pending.delete(directory);
    const tally = walked.parent?.tally;
    if (tally !== undefined && isFull(tally)) {
      toPlace(tally, walked.parent?.path ?? '', walked.name).unread += 1;
      return [];
    }
    onFolder?.();
    let entries: Iterable<TreeEntry>;
    try {
      // not `directory`: the walker takes a backslash in the root's own name for a separator
      const listed = tree.list(walked.path);
      entries = listed.entries;
      if (listed.stats !== undefined) walked.stats = listed.stats;
    } catch (error) {
      walked.fault = toFault(walked === root ? '.' : walked.path, error);
      return [];
    }
    const folders = sortEntries(walked, entries, isExcluded);
    if (!mayDescend(walked, folders)) return [];
    for (const { name } of folders) {
      const child = toFolder(walked.path === '' ? name : `${walked.path}/${name}`, name, walked);
      walked.folders.push(child);
      pending.set(directory.endsWith('/') ? directory + name : `${directory}/${name}`, child);
    }
    return folders;
  };

  fastGlob.sync('**', {
    // nothing of it is looked at: each folder is read by `fs`
    cwd: '/',
    dot: true,
    onlyDirectories: true,
    followSymbolicLinks: false,
    unique: false,
    fs: { readdirSync: readFolder as unknown as typeof readdirSync },
  });
  return root;
}

/** A folder to look into, as the walker asks about it. */
interface FoundFolder {
  readonly name: string;
  readonly isDirectory: () => boolean;
  readonly isSymbolicLink: () => boolean;
}

const isAlways = () => true;
const isNever = () => false;

/** Files each entry of a folder under its kind, and returns the folders to look into. */
function sortEntries(
  walked: WalkedFolder,
  entries: Iterable<TreeEntry>,
  isExcluded: (path: string) => boolean,
): FoundFolder[] {
  const folders: FoundFolder[] = [];
  for (const { name, kind } of entries) {
    if (name.startsWith('.')) walked.hidden.push(kind === 'folder' ? `${name}/` : name);
    else if (isExcluded(walked.path === '' ? name : `${walked.path}/${name}`)) {
      const isSkillFile = kind !== 'folder' && isSkillFileName(name);
      if (kind !== 'file' || isSkillFile) walked.excluded = true;
      if (isSkillFile) walked.isSkillFileExcluded = true;
    } else if (kind === 'folder') folders.push({ name, isDirectory: isAlways, isSymbolicLink: isNever });
    else if (kind === 'file') walked.files.push(name);
    else if (kind === 'link') walked.links.push(name);
    else if (kind === 'submodule') walked.submodules.push(name);
    else walked.specials.push(name);
  }
  return folders;
}

/** Counts the files of a folder into its skill, and says whether the folders below it are worth a look. */
function mayDescend(walked: WalkedFolder, folders: readonly FoundFolder[]): boolean {
  const tally = walked.parent?.tally ?? (findSkillFile(walked) === undefined ? undefined : toTally(walked));
  if (tally === undefined) return true;
  walked.tally = tally;
  tally.files += walked.files.length;
  toPlace(tally, walked.path).files += walked.files.length;
  if (!isFull(tally)) return true;
  for (const { name } of folders) toPlace(tally, walked.path, name).unread += 1;
  return false;
}

/** Whether a skill has more files than it may have. Whether the root is one skill depends on all that lies below it, so it never has. */
function isFull({ root, files }: Tally): boolean {
  return root.parent !== undefined && files > MAX_FILES;
}

/** What is counted for a folder, or for one in it that is not looked into. */
function toPlace({ root, places }: Tally, folder: string, name?: string): Place {
  const path = name === undefined ? folder : folder === '' ? name : `${folder}/${name}`;
  const inner = root.path === '' ? path : path.slice(root.path.length + 1);
  const place = places.get(inner) ?? { files: 0, unread: 0 };
  places.set(inner, place);
  return place;
}

function toFolder(path: string, name: string, parent?: WalkedFolder): WalkedFolder {
  return {
    path,
    name,
    ...(parent === undefined ? {} : { parent }),
    files: [],
    links: [],
    specials: [],
    submodules: [],
    folders: [],
    hidden: [],
    excluded: false,
  };
}

function toTally(root: WalkedFolder): Tally {
  return { root, files: 0, places: new Map() };
}

/** Whether an exclude pattern names nothing but the root itself. */
export function isEmptyGlob(glob: string): boolean {
  return glob.replace(/^\.?\/+|\/+$/g, '') === '';
}

/** Whether a path relative to a root matches one of the globs; one without `/` is matched against the last name of the path. */
export function toMatcher(exclude: readonly string[]): (path: string) => boolean {
  if (exclude.length === 0) return () => false;
  const matchers = exclude.map((glob) => {
    if (isEmptyGlob(glob)) throw new TypeError(`the exclude pattern "${glob}" names nothing`);
    const pattern = glob.replace(/^\.?\/+/, '').replace(/\/+$/, '');
    const matches = picomatch(pattern, { dot: true, nonegate: true });
    const anchored = pattern.includes('/') || pattern !== glob.replace(/\/+$/, '');
    return anchored ? matches : (path: string) => matches(toBaseName(path));
  });
  return (path) => matchers.some((matches) => matches(path));
}
