/** A part of a text file, in bytes of its UTF-8. */
export interface Part {
  readonly text: string;
  /** Where the part begins. */
  readonly start: number;
  /** Where the next part begins. */
  readonly end: number;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The characters that begin in `length` bytes from `offset`: parts that follow each other hold each character once, whole, and
 * every part that is not at the end of the file holds at least one.
 */
export function readPart(bytes: Uint8Array, offset: number, length: number): Part {
  const start = toBoundary(bytes, offset);
  const end = toBoundary(bytes, Math.max(offset + length, start + 1));
  return { text: decoder.decode(bytes.subarray(start, end)), start, end };
}

/** Whether no character begins at a place or behind it. */
export function isPartEnd(bytes: Uint8Array, place: number): boolean {
  return toBoundary(bytes, place) === bytes.length;
}

/** The first byte at or behind a place that is not inside a character. */
function toBoundary(bytes: Uint8Array, place: number): number {
  let at = Math.min(place, bytes.length);
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
