import { describe, expect, test } from 'vitest';
import { judgeSkills } from '../../src/catalog/reports.ts';
import { toLint } from '../../src/lint/lint.ts';
import { lintListing } from '../../src/lint/listing.ts';
import { toMask } from '../../src/lint/secrets.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

const join = (...parts: string[]) => parts.join('');
// In pieces, so that no scanner takes the test for the real thing.
const GITHUB = join('gh', 'p_', 'R7bXk2LmQ9vT4wYz8NcP3sDf6HjA1gUeKoIq');
const AWS = join('AK', 'IA', 'QX7TZM4LRN2WYB3C');
const OPENAI = join('s', 'k-proj-', 'Tz8Q2mLw9XbVn4RkYc7HsJdP3fGaUe6oIq1ZtMx5');
const SLACK = join('xo', 'xb-', '2839471650-5938271640-Qw7ErTy2UiOp9AsDf');
const JWT = join('ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JyYW5kb20iOiJub25lIn0.', 'q8ZtY2mLw9XbVn4RkYc7HsJdP3fGaUe6');
const KEY = join(
  '-----BEGIN RSA PRIV',
  'ATE KEY-----\n',
  'MIIEpAIBAAKCAQEAx7QmZtY2wLw9XbVn4RkYc7HsJdP3fGaUe6oIq1\n',
  '-----END',
);

async function lint(nodes: Readonly<Record<string, Node>>, exclude: string[] = []) {
  const reports = await judgeSkills(makeTree(nodes), { toLint, exclude });
  return reports.flatMap(({ problems }) => problems);
}

const linesOf = async (nodes: Readonly<Record<string, Node>>) =>
  (await lint(nodes)).map(({ code, path, line, column, length }) => `${code} ${path}:${line}:${column}+${length}`);

describe('secrets', () => {
  test('are found by kind and place, and never printed', async () => {
    const problems = await lint({
      'a/SKILL.md': skillMd('a', undefined, `Use ${GITHUB} here.\n`),
      'a/e.json': `{"é": "${AWS}", "b": "${AWS}"}`,
      'a/keys.pem': `x\n${KEY}`,
      'a/all.txt': [OPENAI, SLACK, JWT].join('\r\n'),
    });
    expect(problems.map(({ code, path, line, column, length }) => [code, path, line, column, length])).toEqual([
      ['secret', 'a/SKILL.md', 6, 5, 40],
      ['secret', 'a/all.txt', 1, 1, OPENAI.length],
      ['secret', 'a/all.txt', 2, 1, SLACK.length],
      ['secret', 'a/all.txt', 3, 1, JWT.length],
      ['secret', 'a/e.json', 1, 8, 20],
      ['secret', 'a/keys.pem', 2, 1, 31],
    ]);
    const text = JSON.stringify(problems);
    for (const secret of [GITHUB, AWS, OPENAI, SLACK, JWT]) expect(text).not.toContain(secret.slice(4, 20));
    expect(problems[4]?.message).toContain('an AWS access key (2 of them in the file)');
    const source = `a ${GITHUB} b\n${KEY}\n`;
    const masked = toMask(source)(source);
    expect(masked).not.toMatch(/R7bXk2|MIIEpAI/);
    expect(masked).toHaveLength(source.length);
    expect(toMask(source)(`"see ${GITHUB.slice(0, 20)}..."`)).toBe(`"see ${'*'.repeat(23)}"`);
  });

  test('are not what documentation shows', async () => {
    const shown = [
      join('AK', 'IAIOSFODNN7EXAMPLE'),
      join('gh', 'p_', 'x'.repeat(36)),
      join('gh', 'p_', '1234567890abcdefghijklmnopqrstuvwxyz'),
      'sk-your-api-key-goes-here-and-nowhere-else',
      'risk-management-of-many-long-words-joined-by-hyphens',
      'sk-skeleton-loading-with-many-words-and-no-digit-at-all',
      'xoxb-your-token',
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      "if (text.includes('-----BEGIN RSA PRIVATE KEY-----')) return true; // and so on, for longer than a line",
      join(
        'ey',
        'JhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.ey',
        'JzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.',
        'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
      ),
      join('ey', 'Jub3QiOiJhIHRva2VuIGF0IGFsbCJ9.ey', 'JyYW5kb20iOiJub25lIn0.', 'q8ZtY2mLw9XbVn4RkYc7HsJdP3fGaUe6'),
    ];
    expect(
      await linesOf({
        'a/SKILL.md': skillMd('a'),
        'a/shown.txt': shown.join('\n'),
        'a/bytes.bin': Buffer.from(`\xff${GITHUB}`, 'latin1'),
      }),
    ).toEqual([]);
  });
});

