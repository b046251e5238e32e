import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { type Problem, type ProblemInit, toProblem } from '../../src/problems.ts';
import { formatPretty } from '../../src/report/pretty.ts';
import { escapeText } from '../../src/text/escape.ts';
import { LINEAR, measureGrowth } from '../growth.ts';

const ESC = '\u001b';
const RLO = '\u202e';
const FAMILY = '👩\u200d👩\u200d👧\u200d👦';

function makeProblem(init: Partial<ProblemInit> = {}): Problem {
  return toProblem({ code: 'name-mismatch', path: 'b/SKILL.md', message: 'wrong', ...init });
}

/** The problem of the first place where `value` stands in `line`, printed under that line alone. */
function frame(line: string, value: string): string[] {
  const problem = makeProblem({ line: 1, column: line.indexOf(value) + 1, length: value.length });
  return formatPretty([problem], { sourceOf: () => line })
    .trimEnd()
    .split('\n')
    .slice(1);
}

describe('formatPretty', () => {
  it('shows place, message, source line, hint and a summary', () => {
    const source = '---\nname: acme-banner\ndescription: d\n---\n';
    const problems = [
      makeProblem({
        line: 2,
        column: 7,
        length: 11,
        message: 'name "acme-banner" is not the folder\'s name "banner"',
        hint: 'write\nname: banner\nor rename the folder',
        path: 'banner/SKILL.md',
      }),
      toProblem({ code: 'group-empty', path: 'lost', message: 'the folder holds no skill' }),
      toProblem({ code: 'hidden-skipped', path: 'ok', message: 'skipped 1 hidden file', hint: 'rename it' }),
    ];
    const text = formatPretty(problems, {
      base: './skills',
      sourceOf: (problem) => (problem.path === 'banner/SKILL.md' ? source : undefined),
      skills: [{ published: true }, { published: false }, { published: true }],
    });
    expect(
      text,
    ).toBe(`./skills/banner/SKILL.md:2:7: error: name "acme-banner" is not the folder's name "banner" [name-mismatch]
2 | name: acme-banner
  |       ^~~~~~~~~~~
  = hint: write
          name: banner
          or rename the folder

./skills/lost: error: the folder holds no skill [group-empty]

./skills/ok: warning: skipped 1 hidden file [hidden-skipped]
  = hint: rename it

2 skills would be published, 1 not; 2 errors, 1 warning
`);
  });

  it('prints only lines and hints without sources and skills', () => {
    const problems = [
      makeProblem({ line: 3, message: 'later' }),
      makeProblem({ line: 2, column: 7, length: 3, hint: 'write `name: b`' }),
      toProblem({ code: 'root-empty', path: '.', message: 'no skill here' }),
    ];
    expect(formatPretty(problems)).toBe(`.: error: no skill here [root-empty]
b/SKILL.md:2:7: error: wrong [name-mismatch]
  = hint: write \`name: b\`
b/SKILL.md:3: error: later [name-mismatch]
`);
  });

  it('is empty where there is nothing to say', () => {
    expect(formatPretty([])).toBe('');
    expect(formatPretty([], { skills: [{ published: true }] })).toBe(
      '1 skill would be published, 0 not; 0 errors, 0 warnings\n',
    );
  });

  it('says nothing twice, and keeps what differs in the hint', () => {
    const problem = makeProblem({ line: 2, column: 7, hint: 'one' });
    const other = makeProblem({ line: 2, column: 7, hint: 'two' });
    expect(
      formatPretty([problem, other, { ...problem }, { ...other }]),
    ).toBe(`b/SKILL.md:2:7: error: wrong [name-mismatch]
  = hint: one
b/SKILL.md:2:7: error: wrong [name-mismatch]
  = hint: two
`);
  });

  it('shows every root as it was given, one after the other', () => {
    const a = makeProblem({ path: 'z/SKILL.md' });
    const b = makeProblem({ path: 'a/SKILL.md' });
    const c = makeProblem({ path: '.' });
    const bases = new Map([
      [a, 'one/'],
      [b, '/two'],
      [c, 'one/'],
    ]);
    expect(
      formatPretty([a, b, c], { base: (problem) => bases.get(problem) ?? '' }),
    ).toBe(`/two/a/SKILL.md: error: wrong [name-mismatch]
one/: error: wrong [name-mismatch]
one/z/SKILL.md: error: wrong [name-mismatch]
`);
  });

  it('stops at max and counts the rest', () => {
    const problems = [1, 2, 3].map((line) => makeProblem({ line }));
    expect(formatPretty(problems, { max: 1, skills: [] })).toBe(`b/SKILL.md:1: error: wrong [name-mismatch]
and 2 more problems
0 skills would be published, 0 not; 3 errors, 0 warnings
`);
    expect(formatPretty(problems, { max: 2 })).toContain('\nand 1 more problem\n');
    expect(formatPretty(problems, { max: 3 })).not.toContain('more');
  });

  it('colours when asked to', () => {
    const problem = makeProblem({ line: 1, column: 7, length: 3, hint: 'write b\nthere' });
    expect(formatPretty([problem], { color: true, sourceOf: () => 'name: foo' })).toBe(
      [
        `${ESC}[1mb/SKILL.md:1:7:${ESC}[0m ${ESC}[1;31merror:${ESC}[0m wrong ${ESC}[2m[name-mismatch]${ESC}[0m`,
        `${ESC}[2m1 |${ESC}[0m name: foo`,
        `${ESC}[2m  |${ESC}[0m       ${ESC}[1;31m^~~${ESC}[0m`,
        `${ESC}[36m  = hint:${ESC}[0m write b`,
        '          there',
        '',
      ].join('\n'),
    );
  });

  it('never sends what is hidden', () => {
    const problem = makeProblem({
      path: `a${RLO}b/${ESC}]0;x\u0007.md`,
      line: 1,
      column: 1,
      length: 1,
      message: `value "${ESC}[2J\u{e0069}\r\n\ud800"`,
      hint: `write "\u009b31m"\nand\u2066 more\ttabs`,
    });
    expect(
      formatPretty([problem], { base: `s\u200b`, sourceOf: () => `${ESC}[31m\u0000\ufeff\u00a0x\u007f\rz` }),
    ).toBe(String.raw`s\u{200b}/a\u{202e}b/\u{1b}]0;x\u{7}.md:1:1: error: value "\u{1b}[2J\u{e0069}\u{d}\u{a}\u{d800}" [name-mismatch]
1 | \u{1b}[31m\u{0}\u{feff}\u{a0}x\u{7f}\u{d}z
  | ^~~~~~
  = hint: write "\u{9b}31m"
          and\u{2066} more\u{9}tabs
`);
  });

  it('starts no line like a workflow command', () => {
    const line = 'name: ##[add-mask]ab ##[';
    const other = makeProblem({ path: '##[group]x', line: 1, column: 19, length: 2, message: '##[error]m' });
    expect(formatPretty([{ ...other, hint: 'write\n##[x]' }], { sourceOf: () => line })).toBe(
      String.raw`##\u{5b}group]x:1:19: error: ##\u{5b}error]m [name-mismatch]
1 | name: ##\u{5b}add-mask]ab ##\u{5b}
  |                        ^~
  = hint: write
          ##\u{5b}x]
`,
    );
    const text = formatPretty([makeProblem({ path: '::stop-commands::x', hint: 'write\n  ::add-mask::a' })]);
    expect(text).toBe(String.raw`\u{3a}:stop-commands::x: error: wrong [name-mismatch]
  = hint: write
            \u{3a}:add-mask::a
`);
  });

  it('leaves the source line out where the text has no such line', () => {
    const text = formatPretty([makeProblem({ line: 3, column: 1 })], { sourceOf: () => 'one\ntwo' });
    expect(text).toBe('b/SKILL.md:3:1: error: wrong [name-mismatch]\n');
  });
});

