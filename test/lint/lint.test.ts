import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Problem } from '../../src/catalog/problems.ts';
import { judgeSkills } from '../../src/catalog/reports.ts';
import { judgeFrontmatter } from '../../src/frontmatter/judge.ts';
import { guardLint, toLint } from '../../src/lint/lint.ts';
import { lintListing } from '../../src/lint/listing.ts';
import { toMask } from '../../src/lint/secrets.ts';
import { LINEAR, measureTextGrowth } from '../growth.ts';
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
  return toLint(makeTree({}))(skill, judgeFrontmatter(bytes, where));
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
        message: 'the file could not be checked to the end: Maximum call stack size exceeded',
        hint: "split the file, or leave it out with --exclude 'a/x.md'",
        skill: 'skill://a/SKILL.md',
      },
    ]);
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

  test('below a file, behind a loop, or under a name too long for the disk are as broken as others', async () => {
    const long = `${'n'.repeat(256)}.md`;
    const targets = ['f.md/x.md', 'loop/x.md', long, 'no%00.md', 'no.md'];
    const body = targets.map((target) => `[x](${target})\n`).join('');
    const problems = await lint({
      'a/SKILL.md': skillMd('a', undefined, body),
      'a/f.md': '',
      'a/loop': { link: 'loop' },
    });
    expect(problems.filter(({ code }) => code === 'broken-link').map(({ message }) => message)).toEqual([
      'the link "f.md/x.md" leads to no file of the skill',
      'the link "loop/x.md" leads to a symbolic link, and links are not published',
      `the link "${long.slice(0, 200)}..." leads to no file of the skill`,
      'the link "no%00.md" leads to no file of the skill',
      'the link "no.md" leads to no file of the skill',
    ]);
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

test('a SKILL.md of 20 KiB is none too long, however many lines it has', async () => {
  const head = skillMd('a', undefined, '');
  const lines = (bytes: number) => ({ 'a/SKILL.md': head + 'x\n'.repeat((bytes - head.length) / 2) });
  const even = 20 * 1024 - (head.length % 2 === 0 ? 0 : 1);
  expect(await linesOf(lines(even))).toEqual([]);
  expect(await linesOf(lines(even + 2))).toEqual(['skill-long a/SKILL.md:undefined:undefined+undefined']);
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
