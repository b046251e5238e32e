/** A number and what it counts. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with separators: 20,480. */
export function formatNumber(value: number): string {
  return value.toString().replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
}
