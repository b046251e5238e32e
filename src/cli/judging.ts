import { delimiter, join } from 'node:path';
import { expandHome, parseRoot, type SkillRoot, toRootLabel } from '../disk/roots.ts';
import { isEmptyGlob } from '../disk/walk.ts';
import { type JudgeOptions, type RootReport, type RootsReading, readSkills } from '../judge/judge.ts';
import { compareProblems, type Problem } from '../problems.ts';
import type { CheckedSkill } from '../report/json.ts';
import { createProgress } from './progress.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** What all commands know of the roots. */
export interface Judged {
  readonly reports: readonly RootReport[];
  /** What the next reading of the same roots may be given. */
  readonly reading: RootsReading;
  /** Of all roots, severities as the options ask. */
  readonly problems: readonly Problem[];
  readonly skills: readonly CheckedSkill[];
  /** The text that a problem points into. */
  readonly sourceOf: (problem: Problem) => string | undefined;
}

/** How the roots of a command line are judged. */
export interface JudgeRootsOptions extends Pick<JudgeOptions, 'toLint' | 'nested' | 'pathFrom'> {
  readonly exclude: readonly string[];
  readonly strict?: boolean;
  /** The reading before, with the same options. */
  readonly previous?: RootsReading | undefined;
  /** The warnings that count under `strict`; all by default. */
  readonly isChosen?: (problem: Problem) => boolean;
  /** What else is wrong with all of them together: for each root its problems. */
  readonly judgeAll?: ((reports: readonly RootReport[]) => readonly (readonly Problem[])[]) | undefined;
}

/** The skills that come with this package. */
export function toExample({ home }: Pick<Terminal, 'home'>): string {
  return join(home, 'skills-example');
}

/** The roots of a command line: its arguments, else `$SKILLS_DIR`, else the skills of this package. */
export function toRoots(
  args: readonly string[],
  terminal: Pick<Terminal, 'env' | 'home' | 'userHome' | 'cwd' | 'error'>,
): SkillRoot[] {
  if (args.includes('')) throw new CommandError(EXIT.usage, 'a root is empty: is a variable unset?');
  const listed = (terminal.env['SKILLS_DIR'] ?? '').split(delimiter).filter((root) => root !== '');
  const given = args.length > 0 ? args : listed;
  if (given.length === 0) {
    terminal.error.write('mcp-server-skills: no root is given: this serves the example skills of the package\n');
    return [{ path: toExample(terminal) }];
  }
  return given.map((argument) => {
    const root = parseRoot(argument);
    return { ...root, path: expandHome(root.path, terminal.userHome, terminal.cwd) };
  });
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
  const roots = toRoots(args, terminal);
  const progress = createProgress(terminal);
  const judging = readSkills(roots, {
    ...{ exclude, toLint, previous },
    onProgress: progress.show,
    ...(nested === undefined ? {} : { nested }),
    ...(pathFrom === undefined ? {} : { pathFrom }),
  });
  const reading = await judging.finally(progress.end);
  const { reports } = reading;
  const others = judgeAll?.(reports) ?? [];
  const isStrict = options.strict === true;
  const problems = reports.flatMap((report, at) => [...report.problems, ...(others[at] ?? [])].sort(compareProblems));
  const judged = reports.flatMap((report) => report.skills);
  return {
    reports,
    reading,
    problems: problems.map((problem) => toShown(problem, isStrict)),
    skills: judged.map(({ uri, path, name, files, bytes, digest, pinned, problems }) => {
      const published = pinned !== undefined && !(isStrict && problems.some(isChosen));
      return { uri, path, name, files, bytes, digest: digest ?? null, published };
    }),
    sourceOf: collectSources(reports),
  };
}

/** Finds the text of SKILL.md that a problem points into. */
function collectSources(reports: readonly RootReport[]): Judged['sourceOf'] {
  const toKey = (root: string | undefined, path: string) => JSON.stringify([root, path]);
  const sources = new Map(
    reports.flatMap(({ root, skills }) =>
      skills.flatMap(({ source, file }) =>
        source === undefined ? [] : [[toKey(toRootLabel(root), file), source] as const],
      ),
    ),
  );
  return ({ root, path }) => sources.get(toKey(root, path));
}

function toShown(problem: Problem, isStrict: boolean): Problem {
  return isStrict && problem.severity === 'warning' ? { ...problem, severity: 'error' } : problem;
}
