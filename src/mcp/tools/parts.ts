/** A part of a text file, in bytes of its UTF-8. */
export interface Part {
  readonly text: string;
  /** Where the part begins. */
  readonly start: number;
  /** Where the next part begins. */
  readonly end: number;
}

const LINE_FEED = 0x0a;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The characters that begin in `length` bytes from `offset`: parts that follow each other hold each character once, whole, and
 * every part that is not at the end of the file holds at least one.
 */
export function readPart(bytes: Uint8Array, offset: number, length: number): Part {
  const start = toBoundary(bytes, offset);
  return toPart(bytes, start, toBoundary(bytes, Math.max(offset + length, start + 1)));
}

/** The same, at most that long, and cut after a line where one ends in the second half of it. */
export function readLines(bytes: Uint8Array, offset: number, length: number): Part {
  const start = toBoundary(bytes, offset);
  const most = start + length;
  if (most >= bytes.length) return toPart(bytes, start, bytes.length);
  const line = bytes.lastIndexOf(LINE_FEED, most - 1) + 1;
  if (line > start + length / 2) return toPart(bytes, start, line);
  let end = most;
  while (end > start + 1 && isInside(bytes, end)) end -= 1;
  return toPart(bytes, start, end);
}

/** Whether no character begins at a place or after it. */
export function isPartEnd(bytes: Uint8Array, place: number): boolean {
  return toBoundary(bytes, place) === bytes.length;
}

function toPart(bytes: Uint8Array, start: number, end: number): Part {
  return { text: decoder.decode(bytes.subarray(start, end)), start, end };
}

/** The first byte at or after a place that is not inside a character. */
function toBoundary(bytes: Uint8Array, place: number): number {
  let at = Math.min(place, bytes.length);
  while (at < bytes.length && isInside(bytes, at)) at += 1;
  return at;
}

function isInside(bytes: Uint8Array, place: number): boolean {
  return ((bytes[place] ?? 0) & 0xc0) === 0x80;
}