describe('the marks under the value', () => {
  it.each([
    ['tabs', '\tkey:\tyes', 'yes', '1 |     key:    yes', '  |             ^~~'],
    ['wide characters before', '値段: yes', 'yes', '1 | 値段: yes', '  |       ^~~'],
    ['a wide value', 'a: 値段 x', '値段', '1 | a: 値段 x', '  |    ^~~~'],
    ['one emoji of many parts', `a: ${FAMILY} x`, FAMILY, `1 | a: ${FAMILY} x`, '  |    ^~'],
    ['an emoji of many parts before', `${FAMILY}: x`, 'x', `1 | ${FAMILY}: x`, '  |     ^'],
    ['combining marks', 'cafe\u0301: no', 'no', '1 | cafe\u0301: no', '  |       ^~'],
    ['a part of a character', 'e\u0301x', '\u0301', '1 | e\u0301x', '  | ^'],
    ['a mark with nothing below', '\u0301x', 'x', '1 | ◌\u0301x', '  |  ^'],
    ['a prefixed digit', '\u06001x', 'x', '1 | \u06001x', '  |  ^'],
    ['a bidirectional override', `a: ${RLO}yes`, RLO, '1 | a: \\u{202e}yes', '  |    ^~~~~~~~'],
    ['an escape sequence before', `${ESC}[1m: yes`, 'yes', '1 | \\u{1b}[1m: yes', '  |            ^~~'],
    ['tag characters', 'a\u{e0061}\u{e0062}: x', 'x', '1 | a\\u{e0061}\\u{e0062}: x', `  | ${' '.repeat(21)}^`],
    [
      'a hidden character behind a visible one',
      `${FAMILY}\u{e0061}\u{e0062}`,
      '\u{e0062}',
      `1 | ${FAMILY}\\u{e0061}\\u{e0062}`,
      '  |            ^~~~~~~~~',
    ],
    [
      'idle selectors',
      'a1\ufe0fb ❤\ufe0f\ufe0f 1\ufe0f\u20e3 x',
      'x',
      '1 | a1\\u{fe0f}b ❤\ufe0f\\u{fe0f} 1\ufe0f\u20e3 x',
      `  | ${' '.repeat(26)}^`,
    ],
    ['working joiners', 'می\u200cخواهم x', 'x', '1 | می\u200cخواهم x', '  |         ^'],
    ['idle joiners', 'a\u200db x', 'x', '1 | a\\u{200d}b x', '  |            ^'],
    ['nothing at the end of the line', 'a: ', '', '1 | a:', '  | ^'],
  ])('fit %s', (_, line, value, shown, marks) => {
    expect(frame(line, value)).toEqual([shown, marks]);
  });

  it.each([
    ['an empty value at the end of the line', 8, 0, '  |        ^'],
    ['a column behind the end', 99, 5, '  |        ^'],
    ['a length over the end', 3, 99, '  |   ^~~~~'],
    ['no length', 3, undefined, '  |   ^'],
  ])('stay on the line: %s', (_, column, length, marks) => {
    const problem = makeProblem({ line: 1, column, ...(length === undefined ? {} : { length }) });
    expect(formatPretty([problem], { sourceOf: () => 'empty: \r\nb' })).toBe(
      `b/SKILL.md:1:${column}: error: wrong [name-mismatch]\n1 | empty:\n${marks}\n`,
    );
  });

  it('ignore both kinds of line break', () => {
    const problem = makeProblem({ line: 2, column: 7, length: 3 });
    const expected = 'b/SKILL.md:2:7: error: wrong [name-mismatch]\n2 | name: foo\n  |       ^~~\n';
    expect(formatPretty([problem], { sourceOf: () => '---\nname: foo\n---' })).toBe(expected);
    expect(formatPretty([problem], { sourceOf: () => '---\r\nname: foo\r\n---' })).toBe(expected);
  });
});

