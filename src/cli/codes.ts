import type { Side } from '../judge/repairs.ts';
import { CODES, type Problem, type ProblemCode } from '../problems.ts';
import { countEdits } from '../text/distance.ts';

/** What is left of the problems that a reader wants to see. */
export interface CodeChoice {
  /** Empty: all. */
  readonly select: readonly ProblemCode[];
  readonly ignore: readonly ProblemCode[];
}

/** A code as it is spelled in the table, or the nearest ones. */
export function findCode(text: string): { code: ProblemCode } | { nearest: ProblemCode[] } {
  const codes = Object.keys(CODES) as ProblemCode[];
  const code = codes.find((each) => each === text);
  if (code !== undefined) return { code };
  const wanted = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const scored = codes
    .map((each) => ({ each, distance: each.includes(wanted) && wanted.length > 2 ? 1 : countEdits(wanted, each) }))
    .filter(({ each, distance }) => distance <= Math.max(2, each.length / 3))
    .sort((a, b) => a.distance - b.distance);
  return { nearest: scored.slice(0, 3).map(({ each }) => each) };
}

/** Whether a problem is chosen. That a root cannot be used cannot be ignored: nothing else is known of it then. */
export function isChosen({ code }: Problem, { select, ignore }: CodeChoice): boolean {
  if (code.startsWith('root-')) return true;
  return (select.length === 0 || select.includes(code)) && !ignore.includes(code);
}

/** Whether errors of this code keep skills from being published: what a host does not import is published all the same. */
export function isBlocking(code: ProblemCode): boolean {
  return CODES[code].severity === 'error' && !code.startsWith('host-');
}

/** Whether a problem is shown and counted. What keeps a skill from being published cannot be ignored: it would be missed later. */
export function isShown(problem: Problem, choice: CodeChoice): boolean {
  return isChosen(problem, isBlocking(problem.code) ? { ...choice, ignore: [] } : choice);
}

/** Whether a text is one of what `--fix` can be asked for. */
export function isSide(text: string): text is Side {
  return text === 'name' || text === 'folder' || text === 'metadata';
}
