import type { Problem } from '../problems.ts';
import { escapeText } from '../text/escape.ts';
import { arrangeProblems, type Base, countRest, limitProblems, type PlacedProblem } from './arrange.ts';
import { formatRest, formatSummary } from './pretty.ts';

export interface GithubOptions {
  /** Relative to the root of the repository. */
  readonly base?: Base | undefined;
  /** How many annotations to print; all by default. GitHub itself shows ten errors and ten warnings a step. */
  readonly max?: number | undefined;
  /** The skills that were judged: with them, a last line of the log says how many would be published. */
  readonly skills?: readonly { readonly published: boolean }[] | undefined;
}

/** For a GitHub workflow: one annotation a problem, as workflow commands. */
export function formatGithub(problems: readonly Problem[], { base, max, skills }: GithubOptions = {}): string {
  const placed = arrangeProblems(problems, base);
  const shown = limitProblems(placed, max);
  const lines = shown.map(formatAnnotation);
  const rest = formatRest(countRest(placed, shown));
  if (rest !== undefined) lines.push(`::notice::${rest}`);
  if (skills !== undefined) lines.push(formatSummary(placed, skills));
  return lines.map((line) => `${line}\n`).join('');
}

function formatAnnotation({ problem, path }: PlacedProblem): string {
  const { line, column, length = 0 } = problem;
  const properties: [string, string | number][] = [['file', path]];
  if (line !== undefined) {
    properties.push(['line', line], ['endLine', line]);
    // Both ends are inside: three characters from column 7 end in column 9.
    if (column !== undefined) properties.push(['col', column], ['endColumn', column + Math.max(length - 1, 0)]);
  }
  properties.push(['title', problem.code]);
  const hint = problem.hint === undefined ? [] : [`hint: ${problem.hint}`];
  const text = [problem.message, ...hint.flatMap((lines) => lines.split(/\r?\n/))].map(escapeText).join('\n');
  return formatCommand(problem.severity, properties, text);
}

/** An annotation as a workflow command, on one line. `text` is safe to show, and may have several lines. */
export function formatCommand(
  command: 'error' | 'warning' | 'notice',
  properties: readonly (readonly [string, string | number])[],
  text: string,
): string {
  const shown = properties.map(([key, value]) => `${key}=${escapeProperty(escapeText(String(value)))}`);
  return `::${command} ${shown.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
