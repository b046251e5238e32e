import type { Rewrite } from '../messages/rewrite.ts';
import { type Said, say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import { MAX_HINT, quoteText } from '../text/quote.ts';
import type { Described } from './described.ts';
import type { Span, TextEdit } from './findings.ts';

/** What a value must not begin with. */
const STARTER = /^[*&!%@`|>\]},]/;

/** A value that some key or dash begins on one line. Offsets count from the start of the frontmatter. */
interface Value extends Span {
  readonly source: string;
  readonly text: string;
  /** What is before it, for hints: `updated: ` or `- `. */
  readonly label: string;
  /** The column of its key, from 0. */
  readonly indent: number;
  /** Whether a comment follows. */
  readonly isCut: boolean;
}

/** What is wrong with a value, and how it is written instead. */
interface ValueFault {
  say(repair: Rewrite): Said;
  readonly how: 'quote' | 'close' | 'whole';
  /** What the value is meant to be. */
  readonly text: string;
  /** Whether the author may have meant a list. */
  readonly isItem?: boolean;
  /** Where in the value the fault is; all of it by default. */
  readonly at?: number;
}

/** What may be wrong with a line, best first; the edits of each are still to be tried. */
export function describeLine(source: string, line: Span, fields: readonly string[]): readonly Described[] {
  const text = source.slice(line.start, line.end);
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  if (indent.includes('\t')) {
    const at = line.start + indent.indexOf('\t');
    return [{ said: say('yaml-syntax/tab-indent'), span: { start: at, end: at + 1 } }];
  }
  const field = /^((?: *- )* *)((?:[^\s:#"'[\]{}&*!|>%@`,-][^:]*|"[^"\\]*"|'[^']*'):[ \t]+|- )(.*)$/.exec(text);
  if (field === null) return describeColon(source, text, line, fields);
  const [, before = '', key = '', rest = ''] = field;
  const cut = cutComment(rest).trimEnd();
  const start = line.start + before.length + key.length;
  const value: Value = {
    source,
    start,
    end: start + cut.length,
    text: cut,
    label: `${key.trimEnd()} `,
    indent: before.length,
    isCut: cut.length < rest.trimEnd().length,
  };
  const fault = findFault(value);
  return fault === undefined ? [] : describeFault(value, fault);
}

/** A known field whose colon, or the blank after it, is missing. */
function describeColon(source: string, text: string, line: Span, fields: readonly string[]): readonly Described[] {
  const [, name = '', gap = '', value = ''] = /^([a-z-]+)([ \t]+|:)(\S.*)$/.exec(text) ?? [];
  if (!fields.includes(name) || new RegExp(`^${name}[ \\t]*:(?:\\s|$)`, 'm').test(source)) return [];
  const start = line.start + name.length;
  const repair = { value: value.length > MAX_HINT ? undefined : value.trimEnd() };
  return [
    {
      said: say(gap === ':' ? 'yaml-syntax/space-missing' : 'yaml-syntax/colon-missing', { field: name, repair }),
      span: { start: line.start, end: line.start + text.trimEnd().length },
      edits: [{ start, end: start + gap.length, text: ': ' }],
    },
  ];
}

