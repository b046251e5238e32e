import { sayUnlisted } from '../messages/say.ts';
import { compareProblems, compareText, MAX_LISTED, type Problem } from '../problems.ts';

/**
 * The folder that the path of a problem is relative to, as the reader would write it: one for all, or one for each problem
 * where there are several roots. `''` and `'.'` leave the path as it is.
 */
export type Base = string | ((problem: Problem) => string);

/** A problem and the path that the reader sees. */
export interface PlacedProblem {
  readonly problem: Problem;
  readonly base: string;
  readonly path: string;
}

/**
 * Sorted by root, then as `compareProblems` says; a problem that says the same as another is dropped. Of one code in one file the first
 * {@link MAX_LISTED} are listed, and the others are one problem that counts them.
 */
export function arrangeProblems(problems: readonly Problem[], base: Base = ''): PlacedProblem[] {
  const placed = problems.map((problem) => {
    const root = typeof base === 'string' ? base : base(problem);
    return { problem, base: root, path: joinPath(root, problem.path) };
  });
  placed.sort(comparePlaced);
  const distinct = placed.filter((each, at) => {
    const previous = placed[at - 1];
    return previous === undefined || comparePlaced(previous, each) !== 0;
  });
  return boundCodes(distinct);
}

function boundCodes(placed: readonly PlacedProblem[]): PlacedProblem[] {
  const groups = new Map<string, { listed: number; left: number; count: number }>();
  const groupOf = ({ problem, path }: PlacedProblem) => {
    const key = `${problem.severity} ${problem.code} ${path}`;
    const known = groups.get(key);
    const group = known ?? { listed: 0, left: 0, count: 0 };
    if (known === undefined) groups.set(key, group);
    return group;
  };
  for (const each of placed) {
    const group = groupOf(each);
    if (group.listed < MAX_LISTED) group.listed++;
    else {
      group.left++;
      group.count += each.problem.count ?? 1;
    }
  }
  const room = new Map<object, number>();
  return placed.flatMap((each) => {
    const group = groupOf(each);
    const at = room.get(group) ?? 0;
    room.set(group, at + 1);
    // a single one is listed: to count it would take as much room
    if (at < MAX_LISTED || group.left === 1) return [each];
    return at === MAX_LISTED ? [{ ...each, problem: sayUnlisted(each.problem, group.count) }] : [];
  });
}

/** So many of them at most, in their order: a warning only where there is room for every error. */
export function limitProblems(
  placed: readonly PlacedProblem[],
  max = Number.POSITIVE_INFINITY,
): readonly PlacedProblem[] {
  if (placed.length <= max) return placed;
  const errors = placed.filter(({ problem }) => problem.severity === 'error').length;
  const room = { error: max, warning: max - errors };
  return placed.filter(({ problem }) => room[problem.severity]-- > 0);
}

/** How many problems are not among those that are shown. */
export function countRest(placed: readonly PlacedProblem[], shown: readonly PlacedProblem[]): number {
  const count = (some: readonly PlacedProblem[]) => some.reduce((sum, { problem }) => sum + (problem.count ?? 1), 0);
  return count(placed) - count(shown);
}

/** How many are errors and how many warnings. */
export function countProblems(placed: readonly PlacedProblem[]): { errors: number; warnings: number } {
  const counts = { error: 0, warning: 0 };
  for (const { problem } of placed) counts[problem.severity] += problem.count ?? 1;
  return { errors: counts.error, warnings: counts.warning };
}

function joinPath(base: string, path: string): string {
  if (base === '' || base === '.') return path;
  // a source ends at a colon: git:repository#main:
  if (path === '.') return base.replace(/(?<=.):$/, '');
  return /[/:]$/.test(base) ? base + path : `${base}/${path}`;
}

// Goes on where compareProblems stops, so that the order is total and equal problems are neighbours.
function comparePlaced(a: PlacedProblem, b: PlacedProblem): number {
  return (
    compareText(a.base, b.base) ||
    compareProblems(a.problem, b.problem) ||
    compareText(a.problem.severity, b.problem.severity) ||
    compareText(a.problem.hint ?? '', b.problem.hint ?? '') ||
    (a.problem.length ?? 0) - (b.problem.length ?? 0) ||
    compareText(a.problem.skill ?? '', b.problem.skill ?? '')
  );
}
