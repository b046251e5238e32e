import { compareText } from '../problems.ts';
import { countEdits } from '../text/distance.ts';
import { toBaseName } from '../text/names.ts';

/** Beyond this nobody mistyped a name, and comparing would only cost. */
const LONGEST = 128;

/**
 * Cells of the table of {@link measure} that one answer fills, at the most: a fraction of the time in which nobody else is answered.
 * What is likeliest is measured first, so that only a catalog of thousands of names alike, and long, is not measured whole.
 */
const MOST_CELLS = 2 ** 18;

interface Found {
  readonly candidate: string;
  readonly distance: number;
}

/**
 * The candidates that somebody who wrote `text` most likely meant, the likeliest first. Judged by the whole and by the last
 * segment, without regard to case.
 */
export function findNearest(text: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = text.toLowerCase();
  if (wanted === '' || wanted.length > LONGEST) return [];
  const all = [...candidates];
  const close = findClose(wanted, all, most);
  const known = new Set(close);
  const parts = close.length < most ? all.filter((each) => !known.has(each) && isPart(wanted, each.toLowerCase())) : [];
  return [...close, ...parts.sort(compareText)].slice(0, most);
}

/** Those that differ in a few letters, the nearest first. */
function findClose(wanted: string, candidates: readonly string[], most: number): string[] {
  const found: Found[] = [];
  const tail = toBaseName(wanted);
  const [toWhole, toLast] = [createBound(wanted), createBound(tail)];
  // by twice the least that the distance can be
  const levels: string[][] = [];
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase();
    const end = toBaseName(lower);
    if (lower === wanted || end === tail) found.push({ candidate, distance: lower === wanted ? 0 : 0.5 });
    else {
      const level = 2 * Math.min(toWhole(lower), toLast(end) + 0.5);
      if (level === Infinity) continue;
      const near = levels[level] ?? [];
      near.push(candidate);
      levels[level] = near;
    }
  }
  let cells = 0;
  for (const [level, near = []] of levels.entries()) {
    const last = found.sort(byDistance)[most - 1];
    if (last !== undefined && last.distance < level / 2) break;
    for (const candidate of near) {
      cells += wanted.length * candidate.length;
      if (cells > MOST_CELLS) break;
      const distance = judge(wanted, tail, candidate.toLowerCase());
      if (distance !== undefined) found.push({ candidate, distance });
    }
  }
  return found
    .sort(byDistance)
    .slice(0, most)
    .map(({ candidate }) => candidate);
}

function byDistance(a: Found, b: Found): number {
  return a.distance - b.distance || compareText(a.candidate, b.candidate);
}

function judge(wanted: string, tail: string, candidate: string): number | undefined {
  const end = toBaseName(candidate);
  const whole = measure(wanted, candidate);
  const last = tail === wanted && end === candidate ? undefined : measure(tail, end);
  const distance = Math.min(whole ?? Infinity, last === undefined ? Infinity : last + 0.5);
  return distance === Infinity ? undefined : distance;
}

/** Whether one holds the other's last segment. */
function isPart(wanted: string, candidate: string): boolean {
  const [tail, end] = [toBaseName(wanted), toBaseName(candidate)];
  return tail.length >= 3 && (candidate.includes(tail) || (end.length >= 3 && tail.includes(end)));
}

/**
 * Makes a lower bound of {@link measure}, `Infinity` where that is undefined: how many letters of the longer text the other has not,
 * wherever they are.
 */
function createBound(text: string): (other: string) => number {
  // letters that share a place only make the bound lower
  const counts = new Int16Array(128);
  for (let at = 0; at < text.length; at++) count(counts, text.charCodeAt(at), 1);
  return (other) => {
    const limit = toLimit(text.length, other.length);
    if (limit === 0) return Infinity;
    let common = 0;
    for (let at = 0; at < other.length; at++) if (count(counts, other.charCodeAt(at), -1) >= 0) common += 1;
    for (let at = 0; at < other.length; at++) count(counts, other.charCodeAt(at), 1);
    const least = Math.max(text.length, other.length) - common;
    return least <= limit ? least : Infinity;
  };
}

function count(counts: Int16Array, unit: number, change: 1 | -1): number {
  const place = unit & 127;
  const now = (counts[place] ?? 0) + change;
  counts[place] = now;
  return now;
}

/** How many letters may differ, about a third of them; 0 where the lengths alone say that more do. */
function toLimit(a: number, b: number): number {
  const limit = Math.max(1, Math.floor(Math.max(a, b) / 3));
  // one letter is as near to any other
  return Math.abs(a - b) > limit || Math.min(a, b) <= limit ? 0 : limit;
}

/** How many letters differ; undefined for more than {@link toLimit}. */
function measure(a: string, b: string): number | undefined {
  const limit = toLimit(a.length, b.length);
  const edits = limit === 0 ? Infinity : countEdits(a, b, limit);
  return edits === Infinity ? undefined : edits;
}