describe('long lines', () => {
  const words = 'word '.repeat(1000);

  it('are cut around the value', () => {
    const line = `${words}HERE ${words}`;
    expect(frame(line, 'HERE')).toEqual([
      `1 | …${words.slice(-35)}HERE ${words.slice(0, 34)}…`,
      `  | ${' '.repeat(36)}^~~~`,
    ]);
  });

  it('keep their beginning where the value is near to it, and the key before a long value', () => {
    expect(frame(`key: yes ${words}`, 'yes')).toEqual([`1 | key: yes ${words.slice(0, 66)}…`, '  |      ^~~']);
    expect(frame(`description: ${words}`, words)).toEqual([
      `1 | description: ${words.slice(0, 60)}…`,
      `  |              ^${'~'.repeat(59)}`,
    ]);
  });

  it('are cut inside a run of hidden characters', () => {
    const hidden = '\u{e0061}'.repeat(2000);
    const problem = makeProblem({ line: 1, column: 5, length: hidden.length });
    expect(
      formatPretty([problem], { sourceOf: () => `a: x${hidden}` })
        .split('\n')
        .slice(1, 3),
    ).toEqual([`1 | a: x${'\\u{e0061}'.repeat(7)}…`, `  |     ^${'~'.repeat(62)}`]);
  });

  it('keep their end where the value is near to it', () => {
    expect(frame(`${words}yes`, 'yes')).toEqual([`1 | …${words.slice(-72)}yes`, `  | ${' '.repeat(73)}^~~`]);
    expect(frame(`${words}値`, '値')).toEqual([`1 | …${words.slice(-73)}値`, `  | ${' '.repeat(74)}^~`]);
  });

  it('stay below 80 columns with the marks in place, whatever stands in them', () => {
    const parts = [
      'a',
      ' ',
      '値',
      'é',
      'e\u0301',
      FAMILY,
      '❤️',
      '\t',
      RLO,
      '\u{e0061}',
      '한',
      'ﾊﾞ',
      '1️⃣',
      '🇩🇪',
      'z\u200b',
      '…',
    ];
    let state = 7;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    for (let round = 0; round < 500; round++) {
      const pick = () => Array.from({ length: random(60) }, () => parts[random(parts.length)]).join('');
      // Spaces keep the neighbours from joining the value, which would then be shown with them.
      const [before, value, behind] = [
        `${pick()} `,
        `<${pick()
          .slice(0, 12)
          .replace(/\p{Cs}/gu, '')}>`,
        ` ${pick()}`,
      ];
      const problem = makeProblem({ line: 1, column: before.length + 1, length: value.length });
      const text = formatPretty([problem], { sourceOf: () => before + value + behind });
      const [, row = '', marks = ''] = text.split('\n');
      expect(stringWidth(row)).toBeLessThanOrEqual(80);
      const shown = value.split('\t').map(escapeText).join('    ');
      const at = row.indexOf('<');
      expect(stringWidth(row.slice(0, at))).toBe(marks.indexOf('^'));
      if (row.includes(shown)) expect(marks.trimStart().slice(1).trim()).toHaveLength(stringWidth(shown));
    }
  });
});

