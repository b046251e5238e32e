import { compareText } from '../problems.ts';

/** How listings are cut into pages. */
export interface PageLimits {
  /** Entries a page, at the most. */
  readonly entries: number;
  /** Bytes of JSON a page, at the most; an entry that alone is over it still comes, alone. */
  readonly bytes: number;
}

/** One page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** What a listing is, and how its items are told apart. */
export interface Listing<T> {
  /** The method, and what filters it: a cursor of one kind of listing is not taken for another's. */
  readonly kind: string;
  /** What a cursor names an item by. Items are in the order of their keys, in code units, unless `findAfter` says otherwise. */
  readonly toKey: (item: T, at: number) => string;
  /** The place of the first item after the one of a key, which may be gone. Default: the first whose key is greater. */
  readonly findAfter?: (key: string) => number;
  /** Bytes of an item as JSON. */
  readonly measure?: (item: T) => number;
}

/** A listing that is cut into pages, without any memory of who asked for what. */
export interface Pages<T> {
  /** The page that a cursor of {@link Page.nextCursor} stands for, the first without one; undefined for a cursor of another listing. */
  page(cursor: string | undefined): Page<T> | undefined;
  /** Whether a cursor is of this listing, and the item that it names is there. */
  names(cursor: string): boolean;
}

const CURSOR = /^skills:([0-9a-f]{8}):(.*):([0-9a-f]{8})$/s;

/** UTF-16 units of what a cursor holds. No path of a skill is as long, on any system. */
const LONGEST = 4096;

const encoder = new TextEncoder();

/**
 * Cuts a listing into pages. A cursor names the last item of the page before it and nothing else, so any process takes it whatever
 * has changed since: a page begins with what comes after that item now, and a walk gives each item that stays exactly once.
 *
 * @param items - in the order of the listing
 */
export function createPages<T>(items: readonly T[], limits: PageLimits, listing: Listing<T>): Pages<T> {
  const { kind, toKey, measure = countBytes } = listing;
  const findAfter = listing.findAfter ?? ((key: string) => findAbove(items, toKey, key));
  return {
    page(cursor) {
      const key = cursor === undefined ? undefined : readCursor(cursor, kind);
      if (cursor !== undefined && key === undefined) return undefined;
      const start = key === undefined ? 0 : findAfter(key);
      const end = findEnd(items, start, limits, measure);
      const page = items.slice(start, end);
      if (end >= items.length) return { items: page };
      return { items: page, nextCursor: toCursor(kind, toKey(items[end - 1] as T, end - 1)) };
    },
    names(cursor) {
      const key = readCursor(cursor, kind);
      const last = key === undefined ? -1 : findAfter(key) - 1;
      return last >= 0 && toKey(items[last] as T, last) === key;
    },
  };
}

/** Where the page that begins at a place ends. */
function findEnd<T>(items: readonly T[], start: number, limits: PageLimits, measure: (item: T) => number): number {
  let end = start;
  let bytes = 0;
  while (end < items.length && end - start < limits.entries) {
    bytes += measure(items[end] as T) + 1;
    if (end > start && bytes > limits.bytes) break;
    end += 1;
  }
  return end;
}

/** The place of the first item whose key is greater, by bisection. */
function findAbove<T>(items: readonly T[], toKey: (item: T, at: number) => string, key: string): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareText(toKey(items[middle] as T, middle), key) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Bytes of a value as JSON. */
export function countBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value)).length;
}

/** Whether a cursor is of the form that {@link createPages} makes, for any listing. */
export function isOwnCursor(cursor: string): boolean {
  return CURSOR.test(decode(cursor));
}

/** What stands before a host's cursor that would be taken for ours when it comes back. */
const MARK = 'host.';

/**
 * A host's cursor as it goes out. Behind a host there may be another server of this package, and its cursors are of the form of ours.
 */
export function markCursor(cursor: string): string {
  return isOwnCursor(cursor) || cursor.startsWith(MARK) ? MARK + cursor : cursor;
}

/** A cursor of {@link markCursor} as the host gave it. */
export function unmarkCursor(cursor: string): string {
  return cursor.startsWith(MARK) ? cursor.slice(MARK.length) : cursor;
}

function toCursor(kind: string, key: string): string {
  const text = `skills:${toHash(kind)}:${key}:${toHash(`${kind}\n${key}`)}`;
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function readCursor(cursor: string, kind: string): string | undefined {
  const [, , key] = CURSOR.exec(decode(cursor)) ?? [];
  // one spelling an item: padded base64 was never issued, nor was a key of another kind or a changed one
  return key !== undefined && toCursor(kind, key) === cursor ? key : undefined;
}

/** FNV-1a, as 8 hex digits. It keeps mistakes apart, not attackers: whoever makes a cursor up gets a page that they may have anyway. */
function toHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function decode(cursor: string): string {
  // base64 has four characters for three
  if (cursor.length > (LONGEST * 4) / 3 || !/^[\w-]+$/.test(cursor)) return '';
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
