import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { publishReports, type ReadingOptions, type RootsReading, readSkills } from '../../src/judge/judge.ts';
import { toLint } from '../../src/lint/lint.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

// more than what file systems round times by: only files that were left alone as long before a reading are known at the next one
const REST = 3100;

const good = { 'a/SKILL.md': skillMd('a'), 'a/x.md': 'x', 'g/b/SKILL.md': skillMd('b') };

const skillsOf = ({ reports }: RootsReading) =>
  new Map(reports.flatMap(({ skills }) => skills.map((skill) => [skill.path, skill])));

/** The paths of the skills whose report is the very one of an earlier reading. */
function findShared(before: RootsReading, after: RootsReading): string[] {
  const old = skillsOf(before);
  return [...skillsOf(after)].filter(([path, skill]) => old.get(path) === skill).map(([path]) => path);
}

describe('a reading after another', () => {
  type Change = (root: string) => void;
  const cases: readonly [string, Record<string, Node>, Change, readonly string[], ReadingOptions?][] = [
    ['reads nothing where nobody wrote', good, () => {}, ['a', 'g/b']],
    ['reads a skill whose file was written to', good, (root) => writeFileSync(join(root, 'a/x.md'), 'y'), ['g/b']],
    [
      'reads a skill whose file was written to, with its size and its time put back',
      good,
      (root) => {
        writeFileSync(join(root, 'a/x.md'), 'y');
        utimesSync(join(root, 'a/x.md'), 0, 0);
      },
      ['g/b'],
    ],
    ['reads a skill that has another file', good, (root) => writeFileSync(join(root, 'a/y.md'), ''), ['g/b']],
    ['reads a skill that has another hidden file', good, (root) => writeFileSync(join(root, 'a/.env'), ''), ['g/b']],
    ['reads a skill that has another link', good, (root) => symlinkSync('x.md', join(root, 'a/l')), ['g/b']],
    ['reads a skill that lost a file', good, (root) => rmSync(join(root, 'a/x.md')), ['g/b']],
    ['reads a new skill alone', good, (root) => addSkill(root, 'c'), ['a', 'g/b']],
    ['knows a skill that was moved by nothing', good, (root) => renameSync(join(root, 'g'), join(root, 'h')), ['a']],
    [
      'shares the report of a skill with an error in its text',
      { ...good, 'a/SKILL.md': '---\nname: a\n---\n' },
      () => {},
      ['a', 'g/b'],
    ],
    [
      'reads a skill whose hints depend on what is beside it',
      { ...good, 'a/SKILL.md': skillMd('c') },
      (root) => addSkill(root, 'c'),
      ['g/b'],
    ],
    [
      'reads a skill whose group may not have its name',
      { ...good, 'g/b/x': '' },
      (root) => renameSync(join(root, 'g'), join(root, 'G')),
      ['a'],
    ],
    ['reads all for a closer look', good, () => {}, [], { toLint }],
  ];
  const roots: string[] = [];

  beforeAll(async () => {
    for (const [, nodes] of cases) roots.push(makeTree(nodes));
    await setTimeout(REST);
  });

  test.each(cases.map((each, at) => [each[0], at, each] as const))(
    '%s',
    async (_, at, [, , change, shared, options = {}]) => {
      const root = roots[at] ?? '';
      const first = await readSkills(root, options);
      const catalog = publishReports(first.reports);
      change(root);
      const second = await readSkills(root, { ...options, previous: first });
      expect(findShared(first, second)).toEqual(shared);
      // whatever is shared, it says what a reading without another one says
      const alone = await readSkills(root, options);
      const contentOf = ({ reports }: RootsReading) => reports.map(({ root, ...report }) => [root.folder, report]);
      expect(contentOf(second)).toEqual(contentOf(alone));
      const [mine, theirs] = [publishReports(second.reports), publishReports(alone.reports)];
      expect([mine.digest, mine.skills]).toEqual([theirs.digest, theirs.skills]);
      expect(catalog.skills.length).toBe(publishReports(first.reports).skills.length);
    },
  );

  test('a third one shares what the second one shared', async () => {
    const root = roots[0] ?? '';
    const first = await readSkills(root);
    const third = await readSkills(root, { previous: await readSkills(root, { previous: first }) });
    expect(findShared(first, third)).toEqual(['a', 'g/b']);
  });

  test('with another root, prefix or option nothing is taken over', async () => {
    const root = roots[0] ?? '';
    const first = await readSkills(root);
    const others = [
      await readSkills({ path: root, prefix: 'p' }, { previous: first }),
      await readSkills(root, { previous: first, pathFrom: 'name' }),
      await readSkills(root, { previous: first, nested: 'files' }),
    ];
    expect(others.map((other) => findShared(first, other))).toEqual([[], [], []]);
  });

  test('a skill that two roots claim is known without its refusal', async () => {
    const [one = '', two = ''] = roots;
    const both = await readSkills([one, two]);
    expect(both.reports.flatMap(({ skills }) => skills.map(({ pinned }) => pinned))).toEqual(Array(4).fill(undefined));
    const after = await readSkills([one], { previous: both });
    expect(publishReports(after.reports).skills.map(({ uri }) => uri)).toEqual([
      'skill://a/SKILL.md',
      'skill://g/b/SKILL.md',
    ]);
  });
});

test('a skill that was written to shortly before a reading is read again', async () => {
  const root = makeTree(good);
  const first = await readSkills(root);
  expect(findShared(first, await readSkills(root, { previous: first }))).toEqual([]);
});

function addSkill(root: string, name: string): void {
  mkdirSync(join(root, name));
  writeFileSync(join(root, name, 'SKILL.md'), skillMd(name));
}
