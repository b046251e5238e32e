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
 */
export function createPages<T>(items: readonly T[], limits: PageLimits, key: string): Pages<T> {
  // cut at the first request: a start that nobody lists after pays nothing
  let starts: readonly number[] | undefined;
  return {
    page(cursor) {
      starts ??= findStarts(items, limits);
      const start = cursor === undefined ? 0 : readCursor(cursor, key);
      if (start === undefined) return undefined;
      const index = cursor === undefined ? 0 : indexOf(starts, start);
      if (index === -1 || (index === 0 && cursor !== undefined)) return undefined;
      const next = starts[index + 1];
      const page = items.slice(start, next);
      return next === undefined ? { items: page } : { items: page, nextCursor: toCursor(key, next) };
    },
  };
}

/** Whether a cursor is of the form that {@link createPages} makes, for any listing. */
export function isOwnCursor(cursor: string): boolean {
  return CURSOR.test(decode(cursor));
}

function findStarts<T>(items: readonly T[], limits: PageLimits): number[] {
  const starts = [0];
  let count = 0;
  let bytes = 0;
  items.forEach((item, index) => {
    const size = encoder.encode(JSON.stringify(item)).length + 1;
    if (count > 0 && (count === limits.entries || bytes + size > limits.bytes)) {
      starts.push(index);
      count = 0;
      bytes = 0;
    }
    count += 1;
    bytes += size;
  });
  return starts;
}

/** By bisection: a walk through a listing of thousands of pages stays linear. */
function indexOf(starts: readonly number[], start: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = starts[middle] ?? 0;
    if (value === start) return middle;
    if (value < start) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
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