describe('links', () => {
  test('to the files and folders of the skill are well', async () => {
    const body =
      '[a](b.md) [b](./b.md#part) [c](x/) [d](x/y.md?raw=1) [e](x/../b.md) [f](b%2Emd) [g](#part) [h](https://x.y/z.md) [i](mailto:a@b.c) [j](//x.y/z) [k](/z.md) [l](url) [m]({{path}}/x.md) [o](x/...)\n';
    expect(await linesOf({ 'a/SKILL.md': skillMd('a', undefined, body), 'a/b.md': '', 'a/x/y.md': '' })).toEqual([]);
  });

  test('are reported once for each target, at their first place', async () => {
    const body = '[a](no.md) [b](no.md#x)\n[c](./no.md)\n[d](NO2.md)\n';
    expect(await linesOf({ 'a/SKILL.md': skillMd('a', undefined, body), 'a/no2.md': '' })).toEqual([
      'broken-link a/SKILL.md:6:5+5',
      'broken-link a/SKILL.md:8:5+6',
    ]);
  });

  test('in a frontmatter, or in a SKILL.md that cannot be read, cost nothing', async () => {
    expect(await linesOf({ 'a/SKILL.md': skillMd('a', 'See [x](no.md).') })).toEqual([]);
    const problems = await lint({ 'a/SKILL.md': Buffer.from('\xff[x](no.md)', 'latin1') });
    expect(problems.map(({ code }) => code)).toEqual(['frontmatter-missing', 'not-utf8']);
  });
});

test('a SKILL.md of 500 lines is none too long', async () => {
  const lines = (count: number, end: string) => ({
    'a/SKILL.md': `${skillMd('a', undefined, '')}${'x\n'.repeat(count - 6)}x${end}`,
  });
  expect(await linesOf(lines(500, '\n'))).toEqual([]);
  expect(await linesOf(lines(500, ''))).toEqual([]);
  expect(await linesOf(lines(501, ''))).toEqual(['skill-long a/SKILL.md:undefined:undefined+undefined']);
});

test('names that Windows cannot hold are those of folders too, and of groups', async () => {
  const problems = await lint({
    'con/aux/SKILL.md': skillMd('aux'),
    'con/aux/console.md': '',
    'b/SKILL.md': skillMd('b'),
    'b/com1.tar.gz': '',
    'b/lpt.md': '',
  });
  expect([...new Set(problems.map(({ code, path, skill }) => `${code} ${path} ${skill ?? '-'}`))]).toEqual([
    'windows-name b/com1.tar.gz skill://b/SKILL.md',
    'windows-name con -',
  ]);
});

test('a listing counts the code points of what would be published', async () => {
  const nodes = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [`s${at}/SKILL.md`, skillMd(`s${at}`, '🚀'.repeat(998))]),
  );
  const total = async (more: Record<string, string>) =>
    lintListing(await judgeSkills(makeTree({ ...nodes, ...more }))).flat();
  expect(await total({})).toEqual([]);
  expect((await total({ 't/SKILL.md': skillMd('t', 'd') })).map(({ code, path }) => [code, path])).toEqual([
    ['listing-budget', '.'],
  ]);
  expect(await total({ 't/SKILL.md': skillMd('other', 'd') })).toEqual([]);
});

test('serving does not pay for it', async () => {
  const reports = await judgeSkills(
    makeTree({ 'a/SKILL.md': skillMd('a', undefined, `[x](no.md) <!-- x --> ${GITHUB}`) }),
  );
  expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
});
