import { MAX_BYTES, MAX_FILES, SKILL_FILE } from '../catalog/manifest.ts';
import { compareText } from '../problems.ts';
import { isDecoded, type ReadFault } from './faults.ts';
import { type Earlier, markSkill } from './signature.ts';
import type { FoundFile, ReadFile, SeenFile, SkillTree } from './skilltree.ts';
import { type SortedFolders, sortFolders } from './sort.ts';
import { findSkillFile, joinPath, type Place, type WalkedFolder, walkRoot } from './walk.ts';

/** A root that was walked; its skills are read when they are asked for, one by one. */
export interface ScannedRoot {
  readonly tree: SkillTree;
  /** When the walk began, in milliseconds since 1970. */
  readonly start: number;
  /** All folders; one that has a fault where the root could not be read. */
  readonly walked: WalkedFolder;
  /** What the folders are. A root that is one skill is the only one. */
  readonly sorted: SortedFolders;
  /** Reads each skill right before it is given, or where the tree is slow a few before it, and keeps none. */
  readSkills(): AsyncGenerator<ScannedSkill>;
}

/** What of a skill is over a limit, so that nothing of it was read. */
type Excess =
  | { readonly limit: 'files'; readonly places: ReadonlyMap<string, Place> }
  | { readonly limit: 'bytes'; readonly files: readonly SeenFile[] };

/** A skill as it was found: its paths, and its bytes where they were read. */
export interface ScannedSkill {
  /** The folder, relative to the root; `.` for a root that is one skill. */
  readonly path: string;
  readonly folder: WalkedFolder;
  /** SKILL.md as it is spelled. */
  readonly skillFile: string;
  readonly paths: SkillPaths;
  /** Sorted by path, which is relative to the root and begins with `path`; empty where nothing was read. */
  readonly files: readonly ReadFile[];
  /** `files`: those that were counted before counting stopped. */
  readonly fileCount: number;
  readonly byteCount: number;
  readonly faults: readonly ReadFault[];
  readonly excess?: Excess;
  /** SKILL.md where nothing else was read because of a limit, and it is small enough. */
  readonly main?: Uint8Array;
  /** Whether a group that it is in has a name that no group may have, so that it has no URI. */
  readonly isBlocked: boolean;
  /** Whether it is what it was at the earlier reading: then nothing of it was read. */
  readonly isUnchanged: boolean;
  /** Present where earlier readings are asked for, and where everything about it can be told from another state. */
  readonly mark?: string;
  /** When the last of its files was changed, in milliseconds since 1970. */
  readonly changed?: number;
}

/** The paths below a skill's folder, relative to the root and sorted; `hidden` is relative to the skill. */
export interface SkillPaths {
  readonly files: readonly string[];
  readonly links: readonly string[];
  readonly specials: readonly string[];
  readonly submodules: readonly string[];
  /** Names that begin with a dot; folders end in `/`. */
  readonly hidden: readonly string[];
}

/** How a root is scanned. */
export interface ScanOptions {
  /** Globs relative to the root. */
  readonly exclude?: readonly string[];
  /** Called for each folder that is read. */
  readonly onFolder?: (() => void) | undefined;
  /** What is known of a skill by its path from an earlier reading, so that it need not be read again. */
  readonly earlier?: Earlier | undefined;
}

/** Walks a root, and sorts its folders. */
export function scanRoot(tree: SkillTree, options: ScanOptions = {}): ScannedRoot {
  const start = Date.now();
  const walked = walkRoot(tree, options.exclude ?? [], options.onFolder);
  const isSkill = walked.fault === undefined && findSkillFile(walked) !== undefined;
  const sorted: SortedFolders = isSkill
    ? { skills: [walked], groups: [], misnamed: [], ignored: [], blocked: new Set(), closed: [] }
    : sortFolders(walked);
  return {
    tree,
    start,
    walked,
    sorted,
    async *readSkills() {
      const read = async (folder: WalkedFolder): Promise<ScannedSkill> => {
        const isBlocked = sorted.blocked.has(folder);
        return { folder, isBlocked, ...(await readSkill(tree, folder, start, isBlocked, options.earlier)) };
      };
      const reading: Promise<ScannedSkill>[] = [];
      for (const folder of sorted.skills) {
        const next = read(folder);
        // who asks for no more never sees how those end that were begun for later
        next.catch(() => {});
        reading.push(next);
        if (reading.length >= (tree.ahead?.() ?? 1)) yield (await reading.shift()) as ScannedSkill;
      }
      for (const rest of reading) yield await rest;
    },
  };
}

