import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { MAX_BYTES, MAX_FILES, SKILL_FILE, toUri } from '../catalog/manifest.ts';
import { holdsExcluded, judgeBeside } from '../judge/beside.ts';
import { findHiddenSkills } from '../judge/hidden.ts';
import { toTooManyBytes, toTooManyFiles } from '../judge/limits.ts';
import {
  isDecoded,
  type ReadFault,
  toEmptyRoot,
  toFault,
  toFaultProblem,
  toRootIsSkill,
  toSkillFolderName,
} from '../judge/messages.ts';
import { readName } from '../judge/named.ts';
import { judgePaths, type SkillPaths } from '../judge/paths.ts';
import type { IsTaken } from '../judge/repairs.ts';
import { sortFolders } from '../judge/sort.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { isName } from '../text/names.ts';
import type { LoadOptions } from './loading.ts';
import {
  type FoundFile,
  type ReadFile,
  readFiles,
  recheckFiles,
  type SeenFile,
  settleFiles,
  statFiles,
} from './read.ts';
import { findSkillFile, hasEntry, joinPath, type WalkedFolder, type WalkedPlace, walkRoot } from './walk.ts';

/** A skill as it was found: its paths, its bytes where they were read, and what its folder's shape breaks. */
export interface ScannedSkill {
  /** The URI that its SKILL.md has, or would have. */
  readonly uri: string;
  /** The folder, relative to the root; `.` for a root that is one skill. */
  readonly path: string;
  /** What its frontmatter has to call it: the folder's name, or its own where nothing else names it. */
  readonly name: string;
  /** SKILL.md as it is spelled on disk. */
  readonly skillFile: string;
  /** Sorted by path, which is relative to the root and begins with `path`; empty where nothing was read. */
  readonly files: readonly ReadFile[];
  readonly fileCount: number;
  readonly byteCount: number;
  /** Names that begin with a dot, relative to the skill; folders end in `/`. */
  readonly hidden: readonly string[];
  readonly problems: readonly Problem[];
  /** Whether something else in the folder that holds it has a name. */
  readonly isTaken?: IsTaken;
  /** Whether a group that it lies in has a name that no group may have, so that it has no URI. */
  readonly isBlocked?: boolean;
}

/** What a scan makes of folders. */
export interface ScanOptions extends Pick<LoadOptions, 'nested' | 'pathFrom'> {
  /** The root as it was given, for hints; its folder by default. */
  readonly label?: string | undefined;
  /** Called for each folder that is read. */
  readonly onFolder?: (() => void) | undefined;
}

/** What the skills of one root have in common. */
interface Scan extends WalkedPlace, ScanOptions {
  readonly prefix: string;
  readonly label: string;
}

/**
 * Scans a root: one walk, then the skills one by one, each read at once and handed on before the next is read.
 * Returns what is wrong with the root, its groups, and whatever is no part of a skill.
 *
 * @param folder - absolute path of an existing folder
 * @param prefix - put before the path of every skill; `''` for none
 * @param exclude - globs relative to the root
 * @param onSkill - awaited for each skill
 */
export async function scanRoot(
  folder: string,
  prefix: string,
  exclude: readonly string[],
  onSkill: (skill: ScannedSkill) => Promise<void>,
  options: ScanOptions = {},
): Promise<Problem[]> {
  const scan: Scan = { ...options, folder, prefix, label: options.label ?? folder, start: Date.now() };
  const root = walkRoot(folder, exclude, options.onFolder);
  if (root.error !== undefined) {
    const message = `the root folder cannot be read: ${toFault('.', root.error).reason}`;
    return [toProblem({ code: 'root-unreadable', path: '.', message })];
  }
  const skillFile = findSkillFile(root);
  if (skillFile !== undefined) {
    const others = options.nested === 'files' ? [] : findSkillFolders(root);
    if (others.length > 0) return [toRootIsSkill(skillFile, others, scan.label)];
    await onSkill(await scanSkill(scan, root));
    return [];
  }
  const sorted = sortFolders(root);
  const problems = [...sorted.problems, ...judgeBeside(sorted, scan)];
  if (sorted.skills.length === 0 && problems.every(({ severity }) => severity === 'warning')) {
    problems.push(toEmptyRoot(findHiddenSkills(folder, root), holdsExcluded(root), scan.label));
  }
  for (const walked of sorted.skills) await onSkill(await scanSkill(scan, walked, sorted.blocked.has(walked)));
  return problems;
}

