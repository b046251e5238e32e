import { expect, test } from 'vitest';
import type { DirectoryChild, SkillCatalog } from '../../src/catalog/catalog.ts';
import { findNearest } from '../../src/mcp/nearest.ts';
import { countBytes, createPages, type Pages } from '../../src/mcp/pages.ts';
import { compareText } from '../../src/problems.ts';
import { toBaseName } from '../../src/text/names.ts';
import { makeCatalog } from './catalog.ts';

const entries = Array.from({ length: 20_000 }, (_, i) => ({
  name: `entry-${String(i).padStart(5, '0')}`,
  text: 'x'.repeat((i * 37) % 500),
}));
const LISTING = { kind: 'entries', toKey: ({ name }: (typeof entries)[number]) => name };

function walk<T>(pages: Pages<T>): { items: T[]; cursors: string[] } {
  const walked = { items: [] as T[], cursors: [] as string[] };
  let cursor: string | undefined;
  do {
    const page = pages.page(cursor);
    if (page === undefined) throw new Error(`${cursor} is no cursor`);
    walked.items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor !== undefined) walked.cursors.push(cursor);
  } while (cursor !== undefined);
  return walked;
}

test.each([
  { entries: 100, bytes: 1024 * 1024 },
  { entries: 100, bytes: 16 * 1024 },
  { entries: 30_000, bytes: 1024 * 1024 },
  { entries: 1, bytes: 10 },
])('cuts 20,000 entries into pages, each of which is found without those before it: %o', (limits) => {
  const walked = createPages(entries, limits, LISTING);
  const { items, cursors } = walk(walked);
  expect(items).toEqual(entries);
  let measured = 0;
  for (const cursor of [cursors.at(-1), cursors.at(Math.floor(cursors.length / 2)), cursors[0]]) {
    const fresh = createPages(entries, limits, {
      ...LISTING,
      measure(entry) {
        measured += 1;
        return countBytes(entry);
      },
    });
    measured = 0;
    const page = fresh.page(cursor);
    expect(page).toEqual(walked.page(cursor));
    expect(page?.items.length).toBeGreaterThan(0);
    // those of the page, and the one that was too much for it
    expect(measured).toBeLessThanOrEqual((page?.items.length ?? 0) + 1);
  }
});

test('finds what was meant among 20,000 long names that are all alike', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `${'abcdefgh'.repeat(14)}-${String(i).padStart(5, '0')}`);
  expect(findNearest(`${'abcdefgh'.repeat(14)}-1234`, names)).toHaveLength(3);
  expect(findNearest(`${'abcdefgh'.repeat(13)}abcdefhg-12345`, names)[0]).toBe(names[12_345]);
  expect(findNearest('x', names)).toEqual([]);
});

/** The children of every directory, by the files alone. */
function listNaively(catalog: SkillCatalog): Map<string, DirectoryChild[]> {
  const directories = new Map<string, Map<string, DirectoryChild>>();
  for (const { uri: own, frontmatter, resources } of catalog.skills) {
    for (const { uri, size } of resources) {
      const named =
        uri === own ? { name: frontmatter.name, description: frontmatter.description } : { name: toBaseName(uri) };
      let child: DirectoryChild = { uri, ...named, mimeType: catalog.read(uri)?.mimeType ?? '', size };
      for (let parent = uri.slice(0, uri.lastIndexOf('/')); parent !== 'skill:/'; ) {
        directories.set(parent, (directories.get(parent) ?? new Map()).set(child.uri, child));
        child = { uri: parent, name: toBaseName(parent), mimeType: 'inode/directory' };
        parent = parent.slice(0, parent.lastIndexOf('/'));
      }
    }
  }
  return new Map(
    [...directories].map(([uri, children]) => [uri, [...children.values()].sort((a, b) => compareText(a.uri, b.uri))]),
  );
}

test('lists every directory, whatever is before and after it', () => {
  const catalog = makeCatalog([
    { path: 'a', files: { 'x.md': '', 'x/y.md': '', 'x-y/z.md': '', 'X/Y/Z.md': '', x0: '' } },
    { path: 'a-b', files: { 'a/b/c/d.md': '', 'a/b/c.md': '', 'a/b0/c.md': '' } },
    { path: 'a0' },
    { path: 'group/a/b' },
    { path: 'group/a-b', files: { '~.md': '', '_.md': '', '0.md': '' } },
    { path: 'group/ab' },
    ...Array.from({ length: 100 }, (_, i) => ({ path: `many/s-${i}`, files: { 'r/a.md': '', 'r/b.md': '' } })),
  ]);
  const expected = listNaively(catalog);
  const found = new Map([...expected.keys()].map((uri) => [uri, catalog.readDirectory(uri)]));
  expect(found).toEqual(expected);
  for (const none of [
    'skill:',
    'skill:/',
    'skill://',
    'skill:///',
    'skill://a/',
    'skill://a/x.md',
    'skill://b',
    'skill://gro',
    '',
  ]) {
    expect([none, catalog.readDirectory(none)]).toEqual([none, undefined]);
  }
  expect(catalog.readDirectory('skill://a')).toBe(catalog.readDirectory('skill://a'));
});
