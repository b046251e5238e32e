import { formatProblems, type ReportFormat } from '../report/format.ts';
import { judgeRoots } from './judge.ts';
import { toStatus } from './status.ts';
import type { Terminal } from './terminal.ts';

/** The options of `check`. */
export interface CheckOptions {
  readonly exclude: readonly string[];
  readonly format: ReportFormat;
  readonly strict?: boolean;
}

/** Judges the roots and prints what is wrong on stdout; publishes nothing. */
export async function runCheck(roots: readonly string[], options: CheckOptions, terminal: Terminal): Promise<number> {
  const judged = await judgeRoots(roots, options, terminal);
  const { output, env } = terminal;
  output.write(
    formatProblems(judged.problems, {
      format: options.format,
      base: judged.baseOf,
      sourceOf: judged.sourceOf,
      color: output.isTTY === true && !env['NO_COLOR'],
      roots: judged.reports.map(({ root: { path, prefix } }) => ({ path, prefix })),
      skills: judged.skills,
      version: terminal.version,
    }),
  );
  return toStatus(judged.problems);
}
