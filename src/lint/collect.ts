import { sayUnlisted } from '../messages/say.ts';
import { MAX_LISTED, type Problem } from '../problems.ts';

/** Gathers problems of one code in one file. */
export interface Collected {
  /** `make` is called for what is listed: a text of many megabytes may hold a million problems. */
  add(make: () => Problem): void;
  toList(): Problem[];
}

/** Makes the first {@link MAX_LISTED} problems, and counts the others. */
export function collectProblems(): Collected {
  const listed: Problem[] = [];
  let count = 0;
  return {
    add(make) {
      count++;
      // one more is made, whose place stands for that of the others
      if (count <= MAX_LISTED + 1) listed.push(make());
    },
    toList() {
      const first = listed[MAX_LISTED];
      if (first === undefined || count === MAX_LISTED + 1) return listed;
      return [...listed.slice(0, MAX_LISTED), sayUnlisted(first, count - MAX_LISTED)];
    },
  };
}