describe('many problems', () => {
  // of one file they would be counted above a hundred
  const toPath = (at: number): string => `${String(at).padStart(5, '0')}.md`;

  it('of one long text take linear time', async () => {
    const print = (times: number) => {
      const lines = Array.from({ length: times * 1250 }, (_, at) => `key${at}: 値 yes`);
      const problems = lines.map((line, at) =>
        makeProblem({ path: toPath(at), line: at + 1, column: line.length - 2, length: 3, hint: 'quote it' }),
      );
      const source = lines.join('\n');
      return formatPretty(problems.reverse(), { sourceOf: () => source });
    };
    const text = print(8);
    expect(text.split('\n')).toHaveLength(50_000);
    expect(text.slice(-150)).toContain('10000 | key9999: 値 yes\n      |             ^~~\n      = hint: quote it\n');
    expect(await measureGrowth(print)).toBeLessThan(LINEAR);
  });

  it.each([
    ['wide characters', '値 yes ', 600],
    ['invisible characters', '\u{e0061}', 600],
  ])('of one long line of %s take linear time', async (_, piece, count) => {
    const print = (times: number) => {
      const line = `a: ${piece.repeat(times * count)}`;
      const problems = Array.from({ length: times * count }, (_, at) =>
        makeProblem({ path: toPath(at), line: 1, column: at * piece.length + 4, length: piece.length }),
      );
      return formatPretty(problems, { sourceOf: () => line });
    };
    expect(print(8).split('\n')).toHaveLength(8 * count * 4);
    expect(await measureGrowth(print)).toBeLessThan(LINEAR);
  });
});
