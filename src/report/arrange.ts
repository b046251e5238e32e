import { compareProblems, compareText, type Problem } from '../catalog/problems.ts';

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

/** Sorted by root, then as `compareProblems` says; a problem that says the same as another is dropped. */
export function arrangeProblems(problems: readonly Problem[], base: Base = ''): PlacedProblem[] {
  const placed = problems.map((problem) => {
    const root = typeof base === 'string' ? base : base(problem);
    return { problem, base: root, path: joinPath(root, problem.path) };
  });
  placed.sort(comparePlaced);
  return placed.filter((each, at) => {
    const previous = placed[at - 1];
    return previous === undefined || comparePlaced(previous, each) !== 0;
  });
}

/** So many of them at most, in their order: a warning only where there is room for every error. */
export function limitProblems(
  placed: readonly PlacedProblem[],
  max = Number.POSITIVE_INFINITY,
): readonly PlacedProblem[] {
  if (placed.length <= max) return placed;
  const room = { error: max, warning: max - countProblems(placed).errors };
  return placed.filter(({ problem }) => room[problem.severity]-- > 0);
}

/** How many are errors and how many warnings. */
export function countProblems(placed: readonly PlacedProblem[]): { errors: number; warnings: number } {
  let errors = 0;
  for (const { problem } of placed) if (problem.severity === 'error') errors++;
  return { errors, warnings: placed.length - errors };
}

function joinPath(base: string, path: string): string {
  if (base === '' || base === '.') return path;
  if (path === '.') return base;
  return base.endsWith('/') ? base + path : `${base}/${path}`;
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
