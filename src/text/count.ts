/** A number and what it counts. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with separators: 20,480. */
export function formatNumber(value: number): string {
  return value.toString().replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}

/** Counts code points, as the specification does, not UTF-16 units or bytes. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
