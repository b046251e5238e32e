import type { SkillCatalog } from './catalog/catalog.ts';
import { assertChoice, assertOptions, type LoadOptions } from './disk/loading.ts';
import type { SkillRoot } from './disk/roots.ts';
import { isFatal, judgeSkills, publishReports } from './judge/judge.ts';
import { compareProblems, type Problem } from './problems.ts';
import { formatPretty } from './report/pretty.ts';

/** Every problem that kept skills from being loaded. */
export class SkillsError extends Error {
  override readonly name = 'SkillsError';
  /** Sorted by path, line, column and code; warnings included. */
  declare readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[]) {
    super(message);
    // not enumerable: the message says it all, and Node would print every field of them below it where nobody catches this
    Object.defineProperty(this, 'problems', { value: Object.freeze([...problems].sort(compareProblems)) });
  }
}

/**
 * Loads the skills below one or more roots into one immutable catalog: scans, judges, reads each file once, and pins the bytes.
 * A later change on disk changes nothing (publishing rule 6).
 *
 * @throws SkillsError with every problem, under `invalid: 'fail'` when one of them is an error, and always for a root that cannot be
 *   used (missing, unreadable, a skill with others below it, or empty)
 * @throws TypeError for what is no root and no option
 */
export async function loadSkills(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  options: LoadOptions = {},
): Promise<SkillCatalog> {
  assertOptions(options, LOAD_OPTIONS);
  assertLoadOptions(options);
  const reports = await judgeSkills(roots, options);
  if (isFatal(reports, options.invalid ?? 'fail')) throw toSkillsError(reports);
  return publishReports(reports);
}

/** The names of {@link LoadOptions}. */
export const LOAD_OPTIONS: readonly string[] = ['invalid', 'exclude', 'nested', 'pathFrom', 'from'];

/** @throws TypeError for a value that an option does not have */
export function assertLoadOptions({ invalid, nested, pathFrom, exclude = [] }: LoadOptions): void {
  assertChoice('invalid', invalid, ['fail', 'skip']);
  assertChoice('nested', nested, ['refuse', 'files']);
  assertChoice('pathFrom', pathFrom, ['folder', 'name']);
  if (!Array.isArray(exclude) || !exclude.every((glob) => typeof glob === 'string')) {
    throw new TypeError('exclude must be a list of globs');
  }
}

/** The error that says what keeps the reports of roots from being published. */
export function toSkillsError(reports: readonly { readonly problems: readonly Problem[] }[]): SkillsError {
  return new SkillsError(
    toErrorMessage(reports),
    reports.flatMap(({ problems }) => problems),
  );
}

/** What somebody reads who did not catch the error. */
function toErrorMessage(reports: readonly { readonly problems: readonly Problem[] }[]): string {
  const problems = reports.flatMap((report) => report.problems);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const count = errors === 1 ? '1 problem keeps' : `${errors} problems keep`;
  const text = formatPretty(problems, { base: ({ root = '' }) => root });
  return `${count} the skills from being published:\n${text.trimEnd()}`;
}
