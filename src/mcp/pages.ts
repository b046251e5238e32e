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

/** A listing that is cut into pages, without any memory of who asked for what. */
export interface Pages<T> {
  /** The page that a cursor of {@link Page.nextCursor} stands for, the first without one; undefined for a cursor of somebody else. */
  page(cursor: string | undefined): Page<T> | undefined;
}

const CURSOR = /^skills:([0-9a-f]{32}):(\d+)$/;
const encoder = new TextEncoder();

/**
 * Cuts a listing into pages. A cursor holds a key and a place and nothing else, so any process with the same listing takes it,
 * and one whose listing is another does not.
 *
 * @param key - 32 hex digits that stand for this listing and no other
 * @param measure - bytes of an item as JSON
 */
export function createPages<T>(
  items: readonly T[],
  limits: PageLimits,
  key: string,
  measure: (item: T) => number = countBytes,
): Pages<T> {
  // Every stretch is cut by itself, and only as far as somebody asks: no cursor costs the cutting of all that is before its place.
  const stretches = new Map<number, Starts>();
  const cut = (first: number): Starts => {
    const known = stretches.get(first) ?? createStarts(items.slice(first, first + STRETCH), limits, measure);
    stretches.set(first, known);
    return known;
  };
  return {
    page(cursor) {
      const start = cursor === undefined ? 0 : readCursor(cursor, key);
      if (start === undefined || (start >= items.length && start > 0)) return undefined;
      const first = start - (start % STRETCH);
      const starts = cut(first);
      const last = Math.min(first + STRETCH, items.length);
      const next = first + (starts.after(start - first) ?? last - first);
      if (!starts.isStart(start - first) || (start === 0 && cursor !== undefined)) return undefined;
      const page = items.slice(start, next);
      return next === items.length ? { items: page } : { items: page, nextCursor: toCursor(key, next) };
    },
  };
}

/** Entries after which a page ends in any case. */
const STRETCH = 2000;

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

/** Where pages start, in rising order, as far as that was asked for. */
interface Starts {
  isStart(place: number): boolean;
  /** The first start behind a place, once everything up to it is cut. */
  after(place: number): number | undefined;
}

function createStarts<T>(items: readonly T[], limits: PageLimits, measure: (item: T) => number): Starts {
  const known = [0];
  let index = 0;
  let count = 0;
  let bytes = 0;
  const cutOne = (item: T): void => {
    const size = measure(item) + 1;
    if (count > 0 && (count === limits.entries || bytes + size > limits.bytes)) {
      known.push(index);
      count = 0;
      bytes = 0;
    }
    count += 1;
    bytes += size;
    index += 1;
  };
  return {
    isStart: (place) => known[findAbove(known, place) - 1] === place,
    after(place) {
      while (index < items.length && (known.at(-1) ?? 0) <= place) cutOne(items[index] as T);
      const last = known.at(-1) ?? 0;
      return last <= place ? undefined : known[findAbove(known, place)];
    },
  };
}

/** The index of the first start above a place, by bisection: a walk through a listing of thousands of pages stays linear. */
function findAbove(starts: readonly number[], place: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

function toCursor(key: string, start: number): string {
  return btoa(`skills:${key}:${start}`).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function readCursor(cursor: string, key: string): number | undefined {
  const [, owner, place] = CURSOR.exec(decode(cursor)) ?? [];
  if (owner !== key || place === undefined) return undefined;
  const start = Number(place);
  // one spelling a place: "007" and padded base64 were never issued
  return toCursor(key, start) === cursor ? start : undefined;
}

function decode(cursor: string): string {
  if (cursor.length > 128 || !/^[\w-]+$/.test(cursor)) return '';
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
