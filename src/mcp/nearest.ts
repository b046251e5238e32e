import { toBaseName } from '../catalog/names.ts';
import { compareText } from '../catalog/problems.ts';

/** Beyond this nobody mistyped a name, and comparing would only cost. */
const LONGEST = 128;

/**
 * The candidates that somebody who wrote `text` most likely meant, the likeliest first. Judged by the whole and by the last
 * segment, without regard to case.
 */
export function findNearest(text: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = text.toLowerCase();
  if (wanted === '' || wanted.length > LONGEST) return [];
  const found: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = judge(wanted, candidate.toLowerCase());
    if (distance !== undefined) found.push({ candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || compareText(a.candidate, b.candidate));
  return found.slice(0, most).map(({ candidate }) => candidate);
}

function judge(wanted: string, candidate: string): number | undefined {
  if (wanted === candidate) return 0;
  const [tail, end] = [toBaseName(wanted), toBaseName(candidate)];
  if (tail === end) return 0.5;
  const whole = measure(wanted, candidate);
  const last = tail === wanted && end === candidate ? undefined : measure(tail, end);
  const distance = Math.min(whole ?? Infinity, last === undefined ? Infinity : last + 0.5);
  if (distance !== Infinity) return distance;
  const isPart = tail.length >= 3 && (candidate.includes(tail) || (end.length >= 3 && tail.includes(end)));
  return isPart ? LONGEST : undefined;
}

const toRow = () => new Uint16Array(2 * LONGEST);

/**
 * Rows of the table that {@link measure} fills, kept because one answer may measure thousands of candidates. None is longer: a
 * candidate that is over one and a half times as long as the text is not measured.
 */
const ROWS = [toRow(), toRow(), toRow()] as const;

/** How many letters must be added, dropped, changed or swapped with their neighbour; undefined for more than about a third. */
function measure(a: string, b: string): number | undefined {
  const limit = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
  // one letter is as near to any other
  if (Math.abs(a.length - b.length) > limit || Math.min(a.length, b.length) <= limit) return undefined;
  let [before, last, row] = ROWS;
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      }
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > limit) return undefined;
    [before, last, row] = [last, row, before];
  }
  const distance = last[b.length] ?? Infinity;
  return distance <= limit ? distance : undefined;
}
