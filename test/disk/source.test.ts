import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFolder } from '../../src/disk/open.ts';
import { createTree, type ListedEntry } from '../../src/disk/source.ts';
import { judgeSkills, publishReports, readSkills } from '../../src/judge/judge.ts';
import { lintListing } from '../../src/lint/budget.ts';
import { toLint } from '../../src/lint/lint.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

/** The same paths as a list, as Git or an archive gives them. */
function toEntries(folder: string, path = ''): ListedEntry[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry): ListedEntry[] => {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`;
    const place = join(folder, inner);
    if (entry.isDirectory()) return toEntries(folder, inner);
    const isLink = entry.isSymbolicLink();
    const bytes = isLink ? Buffer.from(readlinkSync(place)) : readFileSync(place);
    return [{ path: inner, kind: isLink ? 'link' : 'file', size: bytes.length, read: async () => bytes }];
  });
}

const many = (count: number, at: (index: number) => string, content: Node) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [at(index), content]));

describe('skills of a list of paths are judged as those of a folder on disk', () => {
  test.each<[string, Record<string, Node>, object]>([
    [
      'groups, hidden names, and files of all sorts',
      {
        'a/SKILL.md': skillMd(
          'a',
          undefined,
          'See [b](references/b.md), [c](c.md), [d](../g/d/SKILL.md), [e](.e.md).\n',
        ),
        'a/references/b.md': 'b',
        'a/.env': 'SECRET=1',
        'a/.e.md': 'e',
        'a/data.bin': Buffer.from([0, 255, 254]),
        'g/d/SKILL.md': skillMd('d'),
        'g/d/x y.md': 'x',
        'docs/a.md': 'a',
        'README.md': 'r',
      },
      {},
    ],
    [
      'names, a lost skill, and skills that are hidden',
      {
        'My Skill/SKILL.md': skillMd('my-skill'),
        'b/skill.md': skillMd('c'),
        'Group/d/SKILL.md': skillMd('d'),
        'lost/README.md': skillMd('lost'),
        'agents/.claude/skills/e/SKILL.md': skillMd('e'),
        'text-link': '../elsewhere/skill',
      },
      {},
    ],
    [
      'links',
      {
        'a/SKILL.md': skillMd('a'),
        'a/l.md': { link: 'SKILL.md' },
        'g/b/SKILL.md': skillMd('b'),
        'g/c': { link: '../a' },
        'g/d': { link: 'c' },
        'g/e.md': { link: 'b/SKILL.md' },
        'g/lost': { link: 'nowhere' },
        'g/round': { link: 'round' },
        'installed/f': { link: '../g/b' },
        'installed/h': { link: '../g' },
      },
      {},
    ],
    [
      'spellings that differ only in case, a skill in a skill, exclude patterns',
      {
        'a/SKILL.md': skillMd('a'),
        'a/x.md': '1',
        'a/X.md': '2',
        'a/in/SKILL.md': skillMd('in'),
        'b/SKILL.md': skillMd('b'),
        'b/tmp/x.md': 'x',
        'c/SKILL.md': skillMd('c'),
      },
      { exclude: ['tmp', 'c/SKILL.md'] },
    ],
    ['513 files', { 'a/SKILL.md': `${skillMd('a')}x/7.md`, ...many(513, (at) => `a/x/${at}.md`, 'x') }, {}],
    [
      '17 MiB',
      { 'a/SKILL.md': `${skillMd('a')}x/7.md`, ...many(17, (at) => `a/x/${at}.md`, 'x'.repeat(1024 * 1024)) },
      {},
    ],
    ['a root that is a skill, with another below it', { 'SKILL.md': skillMd('x'), 'a/SKILL.md': skillMd('a') }, {}],
    ['nothing', { 'a.md': 'a' }, {}],
  ])('%s', async (_, nodes, options) => {
    const folder = makeTree(nodes);
    const tree = createTree({ label: folder, entries: toEntries(folder) });
    const [onDisk, inMemory] = [
      await judgeSkills(folder, { toLint, ...options }),
      await judgeSkills({ tree }, { toLint, ...options }),
    ];
    expect(inMemory.map(({ problems }) => problems)).toEqual(onDisk.map(({ problems }) => problems));
    expect(lintListing(inMemory)).toEqual(lintListing(onDisk));
    const [mine, theirs] = [publishReports(inMemory), publishReports(onDisk)];
    expect([mine.skills, mine.digest]).toEqual([theirs.skills, theirs.digest]);
    for (const { resources } of mine.skills)
      for (const { uri } of resources) expect(mine.read(uri)).toEqual(theirs.read(uri));
  });

  test('a root that is one skill is called what its SKILL.md says', async () => {
    const nodes = { 'SKILL.md': skillMd('own'), 'x.md': 'x' };
    const tree = createTree({ label: 'archive.zip', name: 'other', entries: toEntries(makeTree(nodes)) });
    const [report] = await judgeSkills({ tree, prefix: 'acme' });
    expect([report?.root.path, report?.problems, report?.skills.map(({ uri }) => uri)]).toEqual([
      'archive.zip',
      [],
      ['skill://acme/own/SKILL.md'],
    ]);
  });
});

const file = (path: string, content = path): ListedEntry => ({
  path,
  kind: 'file',
  size: Buffer.byteLength(content),
  read: () => Buffer.from(content),
});

test('a source that cannot read a file, or gives another one than it promised, costs one skill', async () => {
  const entries: ListedEntry[] = [
    file('a/SKILL.md', skillMd('a')),
    { ...file('a/gone.md'), read: () => Promise.reject(new Error('object 1234 is missing')) },
    file('b/SKILL.md', skillMd('b')),
    { ...file('b/short.md', 'short'), size: 9 },
    { ...file('b/more.md', 'm'), kind: 'special' },
    { ...file('b/sub'), kind: 'submodule' },
    file('c/SKILL.md', skillMd('c')),
  ];
  const [report] = await judgeSkills({ tree: createTree({ label: 'git:repo', entries }) });
  expect(report?.skills.map(({ uri, pinned }) => [uri, pinned !== undefined])).toEqual([
    ['skill://a/SKILL.md', false],
    ['skill://b/SKILL.md', false],
    ['skill://c/SKILL.md', true],
  ]);
  expect(report?.problems.map(({ path, code, message }) => [path, code, message])).toEqual([
    ['a/gone.md', 'unreadable', '"gone.md" cannot be read: object 1234 is missing'],
    ['b/more.md', 'special-file', '"more.md" is neither a regular file nor a folder, but a socket, a FIFO or a device'],
    ['b/short.md', 'changed-while-reading', '"short.md" changed while it was read: its size went from 9 to 5 bytes'],
    ['b/sub', 'special-file', '"sub" is a Git submodule, and its files are not in this repository'],
  ]);
});

test('limits are applied before a file is read', async () => {
  let reads = 0;
  const big = (index: number): ListedEntry => ({
    ...file(`a/${index}.bin`),
    size: 1024 * 1024,
    read: () => {
      reads++;
      return Buffer.alloc(1024 * 1024);
    },
  });
  const entries = [file('a/SKILL.md', skillMd('a')), ...Array.from({ length: 17 }, (_, index) => big(index))];
  const [report] = await judgeSkills({ tree: createTree({ label: 'a.zip', entries }) });
  expect([reads, report?.problems.map(({ code }) => code)]).toEqual([0, ['too-many-bytes']]);
});

test.each([
  [['/a'], '"/a" is not a path below a root'],
  [['a/../b'], '"a/../b" is not a path below a root'],
  [['a//b'], '"a//b" is not a path below a root'],
  [['./a'], '"./a" is not a path below a root'],
  [[''], '"" is not a path below a root'],
  [['a', 'a'], '"a" is listed twice'],
  [['a/b', 'a'], '"a" is listed twice'],
  [['a', 'a/b'], '"a/b" is below "a", which is not a folder'],
])('a list of %j is not a tree', (paths, message) => {
  expect(() => createTree({ label: 'x', entries: paths.map((path) => file(path)) })).toThrow(new TypeError(message));
});

test('files whose ids are the same are not read again', async () => {
  const read: string[] = [];
  const toTree = (ids: Record<string, string>) =>
    createTree({
      label: 'git:repo',
      entries: Object.entries(ids).map(([path, id]) => {
        const entry = file(path, path.endsWith('SKILL.md') ? skillMd(path.split('/')[0] ?? '') : path);
        return {
          ...entry,
          id,
          read: () => {
            read.push(path);
            return entry.read();
          },
        };
      }),
    });
  const ids = { 'a/SKILL.md': '1', 'a/x.md': '2', 'b/SKILL.md': '3' };
  const first = await readSkills({ tree: toTree(ids) });
  expect(read.splice(0).sort()).toEqual(['a/SKILL.md', 'a/x.md', 'b/SKILL.md']);
  const second = await readSkills({ tree: toTree({ ...ids, 'b/SKILL.md': '4' }) }, { previous: first });
  expect(read).toEqual(['b/SKILL.md']);
  expect(second.reports[0]?.skills[0]).toBe(first.reports[0]?.skills[0]);
});

test('a folder on disk says what it is, and what it is in', () => {
  const folder = makeTree({ 'a/x.md': 'x', 'a/l': { link: 'x.md' } });
  const tree = openFolder(join(folder, 'a'), './a');
  expect([tree.label, tree.name, tree.folder, tree.above?.().folder]).toEqual(['./a', 'a', join(folder, 'a'), folder]);
  expect([...tree.list('').entries].sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'l', kind: 'link' },
    { name: 'x.md', kind: 'file' },
  ]);
  expect(['', 'x.md', 'l', 'y.md', 'x.md/z'].map((path) => tree.kindOf(path))).toEqual([
    'folder',
    'file',
    'link',
    undefined,
    undefined,
  ]);
});