/** A value without the comment after it. A `#` right before a word may be meant as text, and so may one in quotes. */
function cutComment(rest: string): string {
  const from = /^["']/.test(rest) ? rest.lastIndexOf(rest[0] ?? '') : -1;
  const at = from === 0 ? -1 : rest.slice(from + 1).search(/[ \t]#(?: |$)/);
  return at === -1 ? rest : rest.slice(0, from + 1 + at);
}

function describeFault(value: Value, fault: ValueFault): readonly Described[] {
  const { source, start, end, label, indent, isCut } = value;
  const { how, text, isItem = false, at = 0 } = fault;
  const span = { start: start + at, end };
  const below = findBelow(source, start, indent);
  const isLong = below.includes('\n');
  const fold = isCut ? undefined : foldValue(source, start, indent);
  const block = { said: fault.say({ how: 'fold', label, isLong }), span };
  const folded: Described[] = fold === undefined ? [] : [{ ...block, edits: [fold], masked: fold }];
  const masked = { start, end };
  if (isLong) return [...folded, { ...block, masked: { start, end: start + below.length } }];
  if (text.length > MAX_HINT && text === value.text) return [...folded, { ...block, masked }];
  const exact = text.length > MAX_HINT ? {} : { text: label + quoteText(text) };
  const quoted = { said: fault.say({ how, ...exact, isItem, isCut }), span, masked };
  // what may be a list is the author's to decide
  if (isItem) return [quoted];
  return [{ ...quoted, edits: [quoteValue(value, text)] }, ...folded, { ...block, masked }];
}

/** The text in quotes; a tab on either side of it would be refused next. */
function quoteValue({ source, start, end }: Value, text: string): TextEdit {
  const before = /[ \t]*\t[ \t]*$/.exec(source.slice(findLineStart(source, start), start))?.[0] ?? '';
  const after = /^[ \t]*\t[ \t]*(?=#)/.exec(source.slice(end, end + MAX_HINT))?.[0] ?? '';
  const [left, right] = [before === '' ? '' : ' ', after === '' ? '' : ' '];
  return { start: start - before.length, end: end + after.length, text: left + quoteText(text) + right };
}

/**
 * A value and the lines below it that are indented deeper than its key, as text below `>-`; undefined where a part of it may be a comment,
 * or would not be read alike there.
 */
export function foldValue(source: string, start: number, indent: number): TextEdit | undefined {
  const raw = findBelow(source, start, indent);
  if (/\t|(?:^|\s)#(?: |$)/m.test(raw) || /^#/.test(raw)) return undefined;
  const feed = /\r\n/.test(source) ? '\r\n' : '\n';
  const pad = ' '.repeat(indent + 2);
  const texts = raw.split('\n').map((line) => line.trim());
  const text = texts.map((line) => (line === '' ? feed : `${feed}${pad}${line}`)).join('');
  const blanks = findBlanks(source, start + raw.length, feed);
  return { start, end: start + raw.length + blanks.length, text: `>-${text}${blanks.text}` };
}

/** The blank lines after a text, without the blanks in them, which would become a part of it. */
export function findBlanks(
  source: string,
  end: number,
  feed: string,
): { readonly length: number; readonly text: string } {
  const [blanks = ''] = /^(?:[ \t]*\r?\n[ \t]*(?=\r?\n|$))+/.exec(source.slice(end)) ?? [];
  return /[ \t]/.test(blanks)
    ? { length: blanks.length, text: feed.repeat(blanks.split('\n').length - 1) }
    : { length: 0, text: '' };
}

/** The rest of a line, and the lines below it that are indented deeper than the key in it. */
export function findBelow(source: string, start: number, indent: number): string {
  let end = start;
  for (let at = start; at < source.length; ) {
    const feed = source.indexOf('\n', at);
    const next = feed === -1 ? source.length : feed;
    const line = source.slice(at, next);
    const isBelow = line.trim() === '' || (/^[ \t]*/.exec(line)?.[0].length ?? 0) > indent;
    if (at > start && !isBelow) break;
    end = next;
    at = next + 1;
  }
  return source.slice(start, end).trimEnd();
}

function findFault(value: Value): ValueFault | undefined {
  const { text } = value;
  const mark = text[0] ?? '';
  const quote = { how: 'quote', text } as const;
  if (STARTER.test(text)) {
    return { ...quote, say: (repair) => say('yaml-syntax/starter', { text, mark, repair }) };
  }
  if (/^[-?](?:[ \t]|$)/.test(text)) {
    const isItem = mark === '-';
    return { ...quote, say: (repair) => say('yaml-syntax/indicator', { text, mark, repair }), isItem };
  }
  if (mark === '"' || mark === "'") return findQuoteFault(value, mark);
  if (mark === '[' || mark === '{') {
    return { ...quote, say: (repair) => say('yaml-syntax/bracket', { text, mark, repair }) };
  }
  if (/:(?:[ \t]|$)/.test(text)) {
    return { ...quote, say: (repair) => say('yaml-syntax/colon-in-text', { text, repair }) };
  }
  return undefined;
}

function findQuoteFault({ text: value, source, start, indent }: Value, quote: string): ValueFault | undefined {
  const below = findBelow(source, start, indent);
  if (below.includes('\n') && CLOSED_START.test(below)) return undefined;
  if (isClosed(below)) return undefined;
  const quoted = (quote === '"' ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/).exec(value)?.[0];
  if (quoted !== undefined && /^[ \t]*:(?:[ \t]|$)/.test(value.slice(quoted.length))) return undefined;
  if (quoted === undefined || isApostrophe(value, quoted)) {
    return {
      say: (repair) => say('yaml-syntax/quote-open', { text: value, repair }),
      how: 'close',
      text: value.slice(1),
    };
  }
  return {
    say: (repair) => say('yaml-syntax/quote-goes-on', { text: value, repair }),
    how: 'whole',
    text: stripQuotes(value, quoted),
    at: quoted.length,
  };
}

/** A text that begins with one in quotes, on one line or several. */
const CLOSED_START = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')/;

/** Whether a text is well quoted: something else is wrong then, such as an escape. */
function isClosed(raw: string): boolean {
  return /^(?:[ \t]+#.*)?$/.test(raw.replace(CLOSED_START, '')) && CLOSED_START.test(raw);
}

/** Whether what closes a text in single quotes is an apostrophe, and the only one. */
function isApostrophe(value: string, quoted: string): boolean {
  return /\p{L}'$/u.test(quoted) && /^\p{L}[^']*$/u.test(value.slice(quoted.length)) && quoted.startsWith("'");
}

/** The text that a badly quoted value is meant to hold; `quoted` is the part of it that is well quoted. */
function stripQuotes(value: string, quoted: string): string {
  const quote = value[0] ?? '';
  // Quotes right beside text stand inside of the outer ones; beside a blank or a separator they are part of what is said.
  const isInner = value.endsWith(quote) && /[^\s,;:|/]/.test(value[quoted.length] ?? ' ');
  if (!isInner) return value;
  const inner = value.slice(1, -1);
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'");
}
