import type { Problem } from '../../src/problems.ts';

/** A problem as one line: `line:column+length severity code: message = hint`. */
export function showProblem({ line, column, length, severity, code, message, hint }: Problem): string {
  return `${line}:${column}+${length} ${severity} ${code}: ${message}${hint === undefined ? '' : ` = ${hint}`}`;
}
