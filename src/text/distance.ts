/** Longer texts get rows of their own. */
const LONGEST = 256;

const toRows = (length: number) => [new Uint16Array(length), new Uint16Array(length), new Uint16Array(length)] as const;

/** Rows of the table below, kept because one answer may compare thousands of names. */
const ROWS = toRows(LONGEST);

/**
 * How many letters must be added, dropped, changed or swapped with their neighbour to make one text of the other.
 *
 * @param most - where it takes more, the answer is `Infinity`, and found sooner. Default: no bound
 */
export function countEdits(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  let [before, last, row] = b.length < LONGEST ? ROWS : toRows(b.length + 1);
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
    if (least > most) return Number.POSITIVE_INFINITY;
    [before, last, row] = [last, row, before];
  }
  const edits = last[b.length] ?? 0;
  return edits <= most ? edits : Number.POSITIVE_INFINITY;
}
