import { expect, it } from 'vitest';
import { sayUnlisted } from '../../src/messages/say.ts';
import { MAX_LISTED, type Problem, toProblem } from '../../src/problems.ts';
import { formatProblems, type ReportFormat } from '../../src/report/format.ts';

const problemsOf = (count: number, path = 'a/SKILL.md'): Problem[] =>
  Array.from({ length: count }, (_, at) =>
    toProblem({
      code: 'yaml-ambiguous',
      path,
      line: at + 1,
      column: 1,
      length: 3,
      message: `value ${at}`,
      hint: 'quote it',
    }),
  );

const print = (problems: readonly Problem[], format: ReportFormat, max?: number): string =>
  formatProblems(problems, { format, max, skills: [] });

it('lists a hundred problems of one code in one file, and counts the others, in every format', () => {
  const problems = [...problemsOf(MAX_LISTED + 25), ...problemsOf(2, 'b/SKILL.md')];
  const more = 'and 25 more in this file, which are counted and not listed';
  const pretty = print(problems, 'pretty').split('\n');
  expect(pretty).toHaveLength(2 * MAX_LISTED + 1 + 4 + 2);
  expect(pretty[2 * MAX_LISTED]).toBe(`a/SKILL.md:101:1: error: ${more} [yaml-ambiguous]`);
  expect(pretty.at(-2)).toBe('0 skills would be published, 0 not; 127 errors, 0 warnings');

  const json = JSON.parse(print(problems, 'json'));
  expect(json.problems).toHaveLength(MAX_LISTED + 3);
  expect(json.problems[MAX_LISTED]).toEqual({
    code: 'yaml-ambiguous',
    severity: 'error',
    path: 'a/SKILL.md',
    line: 101,
    column: 1,
    length: 3,
    message: more,
    count: 25,
  });
  expect(json.summary.errors).toBe(127);

  expect(JSON.parse(print(problems, 'sarif')).runs[0].results[MAX_LISTED].message.text).toBe(more);
  expect(print(problems, 'github').split('\n')[MAX_LISTED]).toBe(
    `::error file=a/SKILL.md,line=101,endLine=101,col=1,endColumn=3,title=yaml-ambiguous::${more}`,
  );
});

it('lists one more instead of counting it', () => {
  expect(print(problemsOf(MAX_LISTED + 1), 'pretty')).toContain('a/SKILL.md:101:1: error: value 100 [yaml-ambiguous]');
});

it('counts what was counted before, and says how many problems are not printed', () => {
  const [first, second] = problemsOf(2) as [Problem, Problem];
  const text = print([first, sayUnlisted(second, 1_000_000)], 'pretty', 1);
  expect(text).toContain('and 1000000 more problems\n');
  expect(text).toContain('1000001 errors');
});
