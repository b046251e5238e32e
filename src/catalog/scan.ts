import {
  isDecoded,
  type ReadFault,
  toEmptyGroup,
  toEmptyRoot,
  toFault,
  toFaultProblem,
  toFolderName,
  toLinkProblem,
  toRootIsSkill,
  toSkillFolderName,
  toSpecialProblem,
  toTooManyBytes,
  toTooManyFiles,
} from './faults.ts';
import { MAX_BYTES, MAX_FILES, SKILL_FILE, toUri } from './manifest.ts';
import { isName } from './names.ts';
import { compareText, type Problem, toProblem } from './problems.ts';
import { type FoundFile, type ReadFile, readFiles, statFiles } from './read.ts';
import { judgePaths, type SkillPaths } from './rules.ts';
import { findSkillFile, type WalkedFolder, walkRoot } from './walk.ts';

/** A skill as it was found: its paths, its bytes where they were read, and what its folder's shape breaks. */
export interface ScannedSkill {
  /** The URI that its SKILL.md has, or would have. */
  readonly uri: string;
  /** The folder, relative to the root. */
  readonly path: string;
  readonly name: string;
  /** SKILL.md as it is spelled on disk. */
  readonly skillFile: string;
  /** Sorted by path, which is relative to the root; empty where nothing was read. */
  readonly files: readonly ReadFile[];
  readonly fileCount: number;
  readonly byteCount: number;
  /** Names that begin with a dot, relative to the skill; folders end in `/`. */
  readonly hidden: readonly string[];
  readonly problems: readonly Problem[];
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
): Promise<Problem[]> {
  const start = Date.now();
  const root = walkRoot(folder, exclude);
  if (root.error !== undefined) {
    const message = `the root folder cannot be read: ${toFault('.', root.error).reason}`;
    return [toProblem({ code: 'root-unreadable', path: '.', message })];
  }
  const skillFile = findSkillFile(root);
  if (skillFile !== undefined) return [toRootIsSkill(skillFile)];

  const found: WalkedFolder[] = [];
  const problems: Problem[] = [];
  visitGroup(root, found, problems);
  if (found.length === 0 && problems.length === 0 && !holdsExcluded(root)) {
    problems.push(toEmptyRoot());
  }
  for (const walked of found) await onSkill(scanSkill(folder, prefix, walked, start));
  return problems;
}

/** Sorts a group's folders into skills and groups, and says what is neither. */
function visitGroup(group: WalkedFolder, found: WalkedFolder[], problems: Problem[]): void {
  for (const name of group.links) problems.push(toLinkProblem(toPath(group, name)));
  for (const name of group.specials) problems.push(toSpecialProblem(toPath(group, name)));
  for (const folder of group.folders) visitFolder(folder, found, problems);
}

function visitFolder(folder: WalkedFolder, found: WalkedFolder[], problems: Problem[]): void {
  if (folder.error !== undefined) {
    problems.push(toFaultProblem(toFault(folder.path, folder.error)));
  } else if (findSkillFile(folder) !== undefined) {
    found.push(folder);
  } else if (!isName(folder.name)) {
    problems.push(toFolderName(folder));
  } else {
    const inner: Problem[] = [];
    const before = found.length;
    visitGroup(folder, found, inner);
    // the outermost of empty folders stands for all of them: a skill that lost its SKILL.md may have folders of its own
    const isEmpty = found.length === before && inner.every(({ code }) => code === 'group-empty');
    if (!isEmpty) for (const problem of inner) problems.push(problem);
    else if (!holdsExcluded(folder)) problems.push(toEmptyGroup(folder));
  }
}

function holdsExcluded(folder: WalkedFolder): boolean {
  return folder.excluded || folder.folders.some(holdsExcluded);
}

function scanSkill(root: string, prefix: string, walked: WalkedFolder, start: number): ScannedSkill {
  const uri = toUri(prefix, walked.path, SKILL_FILE);
  const skillFile = findSkillFile(walked) ?? SKILL_FILE;
  const file = `${walked.path}/${skillFile}`;
  const paths = collectPaths(walked);
  const problems: Problem[] = [];
  const report = (problem: Problem) => problems.push({ ...problem, skill: uri });

  if (!isName(walked.name)) report(toSkillFolderName(walked));
  for (const problem of judgePaths(walked.path, skillFile, paths)) report(problem);
  for (const fault of paths.faults) report(toFaultProblem(fault));

  const tally = walked.tally ?? { root: walked, files: 0, places: new Map() };
  const skill = { uri, path: walked.path, name: walked.name, skillFile, hidden: paths.hidden, problems };
  if (tally.files > MAX_FILES) {
    report(toTooManyFiles(walked.path, tally.files, tally.places));
    return { ...skill, files: [], fileCount: tally.files, byteCount: 0 };
  }
  // a name that is no UTF-8 cannot be asked for, and is refused for its characters
  const { seen, faults } = statFiles(
    root,
    paths.found.filter(({ path }) => isDecoded(path)),
  );
  for (const fault of faults) report(toFaultProblem(fault, file));
  const bytes = seen.reduce((sum, file) => sum + file.stats.size, 0);
  if (bytes > MAX_BYTES) {
    report(toTooManyBytes(walked.path, seen, bytes));
    return { ...skill, files: [], fileCount: seen.length, byteCount: bytes };
  }
  const read = readFiles(root, seen, start);
  for (const fault of read.faults) report(toFaultProblem(fault, file));
  return { ...skill, files: read.files, fileCount: paths.found.length, byteCount: bytes };
}

/** Everything below a skill's folder, by kind, in the order of paths. */
function collectPaths(skill: WalkedFolder): SkillPaths & { found: FoundFile[]; faults: ReadFault[] } {
  const found: FoundFile[] = [];
  const paths = {
    links: [] as string[],
    specials: [] as string[],
    hidden: [] as string[],
    faults: [] as ReadFault[],
  };
  const visit = (folder: WalkedFolder) => {
    if (folder.error !== undefined) paths.faults.push(toFault(folder.path, folder.error));
    for (const name of folder.files) found.push({ path: toPath(folder, name), folder });
    for (const name of folder.links) paths.links.push(toPath(folder, name));
    for (const name of folder.specials) paths.specials.push(toPath(folder, name));
    for (const name of folder.hidden) paths.hidden.push(toPath(folder, name).slice(skill.path.length + 1));
    folder.folders.forEach(visit);
  };
  visit(skill);
  found.sort((a, b) => compareText(a.path, b.path));
  for (const list of [paths.links, paths.specials, paths.hidden]) list.sort(compareText);
  return { ...paths, found, files: found.map(({ path }) => path) };
}

function toPath(folder: WalkedFolder, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}
