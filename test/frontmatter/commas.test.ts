import { expect, test } from 'vitest';
import { judgeFrontmatter } from '../../src/judge/document.ts';
import type { Problem } from '../../src/problems.ts';
import { applyEdits } from '../../src/yaml/edits.ts';

const HEAD = '---\nname: x\ndescription: d\nallowed-tools: ';

/** The value after its repair, and the hint; undefined for what is not there. */
function judge(value: string): { hints: readonly (string | undefined)[]; repaired: string } {
  const text = `${HEAD}${value}\n---\n`;
  const { findings } = judgeFrontmatter(text);
  const commas = findings.filter(({ problem }) => problem.code === 'tools-commas');
  const repaired = applyEdits(
    text,
    commas.flatMap(({ edits }) => edits ?? []),
  );
  return { hints: commas.map(({ problem }) => problem.hint), repaired: repaired.slice(HEAD.length, -5) };
}

test.each([
  ['Read, Bash(git:*)', 'Read Bash(git:*)', 'Read Bash(git:*)'],
  ['Read,Write,Edit', 'Read Write Edit', 'Read Write Edit'],
  [
    '"Read, Bash(git add:*, git diff:*), Grep"',
    '"Read Bash(git add:*, git diff:*) Grep"',
    'Read Bash(git add:*, git diff:*) Grep',
  ],
  ["'Read , Write,'", "'Read Write'", 'Read Write'],
  ['>-\n  Read,\n  Bash(a, b)', '>-\n  Read\n  Bash(a, b)', 'Read Bash(a, b)'],
  ['Read,\n  Write, Edit', 'Read\n  Write Edit', 'Read Write Edit'],
  ['Read, Write # both', 'Read Write # both', 'Read Write'],
  ['mcp__a__b, WebFetch(domain:*.x.org)', 'mcp__a__b WebFetch(domain:*.x.org)', 'mcp__a__b WebFetch(domain:*.x.org)'],
])('%j becomes %j', (value, repaired, tools) => {
  expect(judge(value)).toEqual({ hints: [`write allowed-tools: "${tools}"`], repaired });
  const codesOf = (text: string) =>
    judgeFrontmatter(`${HEAD}${text}\n---\n`).findings.map(({ problem }) => problem.code);
  expect(codesOf(repaired).filter((code) => code !== 'comment-swallowed')).toEqual([]);
  expect(codesOf(`"${tools}"`)).toEqual([]);
});

test.each(['Read Write', 'Bash(a, b)', 'Read Bash(git add:*, git diff:*)', '""'])('%j has none', (value) => {
  expect(judge(value)).toEqual({ hints: [], repaired: value });
});

test.each(['Read, Bash(git', 'Read,', '"2026-01-01, 10:00:00"', 'Read, Bash(a))'])('%j has no safe repair', (value) => {
  expect(judge(value)).toEqual({ hints: ['write a space instead of each comma between tools'], repaired: value });
});

test('is a warning at the value, and a list has its own problem', () => {
  const [finding] = judgeFrontmatter(`${HEAD}Read, Write\n---\n`).findings;
  expect(finding?.problem).toEqual({
    code: 'tools-commas',
    args: { first: 'Read', repair: { text: '"Read Write"' } },
    severity: 'warning',
    path: 'SKILL.md',
    line: 4,
    column: 16,
    length: 11,
    message:
      'allowed-tools has commas between tools, and the specification separates them by spaces: a host that follows it looks for a tool "Read,"',
    hint: 'write allowed-tools: "Read Write"',
  } satisfies Problem);
  expect(judge('[Read, Write]').hints).toEqual([]);
});
