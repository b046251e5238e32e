import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { signRoots } from '../../src/disk/signature.ts';
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

describe('the signature of roots', () => {
  const nodes = { ...good, 'docs/d.md': 'd', 'g/c': { link: '../a' }, '.hidden/x': 'x', 'a/tmp/t': 't' };
  const exclude = ['tmp'];

  test.each<[string, (root: string) => void]>([
    ['a file that was written to', (root) => appendFileSync(join(root, 'a/x.md'), 'y')],
    ['a file that was written to, with its time put back', (root) => utimesSync(join(root, 'a/x.md'), 0, 0)],
    ['another file', (root) => writeFileSync(join(root, 'g/b/n.md'), '')],
    ['a file that is gone', (root) => rmSync(join(root, 'docs/d.md'))],
    ['another folder', (root) => mkdirSync(join(root, 'empty'))],
    ['another hidden name', (root) => writeFileSync(join(root, 'g/.x'), '')],
    ['a folder that was replaced by its copy', (root) => replaceFolder(root, 'g')],
    ['a link that leads elsewhere', (root) => replaceLink(join(root, 'g/c'), '../docs')],
    ['a link that leads to no folder', (root) => renameSync(join(root, 'a'), join(root, 'z'))],
    ['a root that is gone', (root) => renameSync(root, `${root}-gone`)],
  ])('%s changes it', async (_, change) => {
    const root = join(
      makeTree(Object.fromEntries(Object.entries(nodes).map(([path, node]) => [`r/${path}`, node]))),
      'r',
    );
    const before = await signRoots(root, { exclude });
    // more than one tick of the clock that files have
    await setTimeout(20);
    change(root);
    expect((await signRoots(root, { exclude })).signature).not.toBe(before.signature);
  });

  test('what no reading looks at leaves it as it is', async () => {
    const root = makeTree(nodes);
    const before = await signRoots(root, { exclude });
    await setTimeout(20);
    appendFileSync(join(root, '.hidden/x'), 'y');
    writeFileSync(join(root, '.hidden/y'), 'y');
    appendFileSync(join(root, 'a/tmp/t'), 'y');
    expect(await signRoots(root, { exclude })).toEqual(before);
    expect(before.folders).toEqual(['', '/a', '/docs', '/g', '/g/b'].map((path) => root + path));
  });

  test('a root given through a link changes with what it leads to', async () => {
    const [one, two] = [makeTree(good), makeTree(good)];
    const link = join(makeTree({}), 'current');
    symlinkSync(one, link);
    const before = await signRoots(link);
    replaceLink(link, two);
    expect((await signRoots(link)).signature).not.toBe(before.signature);
    replaceLink(link, one);
    expect((await signRoots(link)).signature).toBe(before.signature);
  });

  test('it tells when a file was last changed', async () => {
    const root = makeTree(good);
    const { changed } = await signRoots(root);
    expect(Math.abs(Date.now() - changed)).toBeLessThan(60_000);
    await setTimeout(20);
    utimesSync(join(root, 'a/x.md'), 0, 0);
    expect((await signRoots(root)).changed).toBeGreaterThan(changed);
    expect(await signRoots(join(root, 'a/x.md'))).toMatchObject({ changed: 0, folders: [] });
  });

  function replaceLink(link: string, target: string): void {
    rmSync(link);
    symlinkSync(target, link);
  }

  function replaceFolder(root: string, name: string): void {
    const copy = makeTree(good);
    renameSync(join(root, name), join(root, '.old'));
    renameSync(join(copy, name), join(root, name));
    symlinkSync('../a', join(root, name, 'c'));
  }
});
