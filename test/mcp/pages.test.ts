import { describe, expect, test } from 'vitest';
import { createPages, isOwnCursor, type Listing, type Pages } from '../../src/mcp/pages.ts';

interface Item {
  readonly uri: string;
  readonly text: string;
}

const LIMITS = { entries: 3, bytes: 1000 };
const LISTING: Listing<Item> = { kind: 'skills/list', toKey: ({ uri }) => uri };

const toItems = (uris: string): Item[] => [...uris].map((uri) => ({ uri, text: `text of ${uri}` }));
const pagesOf = (uris: string, listing = LISTING) => createPages(toItems(uris), LIMITS, listing);
const urisOf = (pages: Pages<Item>, cursor?: string) =>
  pages
    .page(cursor)
    ?.items.map(({ uri }) => uri)
    .join('');
const encode = (text: string) => Buffer.from(text, 'latin1').toString('base64url');

/** The cursor after the first page. */
function toFirst(pages: Pages<Item>): string {
  const { nextCursor } = pages.page(undefined) ?? {};
  if (nextCursor === undefined) throw new Error('the listing has one page');
  return nextCursor;
}

describe('a cursor goes on after the item that it names', () => {
  const cursor = toFirst(pagesOf('acegik'));

  test.each([
    ['the same', 'acegik', 'gik'],
    ['one item fewer before it', 'ceik', 'ik'],
    ['that item gone', 'acgik', 'gik'],
    ['items that came before and after it', 'abcdefghi', 'fgh'],
    ['nothing after it', 'abc', ''],
    ['nothing at all', '', ''],
  ])('in a listing with %s', (_, uris, expected) => {
    expect(urisOf(pagesOf(uris), cursor)).toBe(expected);
  });

  test('and says whether the item is there', () => {
    expect(['acegik', 'acgik', ''].map((uris) => pagesOf(uris).names(cursor))).toEqual([true, false, false]);
  });
});

describe('a cursor is refused', () => {
  const pages = pagesOf('acegik');
  const cursor = toFirst(pages);
  const [, kind, check] = /^skills:(\w{8}):e:(\w{8})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];

  test.each([
    ['of another kind of listing', toFirst(pagesOf('acegik', { ...LISTING, kind: 'resources/list' }))],
    ['with another key', encode(`skills:${kind}:c:${check}`)],
    ['with another check', encode(`skills:${kind}:e:00000000`)],
    ['with padding', `${cursor}==`],
    ['cut', cursor.slice(0, -2)],
    ['of version 0.1.0', encode(`skills:${'0'.repeat(32)}:100`)],
    ['longer than any path', encode(`skills:${kind}:${'e'.repeat(5000)}:${check}`)],
    ['that is empty', ''],
    ['that is no base64', 'ä'],
  ])('%s', (_, given) => {
    expect(pages.page(given)).toBeUndefined();
    expect(pages.names(given)).toBe(false);
  });

  test("and is not taken for a host's where it has the form of ours", () => {
    expect([isOwnCursor(cursor), isOwnCursor(encode('skills:0:100')), isOwnCursor('x')]).toEqual([true, false, false]);
  });
});

test('a page is cut by bytes from its own beginning, and an entry that is too long comes alone', () => {
  const items = [...toItems('ab'), { uri: 'c', text: 'x'.repeat(2000) }, ...toItems('de')];
  const pages = createPages(items, { entries: 10, bytes: 100 }, LISTING);
  const walked: (string | undefined)[] = [];
  for (let cursor: string | undefined; ; ) {
    walked.push(urisOf(pages, cursor));
    cursor = pages.page(cursor)?.nextCursor;
    if (cursor === undefined) break;
  }
  expect(walked).toEqual(['ab', 'c', 'de']);
});
