import type { Value } from './host.ts';

/** A piece of a text, and what is put in its place. */
export interface Edit {
  from: number;
  to: number;
  put: string;
}

/** `text` with edits that do not overlap. Of two at one place, the one that is given first comes to stand last. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  // From the end to the start, so that no edit moves the place of the next.
  return edits
    .toSorted((left, right) => right.from - left.from)
    .reduce((edited, { from, to, put }) => edited.slice(0, from) + put + edited.slice(to), text);
}

/**
 * The edits that bring a list up to date item by item: what stands between the items, a comment perhaps, is its owner's.
 * Undefined where there are more or fewer items than values.
 */
export function editItems(
  items: readonly { from: number; to: number; value: unknown }[],
  values: readonly Value[],
  print: (value: Value) => string,
): Edit[] | undefined {
  if (items.length !== values.length) return undefined;
  return values.flatMap((value, at) => {
    const item = items[at];
    return item === undefined || item.value === value ? [] : [{ from: item.from, to: item.to, put: print(value) }];
  });
}
