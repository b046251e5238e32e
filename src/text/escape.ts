import { HIDDEN, WORKING } from './invisible.ts';

/** Where `##[` stands anywhere in a line, GitHub's runner looks for a command. */
const BRACKET = '##[';
const DISARMED = '##\\u{5b}';

/** A run of visible characters, shown as it is, or one hidden character, shown escaped. */
export interface Piece {
  readonly text: string;
  readonly shown: string;
}

/**
 * Text that is safe to show and to log: what is hidden is written as `\u{202e}`, and `##[` as `##\u{5b}`. Tabs and line breaks are
 * escaped too: lay them out before, where they are wanted.
 */
export function escapeText(text: string): string {
  const shown = splitHidden(text).map((piece) => piece.shown);
  return shown.join('').replaceAll(BRACKET, DISARMED);
}

/** A line that is no command to a GitHub workflow that logs it: it would be one that begins with `::`, or holds `##[`. */
export function disarmLine(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1\\u{3a}').replaceAll(BRACKET, DISARMED);
}

/** Lines that end up on a terminal or in a workflow's log, whatever is quoted in them; only line breaks stay as they are. */
export function escapeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => disarmLine(escapeText(line)))
    .join('\n');
}

/** The pieces of a text, in order and without a gap. */
export function splitHidden(text: string): Piece[] {
  // Nearly all text is printable ASCII.
  if (/^[ -~]*$/.test(text)) return [{ text, shown: text }];
  const working = [...text.matchAll(WORKING)].map(({ index, 0: found }) => [index, index + found.length] as const);
  const pieces: Piece[] = [];
  let from = 0;
  let next = 0;
  const pushVisible = (to: number) => {
    if (to > from) pieces.push({ text: text.slice(from, to), shown: text.slice(from, to) });
  };
  for (const { 0: char, index } of text.matchAll(HIDDEN)) {
    while ((working[next]?.[1] ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    if ((working[next]?.[0] ?? Number.POSITIVE_INFINITY) <= index) continue;
    pushVisible(index);
    pieces.push({ text: char, shown: `\\u{${char.codePointAt(0)?.toString(16)}}` });
    from = index + char.length;
  }
  pushVisible(text.length);
  return pieces;
}

/** JSON of two spaces' indent and a final line break; what must not be shown is a JSON escape, so the values stay the same. */
export function toJson(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}

/** A JSON text whose hidden characters are JSON escapes: safe to show, and the same values. Its white space stays. */
export function escapeJson(json: string): string {
  // JSON holds line breaks and tabs as they are between its values alone
  return json
    .replace(HIDDEN, (char) => (/[\n\r\t]/.test(char) ? char : toUnits(char)))
    .replaceAll(BRACKET, '##\\u005b');
}

/** A JSON string as a double-quoted string of TOML and YAML, which escape whole code points and not their halves. */
export function escapeQuoted(json: string): string {
  const toEscape = (char: string) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16);
    return char.length > 1 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
  };
  return json.replace(HIDDEN, toEscape).replaceAll(BRACKET, '##\\u005b');
}

/** JSON on one line, without a line break; what must not be shown is a JSON escape, so the values stay the same. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, toUnits).replaceAll(BRACKET, '##\\u005b');
}

function toUnits(char: string): string {
  let escaped = '';
  for (let at = 0; at < char.length; at++) escaped += `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
