import { createCatalog, type SkillCatalog } from '../catalog/catalog.ts';
import type { LoadOptions } from '../disk/loading.ts';
import { type ResolvedRoot, type Root, resolveRoots, toRootLabel } from '../disk/roots.ts';
import { findSkillFolders, type ScannedRoot, scanRoot } from '../disk/scan.ts';
import type { SkillTree } from '../disk/skilltree.ts';
import { createPause } from '../disk/slice.ts';
import { sayOf } from '../messages/say.ts';
import { compareProblems, compareText, type Problem, toProblem } from '../problems.ts';
import { holdsExcluded, judgeBeside } from './beside.ts';
import { findHiddenSkills } from './hidden.ts';
import { createKeeper, type Keeper, type KeptSkills } from './kept.ts';
import { findOverlaps, type RootSkills, refuseOverlaps } from './overlaps.ts';
import { placeSkill } from './placement.ts';
import { toClosedRoot, toEmptyRoot, toRootIsSkill, toRootProblem } from './refusals.ts';
import { type Repair, toGroupRepairs } from './repairs.ts';
import { judgeSkill, type Lint, type SkillReport, sha256 } from './skill.ts';

/** What was found out about one root. */
export interface RootReport {
  readonly root: ResolvedRoot;
  /** Sorted by path. */
  readonly skills: readonly SkillReport[];
  /** Of the root and its skills, sorted. */
  readonly problems: readonly Problem[];
  /** Of its groups. */
  readonly repairs: readonly Repair[];
}

/** A reading of roots, which the next one may be given so that skills nobody wrote to are not read again. */
export interface RootsReading {
  /** In the order of the roots. */
  readonly reports: readonly RootReport[];
  readonly kept: KeptSkills;
}

/** Codes of a root that cannot be used, whatever `invalid` says. */
const ROOT_CODES: ReadonlySet<string> = new Set(['root-missing', 'root-unreadable', 'root-is-skill', 'root-empty']);

/** How folders are judged. */
export interface JudgeOptions extends Pick<LoadOptions, 'exclude' | 'from' | 'nested' | 'pathFrom'> {
  /** Called for each folder that is read and each skill that is judged, with how many skills were judged so far. */
  readonly onProgress?: ((skills: number) => void) | undefined;
  /** Makes what looks closer at the skills of a root, whose tree it is given. Default: nothing does. */
  readonly toLint?: ((tree: SkillTree) => Lint) | undefined;
}

/** How folders are read once more. */
export interface ReadingOptions extends JudgeOptions {
  /**
   * The reading before, with the same options. A skill whose files have the signatures that they had then, and were left alone for some
   * seconds before, is not read again: its report is the same object. A closer look (`toLint`) depends on more than the skill, so with one
   * every skill is read.
   */
  readonly previous?: RootsReading | undefined;
}

/** Judges every skill below the roots without publishing anything: what `check` shows, and what a catalog is made of. */
export async function judgeSkills(roots: Root | readonly Root[], options: JudgeOptions = {}): Promise<RootReport[]> {
  return toReports(await readRoots(roots, options, undefined));
}

/** The same, for somebody who will do it again. */
export async function readSkills(roots: Root | readonly Root[], options: ReadingOptions = {}): Promise<RootsReading> {
  const keeper = createKeeper(options);
  const read = await readRoots(roots, options, keeper);
  return { reports: toReports(read), kept: keeper.keep(read) };
}

function toReports(read: readonly RootSkills[]): RootReport[] {
  return refuseOverlaps(read).map(({ root, skills, problems }) => ({
    root,
    skills: [...skills].sort((a, b) => compareText(a.path, b.path)),
    problems: [...problems, ...skills.flatMap((skill) => skill.problems)].sort(compareProblems),
    repairs: toGroupRepairs(problems),
  }));
}

async function readRoots(
  roots: Root | readonly Root[],
  options: JudgeOptions,
  keeper: Keeper | undefined,
): Promise<RootSkills[]> {
  const judge = toJudge(options, keeper);
  const reports: RootSkills[] = [];
  const resolved = resolveRoots(roots, options.from);
  for (const [at, root] of resolved.entries()) {
    const glob = root.match?.glob;
    if (glob === undefined) reports.push(await judge(root));
    else if (glob !== resolved[at - 1]?.match?.glob) {
      reports.push(
        ...(await judgeMatches(
          resolved.filter(({ match }) => match?.glob === glob),
          judge,
        )),
      );
    }
  }
  return reports;
}

type JudgeRoot = (root: ResolvedRoot) => Promise<RootSkills>;

