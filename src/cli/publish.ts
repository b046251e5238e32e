import type { SkillCatalog } from '../catalog/catalog.ts';
import { isFatal, publishReports } from '../judge/judge.ts';
import type { SkillReport } from '../judge/skill.ts';
import type { Problem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { type Judged, type JudgeRootsOptions, judgeRoots } from './judging.ts';
import { toStatus } from './status.ts';
import { EXIT, type Terminal } from './terminal.ts';

/** The options that decide what is published. */
export interface PublishOptions extends Pick<JudgeRootsOptions, 'nested' | 'pathFrom' | 'roots'> {
  readonly exclude: readonly string[];
  readonly invalid: 'fail' | 'skip';
  readonly strict?: boolean;
  /** Whether it is a failure that errors leave no skill. Default: false. */
  readonly needsSkill?: boolean;
  /** Whether the command has the option `--invalid`, which a person is told of then. Default: true. */
  readonly canSkip?: boolean;
  /** Whether everything that `check` looks for is looked for. Default: under `strict` alone. */
  readonly lints?: boolean;
}

/** What keeps everything from being published. */
export interface Unpublished {
  /** To leave with. */
  readonly status: number;
  readonly judged: Judged;
}

/**
 * The catalog that `serve` and `list` work with, or the status to leave with and why. What keeps skills from being published, and what was
 * left out, is told on stderr.
 */
export async function publishRoots(
  roots: readonly string[],
  options: PublishOptions,
  terminal: Terminal,
): Promise<{ catalog: SkillCatalog; judged: Judged } | Unpublished> {
  const loaded = await loadRoots(roots, options, terminal);
  if ('status' in loaded) return loaded;
  const { reports } = loaded.judged;
  return { ...loaded, catalog: publishReports(reports, createIsWanted(options)) };
}

/** Which skills without errors are published: under `--strict`, those without warnings. */
export function createIsWanted({ strict }: Pick<PublishOptions, 'strict'>): (skill: SkillReport) => boolean {
  return ({ problems }) => strict !== true || problems.length === 0;
}

/** Judges roots as they are published: under `--strict` with all that `check` looks for. */
export async function judgeForPublishing(
  roots: readonly string[],
  options: PublishOptions,
  terminal: Terminal,
  previous?: Judged,
): Promise<Judged> {
  const lints = options.strict === true || options.lints === true ? await loadLints() : {};
  return judgeRoots(roots, { ...options, ...lints, previous: previous?.reading }, terminal);
}

/** The same as {@link publishRoots}, without making a catalog. */
export async function loadRoots(
  roots: readonly string[],
  options: PublishOptions,
  terminal: Terminal,
): Promise<{ judged: Judged } | Unpublished> {
  const judged = await judgeForPublishing(roots, options, terminal);
  const { reports, problems, skills } = judged;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const isStrictFailure = options.strict === true && options.invalid === 'fail' && errors.length > 0;
  const isWanted = createIsWanted(options);
  const isEmpty = !reports.some((report) =>
    report.skills.some((skill) => skill.pinned !== undefined && isWanted(skill)),
  );
  const isFailure = isEmpty && errors.length > 0 && options.needsSkill === true;
  if (isStrictFailure || isFailure || isFatal(reports, options.invalid)) {
    terminal.error.write(await print(problems));
    const left = skills.filter(({ published }) => published).length;
    const others = left === 1 ? 'the other skill' : `the other ${left} skills`;
    const way =
      options.canSkip !== false && left > 0 && !isFatal(reports, 'skip')
        ? `; --invalid skip would serve ${others}`
        : '';
    const count = countOf(errors.length, 'error');
    terminal.error.write(`mcp-server-skills: nothing is published, because of ${count}${way}\n`);
    return { status: Math.max(toStatus(problems), EXIT.problems), judged };
  }
  if (errors.length > 0) {
    terminal.error.write(await print(errors));
    const left = skills.filter(({ published }) => !published).length;
    terminal.error.write(`mcp-server-skills: left out ${countOf(left, 'skill')} with errors\n`);
  }
  return { judged };
}

/** What `check` looks for as well, and fails for under `--strict`. Serving does not pay for it otherwise. */
async function loadLints(): Promise<Pick<JudgeRootsOptions, 'toLint' | 'judgeAll'>> {
  const [{ toLint }, { lintListing }] = await Promise.all([import('../lint/lint.ts'), import('../lint/budget.ts')]);
  return { toLint, judgeAll: lintListing };
}

/** Loads what prints problems only where there is one: it costs a start as much as the rest of the checking. */
async function print(problems: readonly Problem[]): Promise<string> {
  const { formatProblems } = await import('../report/format.ts');
  return formatProblems(problems, { base: ({ root = '' }) => root });
}
