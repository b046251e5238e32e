import { toRootLabel } from '../disk/roots.ts';
import type { RootReport } from '../judge/judge.ts';
import { say } from '../messages/say.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';

/**
 * Code points of names and descriptions that hosts give a listing: 1 to 2 % of the model's context, and 8,000 characters where it is
 * unknown or of the common size. What goes beyond is cut, or shown without its description.
 */
const BUDGET = 8000;

/** How many of the longest descriptions a hint names. */
const SHOWN = 3;

/** Reports a listing that is longer than hosts show, on the first root: it is a matter of all skills that are served together. */
export function lintListing(reports: readonly RootReport[]): Problem[][] {
  const lengths = reports.flatMap(({ skills }) =>
    skills.flatMap(({ pinned }) => {
      if (pinned === undefined) return [];
      const { name, description } = pinned.entry.frontmatter;
      return [{ name, length: countCharacters(name) + countCharacters(description) }];
    }),
  );
  const total = lengths.reduce((sum, { length }) => sum + length, 0);
  if (total <= BUDGET) return reports.map(() => []);
  const longest = lengths.sort((a, b) => b.length - a.length || compareText(a.name, b.name)).slice(0, SHOWN);
  const args = { skills: lengths.length, characters: total, budget: BUDGET, repair: { longest } };
  const problem = toProblem({ ...say('listing-budget', args), path: '.' });
  return reports.map(({ root }, at) => (at === 0 ? [{ ...problem, root: toRootLabel(root) }] : []));
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
