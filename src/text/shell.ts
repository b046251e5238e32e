/**
 * A command line that a shell splits into exactly `words`: for `sh` and its kin, or, with `windows`, for both cmd and
 * PowerShell. Undefined when no spelling is read the same by both of those.
 */
export function quoteCommand(words: readonly string[], options: { windows: boolean }): string | undefined {
  if (!options.windows) return words.map(quoteArgument).join(' ');
  if (words.some((word) => /["%$`!\r\n]|[\\]$/.test(word))) return undefined;
  return words.map((word) => (/^[\w./:@=+\\-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/** An argument as it is typed in a shell of Unix. */
export function quoteArgument(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