function toJudge(options: JudgeOptions, keeper: Keeper | undefined): JudgeRoot {
  const { exclude = [], nested, pathFrom, toLint, onProgress } = options;
  const pause = createPause();
  let count = 0;
  return async (root) => {
    const { tree, prefix, fault } = root;
    const label = toRootLabel(root);
    const addRoot = (problem: Problem): Problem => ({ ...problem, root: label });
    if (tree === undefined) {
      return { root, skills: [], problems: fault === undefined ? [] : [addRoot(toRootProblem(fault))] };
    }
    const lint = toLint?.(tree);
    const kept = keeper?.open(root);
    const scanned = scanRoot(tree, {
      exclude,
      onFolder: onProgress && (() => onProgress(count)),
      earlier: kept?.isKept,
    });
    const { problems: found, isReadable } = await judgeRoot(scanned, nested);
    const problems = found.map(addRoot);
    const skills: SkillReport[] = [];
    if (!isReadable) return { root, skills, problems };
    for await (const skill of scanned.readSkills()) {
      const report =
        kept?.find(skill) ?? judgeSkill(placeSkill(skill, { scanned, root: label, prefix, nested, pathFrom }), lint);
      kept?.add(skill, report, scanned.start);
      skills.push(report);
      onProgress?.(++count);
      await pause();
    }
    return { root, skills, problems };
  };
}

/** Judges a root, its groups, and whatever is not a part of a skill. */
async function judgeRoot(
  scanned: ScannedRoot,
  nested: LoadOptions['nested'],
): Promise<{ problems: Problem[]; isReadable: boolean }> {
  const { tree, walked, sorted } = scanned;
  if (walked.fault !== undefined) return { problems: [toClosedRoot(walked.fault)], isReadable: false };
  if (sorted.skills[0] === walked) {
    const others = nested === 'files' ? [] : findSkillFolders(walked);
    const problems = others.length === 0 ? [] : [toRootIsSkill(walked, others, tree.label)];
    return { problems, isReadable: problems.length === 0 };
  }
  const problems = await judgeBeside(scanned);
  if (sorted.skills.length === 0 && problems.every(({ severity }) => severity === 'warning')) {
    problems.push(toEmptyRoot(findHiddenSkills(tree, walked), holdsExcluded(walked), tree.label));
  }
  return { problems, isReadable: true };
}

/**
 * Judges the roots that one glob matches. Where skills of several would have one URI, each match gets a prefix that tells it apart. A
 * match without a skill is ignored, as a folder is, unless none has one.
 */
async function judgeMatches(roots: readonly ResolvedRoot[], judge: JudgeRoot): Promise<RootSkills[]> {
  const plain: RootSkills[] = [];
  for (const root of roots) plain.push(await judge(root));
  let reports = plain;
  if (findOverlaps(plain).size > 0) {
    reports = [];
    for (const report of plain) reports.push(await judge(toApart(report)));
  }
  if (reports.every(({ skills }) => skills.length === 0)) return reports;
  return reports.map((report) => ({ ...report, problems: report.problems.map(toIgnoredMatch) }));
}

function toApart({ root, skills }: RootSkills): ResolvedRoot {
  const { apart = '' } = root.match ?? {};
  // a root that is one skill adds its own name
  const isSkill = skills.some(({ path }) => path === '.');
  const added = isSkill ? apart.slice(0, Math.max(apart.lastIndexOf('/'), 0)) : apart;
  return { ...root, prefix: [root.prefix, added].filter((part) => part !== '').join('/') };
}

function toIgnoredMatch(problem: Problem): Problem {
  if (problem.code !== 'root-empty') return problem;
  const { variant, ...args } = problem.args ?? {};
  return toProblem({ ...problem, ...sayOf('folder-ignored', { variant: `match-${variant}`, ...args }) });
}

/** Whether reports keep a catalog from being made. */
export function isFatal(reports: readonly RootReport[], invalid: 'fail' | 'skip'): boolean {
  return reports.some((report) =>
    report.problems.some((problem) => problem.severity === 'error' && (invalid === 'fail' || isRootProblem(problem))),
  );
}

/** Whether a problem is that its root cannot be used. */
export function isRootProblem({ code }: Problem): boolean {
  return ROOT_CODES.has(code);
}

/** The catalog of what has no error; with `isWanted`, of that part of it. */
export function publishReports(
  reports: readonly RootReport[],
  isWanted: (skill: SkillReport) => boolean = () => true,
): SkillCatalog {
  const pinned = reports.flatMap((report) => report.skills.filter(isWanted).flatMap((skill) => skill.pinned ?? []));
  return createCatalog(pinned, reports.flatMap((report) => report.problems).sort(compareProblems), sha256);
}
