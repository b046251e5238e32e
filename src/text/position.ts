/** 1-based, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The lines of one text. */
export interface Lines {
  /** The position of an offset. */
  positionOf(offset: number): Position;
  /** The position where a range begins, and how long it is on its first line: at least 1. */
  placeOf(start: number, end: number): Position & { readonly length: number };
}

/** Turns offsets into lines and columns. The text is looked through once, as far as it is asked about. */
export function readLines(text: string): Lines {
  const starts = [0];
  let looked = 0;
  const look = (offset: number) => {
    while (looked <= offset) {
      const feed = text.indexOf('\n', looked);
      looked = feed === -1 ? Number.POSITIVE_INFINITY : feed + 1;
      if (feed !== -1) starts.push(looked);
    }
  };
  const positionOf = (offset: number): Position => {
    look(offset);
    const line = countBelow(starts, offset + 1);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
  /** Where a line ends, its line break (LF or CRLF) left out. */
  const endOf = (line: number): number => {
    if (looked < Number.POSITIVE_INFINITY && starts.length <= line) look(looked);
    const next = starts[line];
    const end = next === undefined ? text.length : next - 1;
    return text[end - 1] === '\r' ? end - 1 : end;
  };
  return {
    positionOf,
    placeOf(start, end) {
      const position = positionOf(start);
      return { ...position, length: Math.max(1, Math.min(end, endOf(position.line)) - start) };
    },
  };
}

/** The position of one offset. */
export function findPosition(text: string, offset: number): Position {
  return readLines(text).positionOf(offset);
}

/** How many numbers of a list in order are smaller than `limit`. */
export function countBelow(sorted: readonly number[], limit: number): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? 0) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where the line of an offset begins. */
export function findLineStart(text: string, at: number): number {
  // A negative start would be taken for 0 and find a line feed there.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
