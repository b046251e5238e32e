import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../src/frontmatter.ts';
import { BIN, ERAS, EXAMPLE } from './command.ts';
import { hasPyYaml, PYTHON } from './python.ts';
import { makeTree, type Node, skillMd } from './tree.ts';

const HOST = fileURLToPath(new URL('host.py', import.meta.url));

/** Values that readers disagree about when they are written carelessly, written with care. */
const TRICKY: readonly string[] = [
  'version: "1.10"',
  'updated: "2026-10-12"',
  'enabled: true\nhomepage:\ncount: 3\nratio: 0.25\nnegative: -7',
  'list:\n  - one\n  - "yes"\n  - 12',
  'nested:\n  deep:\n    deeper: text\n    items: [a, b, "c: d"]',
  'block: |-\n  first\n    second\n  third\nlast: x',
  'folded: >-\n  first line\n  second line\nlast: x',
  'quoted: "tab\\there, quote \\" and \\u00e9"',
  "single: 'it''s one'",
  'emoji: "Ship it \u{1F680}"\ncjk: 说明',
  'tools: Read Grep Bash(git:*)',
  'colon: "a: b"\nhash: "a # b"',
  '# a comment\nkey: value',
];

const skills: Record<string, Node> = Object.fromEntries(
  TRICKY.flatMap((yaml, i): [string, Node][] => {
    const text = `---\nname: lf-${i}\ndescription: What it does\n${yaml}\n---\n\n# Body\n---\nnot: frontmatter\n`;
    return [
      [`lf-${i}/SKILL.md`, text],
      [`crlf-${i}/SKILL.md`, text.replaceAll('lf-', 'crlf-').replaceAll('\n', '\r\n')],
    ];
  }),
);

describe.skipIf(!hasPyYaml())('a host that reads frontmatter with PyYAML, cut out in both ways', () => {
  const verify = async (era: string, args: readonly string[]) => {
    const command = [process.execPath, BIN, ...args];
    const { stdout } = await promisify(execFile)(PYTHON, [HOST, era, ...command], { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as object;
  };

  test('each of these is worth a try: it is published', () => {
    for (const [path, text] of Object.entries(skills)) {
      const { problems } = readFrontmatter(text as string);
      expect([path, problems.filter(({ severity }) => severity === 'error')]).toEqual([path, []]);
    }
  });

  for (const era of ERAS) {
    test(`refuses none of the skills that are published (${era})`, async () => {
      const count = Object.keys(skills).length;
      const args = [makeTree(skills), '--page-size', '7'];
      expect(await verify(era, args)).toEqual({ verified: count, distinct: count, refused: {}, status: 0 });
      expect(await verify(era, [EXAMPLE])).toEqual({ verified: 2, distinct: 2, refused: {}, status: 0 });
    });
  }

  test('would refuse what is not published', async () => {
    const root = makeTree({
      'dated/SKILL.md': '---\nname: dated\ndescription: d\nday: 2026-03-05\n---\n',
      'good/SKILL.md': skillMd('good'),
    });
    expect(await verify('modern', [root, '--invalid', 'skip'])).toEqual({
      verified: 1,
      distinct: 1,
      refused: {},
      status: 0,
    });
  });
});
