import { arrangeProblems } from '../report/arrange.ts';
import type { Failure } from '../stdio/failure.ts';
import { countOf } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import type { Judged } from './judging.ts';

/** Problems that a client gets as data. */
const MOST_PROBLEMS = 20;

/** What a client is answered where nothing is published: the first error with its hint in one line, and all of them as data. */
export function describeFailure({ problems }: Judged): Failure {
  const errors = arrangeProblems(
    problems.filter(({ severity }) => severity === 'error'),
    ({ root = '' }) => root,
  );
  const [first] = errors;
  if (first === undefined) return { message: 'no skills are served' };
  const { line, column, message, hint } = first.problem;
  const place = [first.path, line, column].filter((part) => part !== undefined).join(':');
  const advice = hint === undefined ? '' : `; ${hint}`;
  const more = errors.length === 1 ? '' : ` (1 of ${countOf(errors.length, 'error')})`;
  const shown = errors.slice(0, MOST_PROBLEMS).map(({ path, problem: { code, line, column, message, hint } }) => ({
    code,
    path: escapeText(path),
    line,
    column,
    message: escapeText(message),
    ...(hint === undefined ? {} : { hint: escapeText(hint) }),
  }));
  const left = errors.length - shown.length;
  return {
    message: escapeText(`no skills are served: ${place}: ${message}${advice}${more}`),
    data: { problems: shown, ...(left === 0 ? {} : { moreProblems: left }) },
  };
}
