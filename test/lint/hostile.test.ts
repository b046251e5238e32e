import { describe, expect, test } from 'vitest';
import { openFolder } from '../../src/disk/open.ts';
import { judgeFrontmatter } from '../../src/judge/document.ts';
import { guardLint, toLint } from '../../src/lint/lint.ts';
import { toMask } from '../../src/lint/secrets.ts';
import type { Problem } from '../../src/problems.ts';
import { LINEAR, measureTextGrowth } from '../growth.ts';
import { makeTree, skillMd } from '../tree.ts';

// In pieces, so that no scanner takes the test for the real thing.
const join = (...parts: string[]) => parts.join('');

/** What the lints find in a SKILL.md with this body, and in another file. */
function lintBody(body: string, other = ''): readonly Problem[] {
  const bytes = Buffer.from(skillMd('a', undefined, body));
  const where = { path: 'a/SKILL.md', skill: 'skill://a/SKILL.md' };
  const files = [
    { path: 'a/SKILL.md', bytes },
    { path: 'a/other.md', bytes: Buffer.from(other) },
  ];
  const skill = {
    uri: where.skill,
    path: 'a',
    name: 'a',
    skillFile: 'SKILL.md',
    files,
    fileCount: 2,
    byteCount: 0,
    hidden: [],
    problems: [],
  };
  return toLint(openFolder(makeTree({})))(skill, judgeFrontmatter(bytes, where));
}

describe('takes linear time, whatever the text', () => {
  let state = 7;
  const random = (letters: string, length: number) =>
    Array.from({ length }, () => {
      state = (state * 48271) % 2147483647;
      return letters[state % letters.length];
    }).join('');
  const distinct = (piece: () => string) => {
    const pieces = Array.from({ length: 4096 }, piece);
    return (length: number) => Array.from({ length: length / 4096 }, (_, at) => pieces[at % 4096]).join('');
  };
  const repeated =
    (piece: string, before = '', after = '') =>
    (length: number) =>
      before + piece.repeat(length / piece.length) + after;
  const numbered = (make: (at: number) => string) => (length: number) =>
    Array.from({ length: length / 16 }, (_, at) => make(at)).join('');
  const TEXTS: Readonly<Record<string, (length: number) => string>> = {
    'a title that is never closed': repeated(' ', '[a]: x "', '\rx'),
    'lines that end in CR': repeated('\r[', '', ']: x'),
    'lines that end in U+2028': repeated('\u2028[', '', ']: x'),
    'a chain of ../ in a link': repeated('../', '[x](', 'x)'),
    'folders in a link': repeated('a/../', '[x](', '../x)'),
    'one long link': repeated('x', '[x](', '.md)'),
    'distinct links': numbered((at) => `[](${at}.md) `),
    'distinct words': numbered((at) => `[](x${at}) `),
    'distinct paths in code': numbered((at) => `\`references/${at}.md\` `),
    'a path without an end': repeated('a.', '`references/', '`'),
    variables: repeated('{baseDir}/x $ARGUMENTS '),
    'a folder of a host': repeated('a', '~/.claude/skills/a/'),
    comments: repeated('<!-- you must -->'),
    'a comment of many lines': repeated('x\n', '<!--', '-->'),
    'keys of AWS': distinct(() => `${join('AK', 'IA')}${random('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)} `),
    'links that hold keys of AWS': distinct(
      () => `[](${join('AK', 'IA')}${random('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}.md) `,
    ),
    'marks of Slack': repeated(join('xo', 'xa-xo', 'xb-xo', 'xp-xo', 'xe-')),
    'a token of Slack without an end': repeated('a', join('xo', 'xa-xo', 'xb-xo', 'xp-xo', 'xe-')),
    'headers of private keys': repeated(join('-----BEGIN PRIV', 'ATE KEY-----\n')),
    'lines below the header of a private key': repeated('a: >>>>>>>>> ', join('-----BEGIN PRIV', 'ATE KEY-----\n')),
    'blanks below the header of a private key': repeated(' ', join('-----BEGIN PRIV', 'ATE KEY-----\na: b\n')),
    'beginnings of web tokens': repeated(join('ey', 'JaaaaaaaaaaaaaaA.')),
    'beginnings of API keys': repeated('sk-'),
  };

  test.each(Object.entries(TEXTS))('%s', async (_, make) => {
    expect(await measureTextGrowth((length) => lintBody(make(length), make(length)))).toBeLessThan(LINEAR);
    expect(
      await measureTextGrowth((length) => {
        const text = make(length);
        return toMask(text)(text);
      }),
    ).toBeLessThan(LINEAR);
  });
});

describe('a file that is made to end the check', () => {
  const MIB = 1024 * 1024;
  const slack = join('xo', 'xa-xo', 'xb-xo', 'xp-xo', 'xe-');

  test.each([
    ['a token without an end', slack + 'a'.repeat(8 * MIB)],
    ['a line of list items', '- '.repeat(4 * MIB)],
    ['a line of quotes', '> '.repeat(4 * MIB)],
    [
      'blanks below the header of a private key',
      `${join('-----BEGIN PRIV', 'ATE KEY-----\na: b\n')}${' '.repeat(8 * MIB)}`,
    ],
    ['a path without an end', `\`references/${'a.'.repeat(4 * MIB)}\``],
  ])('%s', (_, text) => {
    const codes = lintBody(`${text}\n\n[x](no.md)\n`).map(({ code }) => code);
    expect(codes.filter((code) => code !== 'skill-long')).toEqual(['broken-link']);
  });

  test('by a million of links costs a hundred problems and a count', () => {
    const links = Array.from({ length: 100_000 }, (_, at) => `[](${at}.md)`).join('\n');
    const problems = lintBody(links).filter(({ code }) => code === 'broken-link');
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toEqual({
      code: 'broken-link',
      severity: 'warning',
      path: 'a/SKILL.md',
      line: 106,
      column: 4,
      length: 6,
      args: { variant: 'unlisted', count: 99_900 },
      message: 'and 99900 more in this file, which are counted and not listed',
      skill: 'skill://a/SKILL.md',
      count: 99_900,
    });
  });

  test('costs what a lint would have found in it, and nothing else', () => {
    const skill = { uri: 'skill://a/SKILL.md' };
    const fail = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    expect(guardLint(skill, 'a/x.md', fail)).toEqual([
      {
        code: 'lint-failed',
        severity: 'warning',
        path: 'a/x.md',
        args: { reason: 'Maximum call stack size exceeded', repair: { path: 'a/x.md' } },
        message: 'the file could not be checked to the end: Maximum call stack size exceeded',
        hint: "split the file, or leave it out with --exclude 'a/x.md'",
        skill: 'skill://a/SKILL.md',
      },
    ]);
  });
});