/** The folders below a root that have a SKILL.md. */
function findSkillFolders(folder: WalkedFolder): WalkedFolder[] {
  return folder.folders.flatMap((child) => [
    ...(child.files.includes(SKILL_FILE) ? [child] : []),
    ...findSkillFolders(child),
  ]);
}

async function scanSkill(scan: Scan, walked: WalkedFolder, isBlocked = false): Promise<ScannedSkill> {
  const problems: Problem[] = [];
  const content = await readSkill(scan, walked, problems);
  const { path, skillFile, files } = content;
  const own = walked.parent === undefined ? basename(scan.folder) : walked.name;
  const isNamed = walked.parent === undefined ? !isNamedByFolder(scan.folder, walked) : false;
  const text =
    isNamed || scan.pathFrom === 'name' ? files.find((file) => file.path === `${path}/${skillFile}`) : undefined;
  const chosen = text === undefined ? undefined : readName(text.bytes);
  const name = chosen ?? own;
  const group = walked.parent === undefined ? '' : walked.parent.path;
  const uri = toUri(scan.prefix, group, name, SKILL_FILE);
  if (!isName(name) && !isNamed) problems.unshift(toSkillFolderName(path, name));
  return {
    ...content,
    name,
    uri,
    problems: problems.map((problem) => ({ ...problem, skill: uri })),
    isTaken: (each) => each !== own && isBeside(scan, walked, each),
    ...(isBlocked ? { isBlocked } : {}),
  };
}

/** Whether something beside a skill's folder has a name; beside a root, the walk saw nothing. */
function isBeside({ folder }: Scan, { parent }: WalkedFolder, name: string): boolean {
  if (parent !== undefined) return hasEntry(parent, name);
  return isName(name) && lstatSync(`${dirname(folder)}/${name}`, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Whether the name of a root that is one skill is held against its folder's: in a folder of skills it is, and the skill will be served
 * from there as well; a repository may be called anything.
 */
function isNamedByFolder(folder: string, { hidden }: WalkedFolder): boolean {
  const above = dirname(folder);
  if (above === folder || hidden.some(isRepository)) return false;
  return basename(above) === 'skills' || (isName(basename(folder)) && holdsSkills(above, basename(folder)));
}

/** Whether a hidden name is that of what makes a folder a checkout; a worktree has a file. */
function isRepository(name: string): boolean {
  return name === '.git/' || name === '.git';
}

/** How many entries of the folder above a root are looked at. */
const ENTRIES_SEEN = 1000;

function holdsSkills(folder: string, but: string): boolean {
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).slice(0, ENTRIES_SEEN);
    return entries.some(
      (entry) =>
        entry.name !== but &&
        isName(entry.name) &&
        entry.isDirectory() &&
        lstatSync(`${folder}/${entry.name}/${SKILL_FILE}`, { throwIfNoEntry: false }) !== undefined,
    );
  } catch {
    return false;
  }
}

