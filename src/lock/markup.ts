/** A string as a code span, without line ends, which the caller has escaped. */
export function toCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  // a span may neither be empty nor touch a backtick of its content
  const pad = text === '' || /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A string as a code span in a cell of a table. */
export function toCell(text: string): string {
  return toCode(text).replaceAll('|', '\\|');
}

/** A text as a fenced block of code, which nothing in it can close. */
export function toFence(language: string, text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [ticks]) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
}
