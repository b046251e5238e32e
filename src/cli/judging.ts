import type { Root } from '../disk/roots.ts';
import { isEmptyGlob } from '../disk/walk.ts';
import { type JudgeOptions, type RootReport, type RootsReading, readSkills } from '../judge/judge.ts';
import type { Repair } from '../judge/repairs.ts';
import { compareProblems, type Problem } from '../problems.ts';
import type { CheckedSkill } from '../report/json.ts';
import { type OpenedRoot, openRoots, toBase } from './opening.ts';
import { createProgress } from './progress.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** What all commands know of the roots: the reports, and where a problem or a skill lies. */
export interface Judged {
  /** The roots as they were opened, where this did it. */
  readonly opened: readonly OpenedRoot[];
  readonly reports: readonly RootReport[];
  /** What the next reading of the same roots may be given. */
  readonly reading: RootsReading;
  /** Of all roots, severities as the options ask. */
  readonly problems: readonly Problem[];
  readonly skills: readonly CheckedSkill[];
  /** The root of a problem, as it was typed. */
  readonly baseOf: (problem: Problem) => string;
  /** The text that a problem points into. */
  readonly sourceOf: (problem: Problem) => string | undefined;
  /** What would repair a problem. */
  readonly repairsOf: (problem: Problem) => readonly Repair[];
}

/** How the roots of a command line are judged. */
export interface JudgeRootsOptions extends Pick<JudgeOptions, 'toLint' | 'nested' | 'pathFrom'> {
  readonly exclude: readonly string[];
  readonly strict?: boolean;
  /** The roots as they are now; default: they are opened. */
  readonly roots?: readonly Root[] | undefined;
  /** The reading before, with the same options. */
  readonly previous?: RootsReading | undefined;
  /** The warnings that count under `strict`; all by default. */
  readonly isChosen?: (problem: Problem) => boolean;
  /** What else is wrong with all of them together: for each root its problems. */
  readonly judgeAll?: ((reports: readonly RootReport[]) => readonly (readonly Problem[])[]) | undefined;
}

/** Judges the roots of a command line. */
export async function judgeRoots(
  args: readonly string[],
  options: JudgeRootsOptions,
  terminal: Terminal,
): Promise<Judged> {
  const { exclude, nested, pathFrom, toLint, judgeAll, previous, isChosen = () => true } = options;
  const empty = exclude.find(isEmptyGlob);
  if (empty !== undefined) throw new CommandError(EXIT.usage, `--exclude "${empty}" names nothing`);
  const progress = createProgress(terminal);
  const opened = options.roots === undefined ? await openRoots(args, terminal) : [];
  const roots = options.roots ?? opened.flatMap((each) => each.roots);
  const judging = readSkills(roots, {
    ...{ exclude, toLint, previous },
    onProgress: progress.show,
    ...(nested === undefined ? {} : { nested }),
    ...(pathFrom === undefined ? {} : { pathFrom }),
  });
  const reading = await judging.finally(progress.end);
  const { reports } = reading;
  const others = judgeAll?.(reports) ?? [];
  const bases = new Map<Problem, string>();
  const sources = new Map<Problem, string>();
  const repairs = new Map<Problem, Repair[]>();
  const problems: Problem[] = [];
  const skills: CheckedSkill[] = [];
  reports.forEach(({ root, problems: found, skills: judged, repairs: ofGroups }, at) => {
    const base = toBase(root);
    const textOf = new Map(
      judged.flatMap(({ source, path, problems }) =>
        source === undefined ? [] : toOwn(path, problems).map((problem) => [problem, source] as const),
      ),
    );
    const repairsOf = new Map<Problem, Repair[]>();
    for (const repair of [...ofGroups, ...judged.flatMap((skill) => skill.repairs)]) {
      repairsOf.set(repair.problem, [...(repairsOf.get(repair.problem) ?? []), repair]);
    }
    for (const each of [...found, ...(others[at] ?? [])].sort(compareProblems)) {
      const problem = toShown(each, options.strict === true);
      problems.push(problem);
      bases.set(problem, base);
      const source = textOf.get(each);
      if (source !== undefined) sources.set(problem, source);
      const found = repairsOf.get(each);
      if (found !== undefined) repairs.set(problem, found);
    }
    for (const { uri, path, name, files, bytes, digest, pinned, problems } of judged) {
      const published = pinned !== undefined && (options.strict !== true || !problems.some(isChosen));
      skills.push({ uri, path, name, files, bytes, digest: digest ?? null, published });
    }
  });
  return {
    opened,
    reports,
    reading,
    problems,
    skills,
    baseOf: (problem) => bases.get(problem) ?? '',
    sourceOf: (problem) => sources.get(problem),
    repairsOf: (problem) => repairs.get(problem) ?? [],
  };
}

/** The problems that point into SKILL.md. */
function toOwn(path: string, problems: readonly Problem[]): readonly Problem[] {
  const start = path === '.' ? 0 : path.length + 1;
  return problems.filter((problem) => /^skill\.md$/i.test(problem.path.slice(start)));
}

function toShown(problem: Problem, isStrict: boolean): Problem {
  return isStrict && problem.severity === 'warning' ? { ...problem, severity: 'error' } : problem;
}
