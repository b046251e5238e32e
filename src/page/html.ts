// The pages for people: knows a catalog, its problems and what changed, and makes HTML and files of them.
// Must not know the disk, a server, or the hosts: what is shown of those comes as data.
import { splitHidden } from '../text/escape.ts';

/** HTML that was made by {@link html}, and so may go into a page as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text is escaped, and false, null or undefined is nothing. */
export type Value = Html | string | number | false | null | undefined | readonly Value[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For each template, whether the place before each value is inside the quotes of an attribute. */
const places = new WeakMap<TemplateStringsArray, readonly boolean[]>();

/**
 * Makes HTML of a template. A text is escaped for where it is: in an attribute, whose value must be in double quotes, or between tags,
 * where characters that nobody could see become marks.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const inAttribute = places.get(strings) ?? findPlaces(strings);
  let text = strings[0] ?? '';
  values.forEach((value, at) => {
    text += toHtml(value, inAttribute[at] === true) + (strings[at + 1] ?? '');
  });
  return new Html(text);
}

function findPlaces(strings: TemplateStringsArray): readonly boolean[] {
  let before = '';
  const found = strings.map((part) => {
    before += part;
    return /<[^<>]*="[^"<>]*$/.test(before);
  });
  places.set(strings, found);
  return found;
}

function toHtml(value: Value, inAttribute: boolean): string {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return inAttribute ? toAttribute(value) : markText(value);
  return value.map((each) => toHtml(each, inAttribute)).join('');
}

/** A text for an attribute in double quotes; what nobody could see is written as `\u{202e}`. */
function toAttribute(text: string): string {
  return escapeHtml(
    splitHidden(text)
      .map(({ shown }) => shown)
      .join(''),
  );
}

/** A text between tags; what nobody could see, or what moves the text around it, is a mark. Line feeds and tabs stay. */
export function markText(text: string): string {
  if (/^[\n\t -~]*$/.test(text)) return escapeHtml(text);
  let marked = '';
  for (const { text: piece, shown } of splitHidden(text)) {
    marked += piece === shown || piece === '\n' || piece === '\t' ? escapeHtml(piece) : toMark(piece);
  }
  return marked;
}

function toMark(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `<mark class="u">U+${hex}</mark>`;
}

function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char) : text;
}
