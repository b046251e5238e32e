import { setImmediate } from 'node:timers/promises';
import { formatProblems } from '../report/format.ts';
import { createCatalog, type SkillCatalog } from './catalog.ts';
import { judgeSkill, type Lint, type SkillReport, sha256 } from './judge.ts';
import { refuseOverlaps } from './overlaps.ts';
import { compareProblems, compareText, type Problem } from './problems.ts';
import { type ResolvedRoot, resolveRoots, type SkillRoot } from './roots.ts';
import { scanRoot } from './scan.ts';

/** How folders are loaded. */
export interface LoadOptions {
  /** `fail` (default): any error rejects. `skip`: what has an error is left out, and its errors are in `problems`. */
  readonly invalid?: 'fail' | 'skip';
  /** Globs relative to the root; one without `/` is matched against names at any depth. Default: none. */
  readonly exclude?: readonly string[];
  /**
   * The module (`import.meta.url`) in whose folder, and then upwards, a relative root is looked for; the first that holds it wins.
   * Default: the working directory.
   */
  readonly from?: string | URL;
}

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

/** Every problem that kept skills from being loaded. */
export class SkillsError extends Error {
  override readonly name = 'SkillsError';
  /** Sorted by path, line, column and code; warnings included. */
  declare readonly problems: readonly Problem[];
  /** The same by root, for whoever shows them. */
  declare readonly reports: readonly RootReport[];

  constructor(reports: readonly RootReport[]) {
    super(toErrorMessage(reports));
    const problems = Object.freeze(reports.flatMap((report) => report.problems).sort(compareProblems));
    // not enumerable: the message says it all, and Node would print every field of them below it where nobody catches this
    Object.defineProperties(this, { problems: { value: problems }, reports: { value: reports } });
  }
}

/**
 * Loads the skills below one or more roots into one immutable catalog: scans, judges, reads each file once, and pins the bytes.
 * A later change on disk changes nothing (publishing rule 6).
 *
 * @throws SkillsError with every problem, under `invalid: 'fail'` when one of them is an error, and always for a root that cannot be
 *   used (missing, unreadable, itself a skill, or empty)
 */
export async function loadSkills(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  options: LoadOptions = {},
): Promise<SkillCatalog> {
  assertOptions(options);
  const reports = await judgeSkills(roots, options);
  if (isFatal(reports, options.invalid ?? 'fail')) throw new SkillsError(reports);
  return publishReports(reports);
}

/** How folders are judged. */
export interface JudgeOptions extends Pick<LoadOptions, 'exclude' | 'from'> {
  /** Makes what looks closer at the skills of a root, whose absolute folder it is given. Default: nothing does. */
  readonly toLint?: ((folder: string) => Lint) | undefined;
}

/** For callers without types: a mistake is said in words of this library, and not later, by the engine. */
function assertOptions({ invalid, exclude }: LoadOptions): void {
  if (invalid !== undefined && invalid !== 'fail' && invalid !== 'skip') {
    throw new TypeError(`invalid must be "fail" or "skip", not "${String(invalid)}"`);
  }
  if (exclude !== undefined && !Array.isArray(exclude)) throw new TypeError('exclude must be a list of globs');
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

/** What somebody reads who did not catch the error. */
function toErrorMessage(reports: readonly RootReport[]): string {
  const bases = new Map(reports.flatMap(({ root, problems }) => problems.map((problem) => [problem, root.path])));
  const errors = [...bases.keys()].filter(({ severity }) => severity === 'error').length;
  const count = errors === 1 ? '1 problem keeps' : `${errors} problems keep`;
  const text = formatProblems([...bases.keys()], { base: (problem) => bases.get(problem) ?? '' });
  return `${count} the skills from being published:\n${text.trimEnd()}`;
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
