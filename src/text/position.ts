/** Where the line of an offset begins. */
export function findLineStart(text: string, at: number): number {
  // A negative start would be taken for 0 and find a line feed there.
  return at <= 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}
