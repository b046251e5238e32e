import { expect, it } from 'vitest';
import { toProblem } from '../../src/problems.ts';
import { formatProblems } from '../../src/report/format.ts';
import { formatGithub } from '../../src/report/github.ts';

it('prints one annotation a problem', () => {
  const problems = [
    toProblem({
      code: 'name-mismatch',
      path: 'b/SKILL.md',
      line: 2,
      column: 7,
      length: 3,
      message: 'name "foo" is not 100% right: a, b',
      hint: 'write\n  name: b\r\nor\u001b[0m',
    }),
    toProblem({ code: 'description-missing', path: 'b/SKILL.md', line: 3, column: 1, length: 0, message: 'none' }),
    toProblem({ code: 'frontmatter-unclosed', path: 'b/SKILL.md', line: 4, message: 'open' }),
    toProblem({ code: 'hidden-skipped', path: 'a', message: 'skipped' }),
  ];
  const skills = [{ published: false }, { published: true }];
  expect(formatGithub(problems, { base: 'skills', skills })).toBe(
    String.raw`::warning file=skills/a,title=hidden-skipped::skipped
::error file=skills/b/SKILL.md,line=2,endLine=2,col=7,endColumn=9,title=name-mismatch::name "foo" is not 100%25 right: a, b%0Ahint: write%0A  name: b%0Aor\u{1b}[0m
::error file=skills/b/SKILL.md,line=3,endLine=3,col=1,endColumn=1,title=description-missing::none
::error file=skills/b/SKILL.md,line=4,endLine=4,title=frontmatter-unclosed::open
1 skill would be published, 1 not; 3 errors, 1 warning
`,
  );
});

it('escapes paths as properties, and lets nothing start a command of its own', () => {
  const path = 'a:b,c%\n::error::x\u202e';
  const problem = toProblem({ code: 'path-characters', path, message: 'bad\n::add-mask::x\r::stop' });
  expect(formatProblems([problem], { format: 'github' })).toBe(
    String.raw`::error file=a%3Ab%2Cc%25\u{a}%3A%3Aerror%3A%3Ax\u{202e},title=path-characters::bad\u{a}::add-mask::x\u{d}::stop
`,
  );
});

it('stops at max', () => {
  const problems = [1, 2, 3].map((line) => toProblem({ code: 'symlink', path: 'a', line, message: 'link' }));
  expect(formatGithub(problems, { max: 1 })).toBe(
    '::error file=a,line=1,endLine=1,title=symlink::link\n::notice::and 2 more problems\n',
  );
  expect(formatGithub([])).toBe('');
});
