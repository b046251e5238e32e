import type { Problem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { disarmLine, escapeText } from '../text/escape.ts';
import { arrangeProblems, type Base, countProblems, countRest, limitProblems, type PlacedProblem } from './arrange.ts';
import { createLineFinder, cutFrame } from './frame.ts';

export interface PrettyOptions {
  readonly base?: Base | undefined;
  /** The text of the file that a problem points at. Without it, or where it gives undefined, no source line is shown. */
  readonly sourceOf?: ((problem: Problem) => string | undefined) | undefined;
  /** Whether to colour; false by default. */
  readonly color?: boolean | undefined;
  /** How many problems to show; all by default. The summary counts all of them. */
  readonly max?: number | undefined;
  /** The skills that were judged: with them, a last line says how many would be published. */
  readonly skills?: readonly { readonly published: boolean }[] | undefined;
}

/** Columns of a row with a source line, the line number included. */
const COLUMNS = 80;

const BOLD = '1';
const DIM = '2';
const CYAN = '36';
const STYLES = { error: '1;31', warning: '1;33' } as const;

type Paint = (style: string, text: string) => string;

/**
 * For people: one line a problem, the source line with a mark under the value, the hint. Without `sourceOf` and `skills`
 * nothing but the lines and the hints; empty where there is nothing to say.
 */
export function formatPretty(problems: readonly Problem[], options: PrettyOptions = {}): string {
  const { sourceOf, color = false, max, skills } = options;
  const paint: Paint = color ? (style, text) => `\u001b[${style}m${text}\u001b[0m` : (_, text) => text;
  const placed = arrangeProblems(problems, options.base);
  const findLine = createLineFinder();
  const shown = limitProblems(placed, max);
  const blocks = shown.map((each) => formatProblem(each).join('\n'));
  const rest = formatRest(countRest(placed, shown));
  if (rest !== undefined) blocks.push(rest);
  if (skills !== undefined) blocks.push(formatSummary(placed, skills));
  if (blocks.length === 0) return '';
  return `${blocks.join(sourceOf === undefined ? '\n' : '\n\n')}\n`;

  function formatProblem({ problem, path }: PlacedProblem): string[] {
    const frame = formatFrame(problem);
    const place = [disarmLine(escapeText(path)), problem.line, problem.line && problem.column].filter(
      (part) => part !== undefined,
    );
    const head =
      `${paint(BOLD, `${place.join(':')}:`)} ${paint(STYLES[problem.severity], `${problem.severity}:`)} ` +
      `${escapeText(problem.message)} ${paint(DIM, `[${problem.code}]`)}`;
    const gutter = frame === undefined ? 1 : String(problem.line).length;
    return [head, ...(frame ?? []), ...formatHint(problem, `${' '.repeat(gutter)} = hint: `, paint)];
  }

  function formatFrame(problem: Problem): string[] | undefined {
    const { line, column, length } = problem;
    const source = line === undefined ? undefined : sourceOf?.(problem);
    if (source === undefined || line === undefined) return undefined;
    const range = findLine(source, line);
    if (range === undefined) return undefined;
    const number = String(line);
    const frame = cutFrame(source, range, (column ?? 1) - 1, length ?? 0, COLUMNS - number.length - 3);
    const shown = `${paint(DIM, `${number} |`)} ${frame.text}`.trimEnd();
    if (column === undefined) return [shown];
    const marks = paint(STYLES[problem.severity], `^${'~'.repeat(frame.width - 1)}`);
    return [shown, `${paint(DIM, `${' '.repeat(number.length)} |`)} ${' '.repeat(frame.indent)}${marks}`];
  }
}

/** What is said of problems that are not printed; undefined where there are none. */
export function formatRest(count: number): string | undefined {
  return count > 0 ? `and ${countOf(count, 'more problem')}` : undefined;
}

/** `4 skills would be published, 1 not; 2 errors, 0 warnings`. */
export function formatSummary(
  placed: readonly PlacedProblem[],
  skills: readonly { readonly published: boolean }[],
): string {
  const published = skills.filter((skill) => skill.published).length;
  const { errors, warnings } = countProblems(placed);
  return (
    `${countOf(published, 'skill')} would be published, ${skills.length - published} not; ` +
    `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}`
  );
}

function formatHint(problem: Problem, lead: string, paint: Paint): string[] {
  if (problem.hint === undefined) return [];
  return problem.hint.split(/\r?\n/).map((line, at) => {
    const shown = disarmLine(escapeText(line));
    return at === 0 ? `${paint(CYAN, lead.trimEnd())} ${shown}` : `${' '.repeat(lead.length)}${shown}`.trimEnd();
  });
}