/** Reads a skill, and adds what is wrong with its paths and sizes to `problems`. */
async function readSkill(
  { folder, start, nested }: Scan,
  walked: WalkedFolder,
  problems: Problem[],
): Promise<Omit<ScannedSkill, 'uri' | 'name' | 'problems'>> {
  const path = walked.path === '' ? '.' : walked.path;
  const skillFile = findSkillFile(walked) ?? SKILL_FILE;
  const file = `${path}/${skillFile}`;
  const paths = collectPaths(walked);
  const reportFaults = (faults: readonly ReadFault[], skillFile?: string) => {
    for (const fault of faults) problems.push(toFaultProblem(fault, skillFile));
  };
  for (const problem of judgePaths(path, skillFile, paths, nested)) problems.push(problem);
  reportFaults(paths.faults);
  const tally = walked.tally ?? { root: walked, files: 0, places: new Map() };
  // a name that is no UTF-8 cannot be asked for, and is refused for its characters
  const found = paths.found.filter((each) => isDecoded(each.path));
  const skill = { path, skillFile, hidden: paths.hidden };
  if (tally.files > MAX_FILES) {
    const { seen } = statFiles(
      folder,
      found.filter((each) => each.path === file),
    );
    problems.push(toTooManyFiles(path, tally.files, tally.places, findNamed(seen)));
    return { ...skill, files: [], fileCount: tally.files, byteCount: 0 };
  }
  const { seen, faults } = await settleFiles(folder, found);
  reportFaults(faults, file);
  const bytes = seen.reduce((sum, { stats }) => sum + stats.size, 0);
  if (bytes > MAX_BYTES) {
    const files = seen.map((each) => ({ path: toInner(each.path), size: each.stats.size }));
    problems.push(toTooManyBytes(path, files, bytes, findNamed(seen)));
    return { ...skill, files: [], fileCount: seen.length, byteCount: bytes };
  }
  const read = readFiles(folder, seen, start);
  reportFaults(read.faults, file);
  if (read.faults.length === 0) reportFaults(await recheckFiles(folder, seen), file);
  return { ...skill, files: read.files, fileCount: paths.found.length, byteCount: bytes };

  function toInner(each: string): string {
    return each.slice(path.length + 1);
  }

  /** Which paths of the skill its SKILL.md names: what leaving them out would break. */
  function findNamed(seen: readonly SeenFile[]): string[] {
    const main = seen.filter((each) => each.path === file && each.stats.size <= MAX_NAMING_BYTES);
    const [content] = readFiles(folder, main, start).files;
    if (content === undefined) return [];
    const text = Buffer.from(content.bytes).toString();
    return paths.files.map(toInner).filter((each) => each !== skillFile && text.includes(each));
  }
}

/** The largest SKILL.md that is searched for the paths of its skill, in bytes. */
const MAX_NAMING_BYTES = 1024 * 1024;

/** Everything below a skill's folder, by kind, in the order of paths. */
function collectPaths(skill: WalkedFolder): SkillPaths & { found: FoundFile[]; faults: ReadFault[] } {
  const found: FoundFile[] = [];
  const paths = {
    links: [] as string[],
    specials: [] as string[],
    hidden: [] as string[],
    faults: [] as ReadFault[],
  };
  // paths in a root that is one skill begin with its folder as well
  const start = skill.path === '' ? './' : '';
  const toPath = (folder: WalkedFolder, name: string) => start + joinPath(folder, name);
  const visit = (folder: WalkedFolder) => {
    if (folder.error !== undefined) paths.faults.push(toFault(start + folder.path, folder.error));
    for (const name of folder.files) found.push({ path: toPath(folder, name), folder });
    for (const name of folder.links) paths.links.push(toPath(folder, name));
    for (const name of folder.specials) paths.specials.push(toPath(folder, name));
    for (const name of folder.hidden.filter((each) => folder !== skill || !isRepository(each)))
      paths.hidden.push(joinPath(folder, name).slice(skill.path === '' ? 0 : skill.path.length + 1));
    folder.folders.forEach(visit);
  };
  visit(skill);
  found.sort((a, b) => compareText(a.path, b.path));
  for (const list of [paths.links, paths.specials, paths.hidden]) list.sort(compareText);
  return { ...paths, found, files: found.map(({ path }) => path) };
}
