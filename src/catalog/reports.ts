import { setImmediate } from 'node:timers/promises';
import { createCatalog, type SkillCatalog } from './catalog.ts';
import { judgeSkill, type Lint, type SkillReport, sha256 } from './judge.ts';
import type { LoadOptions } from './options.ts';
import { refuseOverlaps } from './overlaps.ts';
import { compareProblems, compareText, type Problem } from './problems.ts';
import { type ResolvedRoot, resolveRoots, type SkillRoot } from './roots.ts';
import { scanRoot } from './scan.ts';

/** What was found out about one root. */
export interface RootReport {
  readonly root: ResolvedRoot;
  /** Sorted by path. */
  readonly skills: readonly SkillReport[];
  /** Of the root and its skills, sorted. */
  readonly problems: readonly Problem[];
}

/** Codes of a root that cannot be used, whatever `invalid` says. */
const ROOT_CODES: ReadonlySet<string> = new Set(['root-missing', 'root-unreadable', 'root-is-skill', 'root-empty']);

/** How long the loader keeps the event loop to itself, in milliseconds. */
const SLICE = 50;

/** How folders are judged. */
export interface JudgeOptions extends Pick<LoadOptions, 'exclude' | 'from'> {
  /** Makes what looks closer at the skills of a root, whose absolute folder it is given. Default: nothing does. */
  readonly toLint?: ((folder: string) => Lint) | undefined;
}

/** Judges every skill below the roots without publishing anything: what `check` shows, and what a catalog is made of. */
export async function judgeSkills(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  options: JudgeOptions = {},
): Promise<RootReport[]> {
  const pause = toPause();
  const reports: RootReport[] = [];
  for (const root of resolveRoots(roots, options.from)) {
    if (root.folder === undefined) {
      reports.push({ root, skills: [], problems: root.problem === undefined ? [] : [root.problem] });
      continue;
    }
    const skills: SkillReport[] = [];
    const lint = options.toLint?.(root.folder);
    const problems = await scanRoot(root.folder, root.prefix, options.exclude ?? [], async (scanned) => {
      skills.push(judgeSkill(scanned, lint));
      await pause();
    });
    reports.push({ root, skills, problems });
  }
  return refuseOverlaps(reports).map(({ root, skills, problems }) => ({
    root,
    skills: [...skills].sort((a, b) => compareText(a.path, b.path)),
    problems: [...problems, ...skills.flatMap((skill) => skill.problems)].sort(compareProblems),
  }));
}

/** Whether reports keep a catalog from being made. */
export function isFatal(reports: readonly RootReport[], invalid: 'fail' | 'skip'): boolean {
  return reports.some((report) =>
    report.problems.some(({ code, severity }) => severity === 'error' && (invalid === 'fail' || ROOT_CODES.has(code))),
  );
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
