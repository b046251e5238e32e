import { setImmediate } from 'node:timers/promises';
import { createCatalog, type SkillCatalog } from '../catalog/catalog.ts';
import type { LoadOptions } from '../disk/loading.ts';
import { type ResolvedRoot, resolveRoots, type SkillRoot } from '../disk/roots.ts';
import { type ScannedSkill, scanRoot } from '../disk/scan.ts';
import { compareProblems, compareText, type Problem, toProblem } from '../problems.ts';
import { findOverlaps, type RootSkills, refuseOverlaps } from './overlaps.ts';
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

/** Codes of a root that cannot be used, whatever `invalid` says. */
const ROOT_CODES: ReadonlySet<string> = new Set(['root-missing', 'root-unreadable', 'root-is-skill', 'root-empty']);

/** How long the loader keeps the event loop to itself, in milliseconds. */
const SLICE = 50;

/** How folders are judged. */
export interface JudgeOptions extends Pick<LoadOptions, 'exclude' | 'from' | 'nested' | 'pathFrom'> {
  /** Called for each folder that is read and each skill that is judged, with how many skills were judged so far. */
  readonly onProgress?: ((skills: number) => void) | undefined;
  /** Makes what looks closer at the skills of a root, whose absolute folder it is given. Default: nothing does. */
  readonly toLint?: ((folder: string) => Lint) | undefined;
}

/** Judges every skill below the roots without publishing anything: what `check` shows, and what a catalog is made of. */
export async function judgeSkills(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  options: JudgeOptions = {},
): Promise<RootReport[]> {
  const judge = toJudge(options);
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
  return refuseOverlaps(reports).map(({ root, skills, problems }) => ({
    root,
    skills: [...skills].sort((a, b) => compareText(a.path, b.path)),
    problems: [...problems, ...skills.flatMap((skill) => skill.problems)].sort(compareProblems),
    repairs: toGroupRepairs(problems),
  }));
}

type JudgeRoot = (root: ResolvedRoot) => Promise<RootSkills>;

function toJudge(options: JudgeOptions): JudgeRoot {
  const { exclude = [], nested, pathFrom, toLint, onProgress } = options;
  const pause = toPause();
  let count = 0;
  return async (root) => {
    if (root.folder === undefined) {
      return { root, skills: [], problems: root.problem === undefined ? [] : [root.problem] };
    }
    const skills: SkillReport[] = [];
    const lint = toLint?.(root.folder);
    const onSkill = async (scanned: ScannedSkill) => {
      skills.push(judgeSkill(scanned, lint));
      onProgress?.(++count);
      await pause();
    };
    const problems = await scanRoot(root.folder, root.prefix, exclude, onSkill, {
      label: root.path,
      onFolder: onProgress && (() => onProgress(count)),
      ...(nested === undefined ? {} : { nested }),
      ...(pathFrom === undefined ? {} : { pathFrom }),
    });
    return { root, skills, problems };
  };
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
  const { path, message, hint = '' } = problem;
  return toProblem({ code: 'folder-ignored', path, message: `${message}, and is ignored`, hint });
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

/** Gives the event loop a turn whenever the loader has kept it for a slice. */
function toPause(): () => Promise<void> {
  let until = performance.now() + SLICE;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    until = performance.now() + SLICE;
  };
}
