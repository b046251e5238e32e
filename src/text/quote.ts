import type { JsonValue } from './jsonvalue.ts';

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** Characters that a quoted text must not hold as they are: controls, line and paragraph separators, the byte order mark. */
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/;

/** The longest text that a hint repeats. */
export const MAX_HINT = 200;

/** The text as a YAML scalar in quotes, on one line, that every parser reads as exactly this text. */
export function quoteText(text: string): string {
  if (UNPRINTABLE.test(text)) return quoteDouble(text);
  if (!/["\\]/.test(text)) return `"${text}"`;
  if (!text.includes("'")) return `'${text}'`;
  return quoteDouble(text);
}

/** A text on one line whose quote is not closed, in quotes. */
export function closeQuote(raw: string): string {
  return raw.includes('\\') ? quoteText(raw.slice(1)) : raw + raw[0];
}

function quoteDouble(text: string): string {
  const escaped = text.replace(
    new RegExp(`["\\\\]|${UNPRINTABLE.source}`, 'g'),
    (char) => ESCAPED[char] ?? toEscape(char.charCodeAt(0)),
  );
  return `"${escaped}"`;
}

function toEscape(code: number): string {
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u${hex.padStart(4, '0')}`;
}

/** A value as it is shown in a message: in double quotes, on one line, cut where it is long. */
export function showText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const chars = [...line];
  return `"${chars.length > 60 ? `${chars.slice(0, 57).join('')}...` : line}"`;
}

/** A character as it is named in a message, such as `U+200B`. */
export function nameCharacter(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The kind of a value as it is named in a message: `a list`, `null`, `empty`. */
export function showKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value === '' ? 'empty' : value.trim() === '' ? 'blank' : 'a string';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