/** The folders below a root that have a SKILL.md. */
export function findSkillFolders(folder: WalkedFolder): WalkedFolder[] {
  return folder.folders.flatMap((child) => [
    ...(child.files.includes(SKILL_FILE) ? [child] : []),
    ...findSkillFolders(child),
  ]);
}

async function readSkill(
  tree: SkillTree,
  folder: WalkedFolder,
  start: number,
  isBlocked: boolean,
  earlier: Earlier | undefined,
): Promise<Omit<ScannedSkill, 'folder' | 'isBlocked'>> {
  const path = folder.path === '' ? '.' : folder.path;
  const skillFile = findSkillFile(folder) ?? SKILL_FILE;
  const { found, faults, ...paths } = collectPaths(folder);
  const skill = { path, skillFile, paths, isUnchanged: false };
  // a name that is not UTF-8 cannot be asked for, and is refused for its characters
  const known = found.filter((each) => isDecoded(each.path));
  const main = known.find((each) => each.path === `${path}/${skillFile}`);
  const readMain = async () => {
    const bytes = main && (await tree.peek(main, MAX_NAMING_BYTES, start));
    return bytes === undefined ? {} : { main: bytes };
  };
  const { files = 0, places = new Map<string, Place>() } = folder.tally ?? {};
  if (files > MAX_FILES) {
    const excess = { limit: 'files', places } as const;
    return { ...skill, files: [], fileCount: files, byteCount: 0, faults, excess, ...(await readMain()) };
  }
  const looked = await tree.look(known, true);
  for (const fault of looked.faults) faults.push(fault);
  const { seen } = looked;
  const byteCount = seen.reduce((sum, { size }) => sum + size, 0);
  if (byteCount > MAX_BYTES) {
    const excess = { limit: 'bytes', files: seen } as const;
    return { ...skill, files: [], fileCount: seen.length, byteCount, faults, excess, ...(await readMain()) };
  }
  const counts = { fileCount: found.length, byteCount };
  const mark = earlier && faults.length === 0 ? markSkill(tree, { paths, isBlocked }, seen) : undefined;
  if (mark !== undefined && earlier?.(path, mark) === true) {
    return { ...skill, ...counts, ...mark, isUnchanged: true, files: [], faults };
  }
  const reading = await tree.read(seen, start);
  for (const fault of reading.faults) faults.push(fault);
  return { ...skill, ...counts, ...(reading.faults.length === 0 ? mark : {}), files: reading.files, faults };
}

/** The largest SKILL.md that is read where the skill is over a limit, in bytes. */
const MAX_NAMING_BYTES = 1024 * 1024;

/** Everything below a skill's folder, by kind, in the order of paths. */
function collectPaths(skill: WalkedFolder): SkillPaths & { found: FoundFile[]; faults: ReadFault[] } {
  const found: FoundFile[] = [];
  const paths = {
    links: [] as string[],
    specials: [] as string[],
    submodules: [] as string[],
    hidden: [] as string[],
    faults: [] as ReadFault[],
  };
  // paths in a root that is one skill begin with its folder as well
  const start = skill.path === '' ? './' : '';
  const toPath = (folder: WalkedFolder, name: string) => start + joinPath(folder, name);
  const visit = (folder: WalkedFolder) => {
    if (folder.fault !== undefined) paths.faults.push({ ...folder.fault, path: start + folder.fault.path });
    for (const name of folder.files) found.push({ path: toPath(folder, name), folder });
    for (const name of folder.links) paths.links.push(toPath(folder, name));
    for (const name of folder.specials) paths.specials.push(toPath(folder, name));
    for (const name of folder.submodules) paths.submodules.push(toPath(folder, name));
    for (const name of folder.hidden.filter((each) => folder !== skill || !isRepository(each)))
      paths.hidden.push(joinPath(folder, name).slice(skill.path === '' ? 0 : skill.path.length + 1));
    folder.folders.forEach(visit);
  };
  visit(skill);
  found.sort((a, b) => compareText(a.path, b.path));
  for (const list of [paths.links, paths.specials, paths.submodules, paths.hidden]) list.sort(compareText);
  return { ...paths, found, files: found.map(({ path }) => path) };
}

/** Whether a hidden name is that of what makes a folder a checkout; a worktree has a file. */
export function isRepository(name: string): boolean {
  return name === '.git/' || name === '.git';
}
