import type { Rewrite } from '../messages/rewrite.ts';
import { say } from '../messages/say.ts';
import { closeQuote, MAX_HINT, quoteText } from '../text/quote.ts';
import type { Described } from './described.ts';
import type { TextEdit } from './findings.ts';
import { findBelow, foldValue } from './value.ts';

/** One line of the frontmatter; `end` leaves its line end out. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly indent: number;
}

/** The most slips that are looked at: each is tried with a parser. */
const MOST_SLIPS = 4;

/**
 * Slips of the pen that a parser only notices further down, first ones first: a quote that is never closed, text that is not indented below
 * its key. Some that look so are none: their edits are still to be tried. None begins after `end`.
 */
export function findSlips(source: string, end: number): readonly Described[] {
  const lines = toLines(source);
  const slips: Described[] = [];
  for (const at of lines.keys()) {
    if ((lines[at]?.start ?? 0) > end) break;
    const slip = findOpenQuote(lines, at, source) ?? findOpenBracket(lines, at, source) ?? findUnindented(lines, at);
    if (slip !== undefined) slips.push(slip);
    if (slips.length >= MOST_SLIPS) break;
  }
  return slips;
}

function toLines(source: string): readonly Line[] {
  let start = 0;
  return source.split('\n').map((whole) => {
    const text = whole.replace(/\r$/, '');
    const line = { start, end: start + text.length, text, indent: text.length - text.trimStart().length };
    start += whole.length + 1;
    return line;
  });
}

const isKey = ({ text }: Line): boolean => /^ *(?:[\w.-]+|"[^"]*"|'[^']*'):(?:\s|$)/.test(text);
const isBlank = ({ text }: Line): boolean => text.trim() === '';

function findOpenQuote(lines: readonly Line[], at: number, source: string): Described | undefined {
  const line = lines[at] as Line;
  const [, before = '', key = '', value = ''] =
    /^((?: *- )* *)((?:[^\s:#"'[\]{}&*!|>%@`,-][^:]*|"[^"\\]*"|'[^']*'):[ \t]+)(["'].*)$/.exec(line.text) ?? [];
  if (value === '') return undefined;
  const start = line.start + before.length + key.length;
  const raw = findBelow(source, start, before.length);
  const closed = value.startsWith('"') ? /^"(?:[^"\\]|\\[\s\S])*"/ : /^'(?:[^']|'')*'/;
  const [quoted] = closed.exec(raw) ?? [];
  const end = start + raw.length;
  if (quoted?.includes('\n') && /^[ \t]*[^\s#:]/.test(raw.slice(quoted.length))) {
    const fold = foldValue(source, start, before.length);
    const repair: Rewrite = { how: 'fold', label: `${key.trimEnd()} `, isLong: true };
    return {
      said: say('yaml-syntax/quote-goes-on', { text: raw, repair }),
      span: { start: start + quoted.length, end },
      ...(fold === undefined ? {} : { edits: [fold] }),
      masked: { start, end },
    };
  }
  if (quoted !== undefined || raw.length < 2) return undefined;
  const sayOpen = (repair: Rewrite) => say('yaml-syntax/quote-open', { text: value, repair });
  const shared = { span: { start, end: start + value.trimEnd().length }, masked: { start, end } };
  if (raw.includes('\n')) {
    // a closed quote over several lines would be refused next
    const said = sayOpen({ how: 'fold', label: `${key.trimEnd()} `, isLong: true, isQuoted: true });
    const fold = foldValue(source, start + 1, before.length);
    return fold === undefined || raw.includes('\\')
      ? { ...shared, said }
      : { ...shared, said, edits: [{ ...fold, start }] };
  }
  const text = closeQuote(raw);
  const isShown = raw.length <= MAX_HINT;
  const said = sayOpen({ how: 'close-line', ...(isShown ? { text: `${key.trimEnd()} ${text}` } : {}) });
  return { ...shared, said, edits: [{ start, end, text }] };
}

/** A bracket or brace that no line closes which is still a part of its value. */
function findOpenBracket(lines: readonly Line[], at: number, source: string): Described | undefined {
  const line = lines[at] as Line;
  const [, before = '', key = '', value = ''] =
    /^((?: *- )* *)([^\s:#"'[\]{}&*!|>%@`,-][^:]*:[ \t]+)([[{][^\]}#\t]*)$/.exec(line.text) ?? [];
  const text = value.trimEnd();
  const start = line.start + before.length + key.length;
  if (text === '' || text.length > MAX_HINT || findBelow(source, start, before.length) !== text) return undefined;
  const span = { start, end: start + text.length };
  const [mark = ''] = text;
  const repair: Rewrite = { how: 'quote', text: `${key.trimEnd()} ${quoteText(text)}` };
  return {
    said: say('yaml-syntax/bracket', { text, mark, repair }),
    span,
    edits: [{ ...span, text: quoteText(text) }],
    masked: span,
  };
}

function findUnindented(lines: readonly Line[], at: number): Described | undefined {
  const line = lines[at] as Line;
  const [, indent = '', key = '', gap = '', header = ''] =
    /^( *)([\w-]+:)([ \t]*)([|>][-+]?)?[ \t]*$/.exec(line.text) ?? [];
  if (key === '') return undefined;
  let after = at + 1;
  while (after < lines.length && isBlank(lines[after] as Line)) after += 1;
  const next = lines[after];
  if (next === undefined || next.indent > indent.length || isKey(next)) return undefined;
  if (!/^\s*[\p{L}\p{N}"'`*(]\S* +\S/u.test(next.text)) return undefined;
  const below = lines.slice(at + 1);
  const end = below.findIndex((each) => isKey(each) && each.indent <= indent.length);
  const taken = below.slice(0, end === -1 ? undefined : end);
  const last = taken.findLast((each) => !isBlank(each)) as Line;
  const pad = ' '.repeat(indent.length + 2);
  const start = line.start + indent.length;
  const colon = start + key.length;
  const edits: TextEdit[] = taken
    .filter((each) => !isBlank(each))
    .map((each) => ({ start: each.start, end: each.start, text: pad }));
  if (header === '') edits.push({ start: colon, end: line.end, text: ' >-' });
  return {
    said: say('yaml-syntax/unindented', { text: header === '' ? key : header, isKey: header === '' }),
    span:
      header === '' ? { start, end: colon } : { start: colon + gap.length, end: colon + gap.length + header.length },
    edits,
    masked: { start, end: last.end },
  };
}
