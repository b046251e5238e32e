import type { Problem } from '../problems.ts';

const FAILURES: ReadonlySet<string> = new Set(['root-missing', 'root-unreadable']);

/** The exit status for problems: 3 where a root cannot be reached, which is no skill's fault, 1 for any other error, else 0. */
export function toStatus(problems: readonly Problem[]): number {
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.some(({ code }) => FAILURES.has(code))) return 3;
  return errors.length > 0 ? 1 : 0;
}
