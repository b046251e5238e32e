import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeSkills } from '../../src/catalog/reports.ts';
import { toLint } from '../../src/lint/lint.ts';
import { lintListing } from '../../src/lint/listing.ts';
import { toMask } from '../../src/lint/secrets.ts';
import { LINEAR, measureGrowth } from '../growth.ts';
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

  test('are found in whatever encoding a text has', async () => {
    const text = `é\nkey ${GITHUB}`;
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
    expect(
      await linesOf({
        'a/SKILL.md': skillMd('a'),
        'a/be.txt': Buffer.from(utf16).swap16(),
        'a/latin1.txt': Buffer.from(text, 'latin1'),
        'a/le.txt': utf16,
      }),
    ).toEqual(['secret a/be.txt:2:5+40', 'secret a/latin1.txt:2:5+40', 'secret a/le.txt:2:5+40']);
  });

  test('are found quoted, on one line, in code, and with blanks in a header', async () => {
    const [header = '', body = ''] = KEY.split('\n');
    const blank = (text: string) => Buffer.from(text).toString('base64url');
    const spaced = `${blank('{ "alg": "HS256" }')}.${blank('{ "random": "none", "a": 1 }')}.${JWT.split('.')[2]}`;
    const wrapped = `${blank('{\n  "alg": "HS256"\n}')}.${blank('{\n  "random": "none"\n}')}.${JWT.split('.')[2]}`;
    expect(
      await linesOf({
        'a/SKILL.md': skillMd('a'),
        'a/1.md': `> ${header}\n> Proc-Type: 4,ENCRYPTED\n>\n> ${body}\n`,
        'a/2.txt': header + body,
        'a/3.js': `'${header}\\n' +\n  '${body}\\n'`,
        'a/4.txt': spaced,
        'a/5.txt': wrapped,
      }),
    ).toEqual([
      'secret a/1.md:1:3+31',
      `secret a/2.txt:1:1+71`,
      'secret a/3.js:1:2+36',
      `secret a/4.txt:1:1+${spaced.length}`,
      `secret a/5.txt:1:1+${wrapped.length}`,
    ]);
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
        'a/bytes.bin': Buffer.from(`\xff\0${GITHUB}`, 'latin1'),
      }),
    ).toEqual([]);
  });
});

test('a file that looks like a key again and again is searched in linear time', async () => {
  const growth = await measureGrowth((times) =>
    lint({
      'a/SKILL.md': skillMd('a'),
      'a/k.md': join('-----BEGIN PRIV', 'ATE KEY-----\n', 'a: >>>>>>>>> '.repeat(times * 20)),
    }),
  );
  expect(growth).toBeLessThan(LINEAR);
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

  test('below a file, behind a loop, or under a name too long for the disk are as broken as others', async () => {
    const targets = ['f.md/x.md', 'loop/x.md', `${'n'.repeat(256)}.md`, 'no%00.md', 'no.md'];
    const body = targets.map((target) => `[x](${target})\n`).join('');
    const problems = await lint({
      'a/SKILL.md': skillMd('a', undefined, body),
      'a/f.md': '',
      'a/loop': { link: 'loop' },
    });
    expect(problems.filter(({ code }) => code === 'broken-link').map(({ message }) => message)).toEqual(
      targets.map((target) => `the link "${target}" leads to no file of the skill`),
    );
  });

  test.skipIf(process.platform === 'win32')(
    'into a folder that is closed are reported, and so is the folder',
    async () => {
      const root = makeTree({ 'a/SKILL.md': skillMd('a', undefined, '[x](shut/x.md)\n'), 'a/shut/x.md': '' });
      chmodSync(root, 0o755);
      chmodSync(`${root}/a/shut`, 0);
      // root may read everything
      const isRoot = process.getuid?.() === 0;
      if (isRoot) process.seteuid?.(65_534);
      try {
        const [report] = await judgeSkills(root, { toLint });
        expect(report?.problems.map(({ code, path }) => [code, path])).toEqual([
          ['broken-link', 'a/SKILL.md'],
          ['unreadable', 'a/shut'],
        ]);
      } finally {
        if (isRoot) process.seteuid?.(0);
        chmodSync(`${root}/a/shut`, 0o755);
      }
    },
  );

  test('by a bare word are reported where the word is one of a file or folder', async () => {
    const body = '[a](LICENSE) [b](scripts) [c](Makefile) [d](url) [e](NAME)\n';
    expect(await linesOf({ 'a/SKILL.md': skillMd('a', undefined, body), 'a/Makefile': '' })).toEqual([
      'broken-link a/SKILL.md:6:5+7',
      'broken-link a/SKILL.md:6:18+7',
    ]);
  });

  test('that leave the skill are told apart by where they lead', async () => {
    const body = '[a](../a/g.md) [b](../../g/a/no.md) [c](../b/g.md) [d](../../../g/a/g.md) [e](../a) [f](empty)\n';
    const problems = await lint({
      'g/a/SKILL.md': skillMd('a', undefined, body),
      'g/a/g.md': '',
      'g/b/SKILL.md': skillMd('b'),
      'g/b/g.md': '',
      'g/a/empty': { folder: true },
    });
    expect(problems.map(({ message, hint }) => [message, hint])).toEqual([
      [
        `the link "../a/g.md" leaves the skill and comes back, and hosts look for a file from the skill's own folder`,
        'write g.md',
      ],
      ['the link "../../g/a/no.md" leads to no file of the skill', 'add g/a/no.md, or correct the link'],
      [
        'the link "../b/g.md" leads out of the skill, and hosts read only its own files',
        'put a copy into the skill, or remove the link',
      ],
      [
        'the link "../../../g/a/g.md" leads out of the skill, and hosts read only its own files',
        'put a copy into the skill, or remove the link',
      ],
      [
        `the link "../a" leaves the skill and comes back, and hosts look for a file from the skill's own folder`,
        'write SKILL.md',
      ],
      [
        'the link "empty" leads to a folder in which no file is published',
        'add a file to it that is neither hidden nor excluded, or remove the link',
      ],
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
