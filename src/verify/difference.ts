import { isRecord } from '../catalog/foreign.ts';

/** How many characters of a value a message shows. */
const SHOWN = 120;

/** How deep a value is nested that a message shows. */
const SHOWN_DEPTH = 8;

/** Whether a JSON value has lists and objects at more than `most` levels. It goes no deeper than that, however deep the value is. */
export function isNested(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (most === 0) return true;
  return Object.values(value).some((item) => isNested(item, most - 1));
}

/** A JSON value as a message shows it, on one line and cut where it is long; `missing` for undefined. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value) && value.length > SHOWN) return `a list of ${value.length} items`;
  if (isNested(value, SHOWN_DEPTH)) return 'a deeply nested value';
  // a long string is cut before it is quoted: it can have megabytes
  const short = typeof value === 'string' && value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  if (typeof short === 'number' || typeof short === 'bigint') return String(short);
  const text = JSON.stringify(short) ?? typeof short;
  return text.length > SHOWN + 3 ? `${text.slice(0, SHOWN)}…` : text;
}

/** Where two JSON values differ: a path of keys such as `metadata.tags[2]`, empty for the values themselves, and what is there. */
export interface Difference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** The first place where two JSON values differ, in the order of keys by code units; undefined where they are equal. */
export function findDifference(left: unknown, right: unknown, path = ''): Difference | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    const length = Math.max(left.length, right.length);
    for (let at = 0; at < length; at++) {
      const found = findDifference(left[at], right[at], `${path}[${at}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(left) && isRecord(right) && isPlain(left) && isPlain(right)) {
    for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort()) {
      const found = findDifference(ownValue(left, key), ownValue(right, key), path === '' ? key : `${path}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return left === right ? undefined : { path, left, right };
}

/** A date, which some YAML parsers make, is an object without keys and equals nothing. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function ownValue(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
