import type { Problem, ProblemCode } from '../problems.ts';
import type { Base } from './arrange.ts';
import { formatGithub } from './github.ts';
import { type CheckedRoot, type CheckedSkill, formatJson } from './json.ts';
import { formatPretty } from './pretty.ts';
import { formatSarif } from './sarif.ts';

/** How problems are printed: for people, scripts, code scanning, or a GitHub workflow. */
export type ReportFormat = 'pretty' | 'json' | 'sarif' | 'github';

/** Each format takes what it has a place for and leaves the rest. */
export interface FormatOptions {
  /** `pretty` by default. */
  readonly format?: ReportFormat | undefined;
  /** What paths are shown relative to; nothing by default. */
  readonly base?: Base | undefined;
  /** pretty: the text of the file that a problem points at. Without it no source line is shown. */
  readonly sourceOf?: ((problem: Problem) => string | undefined) | undefined;
  /** pretty: false by default. */
  readonly color?: boolean | undefined;
  /** How many problems to print; all by default. */
  readonly max?: number | undefined;
  /** json: none by default. */
  readonly roots?: readonly CheckedRoot[] | undefined;
  /** json, and the summary of pretty and github, which is left out without it. */
  readonly skills?: readonly CheckedSkill[] | undefined;
  /** sarif: the version of this package. */
  readonly version?: string | undefined;
  /** sarif: the help text of a code, in Markdown. */
  readonly helpOf?: ((code: ProblemCode) => string | undefined) | undefined;
}

/** Prints problems, sorted and each once. Ends in a line break, or is empty where there is nothing to say. */
export function formatProblems(problems: readonly Problem[], options: FormatOptions = {}): string {
  switch (options.format ?? 'pretty') {
    case 'pretty':
      return formatPretty(problems, options);
    case 'json':
      return formatJson({ roots: options.roots ?? [], skills: options.skills ?? [], problems }, options);
    case 'sarif':
      return formatSarif(problems, options);
    case 'github':
      return formatGithub(problems, options);
  }
}
