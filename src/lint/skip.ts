/** Goes over what is skipped, to `end` at most. */
export function skip(
  text: string,
  from: number,
  end: number,
  isSkipped: (text: string, at: number) => boolean,
): number {
  let at = from;
  while (at < end && isSkipped(text, at)) at++;
  return at;
}

/** Whether a character is one that `\s` matches. */
export function isWhite(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  // most characters need no look at the table of Unicode
  return code <= 0x20 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : code >= 0xa0 && /\s/.test(text.charAt(at));
}

/** Whether a character is a space or a tab. */
export function isBlankAt(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}
