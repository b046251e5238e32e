import { isBlankAt, isWhite, skip } from './skip.ts';

/** A half-open range of UTF-16 offsets. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The destination of a link or an image, as it is written, without `<` and `>`. */
export interface Link extends Range {
  readonly target: string;
}

/** What is gathered from paragraphs; ranges are in the order in which they begin, links are not. */
export interface Found {
  readonly links: Link[];
  readonly comments: Range[];
  readonly spans: Range[];
}

const SPECIAL = /[\\`<[\]]/g;
/** Parentheses inside a destination. */
const MAX_DEPTH = 32;
const MAX_TITLE = 1000;
const MAX_LABEL = 200;

/** Reads one paragraph. Returns where the text goes on: where the paragraph ends, or later, where a comment in it does. */
export function readInline(
  text: string,
  { start, end, lastClosing }: Range & { readonly lastClosing: number },
  { links, comments, spans }: Found,
): number {
  // most paragraphs hold none of it
  if (!/<!--|\]\(|`/.test(text.slice(start, end))) return end;
  const findSpan = toSpanFinder(text, start, end);
  let open = 0;
  for (let at = start; at < end; ) {
    const char = text[at];
    if (char === '\\') at += text[at + 1] === '\n' ? 1 : 2;
    else if (char === '`') {
      const { stop, span } = findSpan(at);
      if (span !== undefined) spans.push(span);
      at = stop;
    } else if (char === '<' && text.startsWith('<!--', at)) {
      const closing = at + 4 > lastClosing ? -1 : text.indexOf('-->', at + 4);
      if (closing === -1 && !beginsLine(text, at)) at += 4;
      else {
        const stop = closing === -1 ? text.length : closing + 3;
        comments.push({ start: at, end: stop });
        if (stop > end) return stop;
        at = stop;
      }
    } else if (char === '[') {
      open++;
      at++;
    } else if (char === ']' && open > 0) {
      open--;
      const link = text[at + 1] === '(' ? readDestination(text, at + 2, end) : undefined;
      if (link !== undefined) links.push(link);
      at = link === undefined ? at + 1 : link.end;
    } else {
      SPECIAL.lastIndex = at + 1;
      at = SPECIAL.test(text) ? Math.min(SPECIAL.lastIndex - 1, end) : end;
    }
  }
  return end;
}

function beginsLine(text: string, at: number): boolean {
  let before = at;
  while (before > 0 && isBlankAt(text, before - 1)) before--;
  return before === 0 || text[before - 1] === '\n' || text[before - 1] === '\r';
}

/** Goes over a run of backticks, and over the code up to the next run of the same length, if there is one. */
function toSpanFinder(text: string, start: number, end: number): (at: number) => { stop: number; span?: Range } {
  let runs: Map<number, { ends: number[]; next: number }> | undefined;
  return (at) => {
    const stop = skip(text, at, end, (_, index) => text[index] === '`');
    runs ??= findRuns(text, start, end);
    const same = runs.get(stop - at);
    if (same === undefined) return { stop };
    while (same.next < same.ends.length && (same.ends[same.next] ?? 0) <= stop) same.next++;
    const closed = same.ends[same.next];
    return closed === undefined ? { stop } : { stop: closed, span: { start: stop, end: closed - (stop - at) } };
  };
}

function findRuns(text: string, start: number, end: number): Map<number, { ends: number[]; next: number }> {
  const runs = new Map<number, { ends: number[]; next: number }>();
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const from = at;
    at = skip(text, at, end, (_, index) => text[index] === '`');
    const same = runs.get(at - from);
    if (same === undefined) runs.set(at - from, { ends: [at], next: 0 });
    else same.ends.push(at);
  }
  return runs;
}

/** The destination after `](`, if a well-formed one and the closing parenthesis follow. */
function readDestination(text: string, from: number, limit: number): Link | undefined {
  let at = skip(text, from, limit, isWhite);
  let start = at;
  let end: number;
  if (text[at] === '<') {
    start++;
    at++;
    while (at < limit && !/[<>\n\r]/.test(text.charAt(at))) at += text[at] === '\\' ? 2 : 1;
    if (text[at] !== '>') return undefined;
    end = at;
    at++;
  } else {
    let depth = 0;
    for (; at < limit && text.charCodeAt(at) > 0x1f && !isWhite(text, at); at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '(' && ++depth > MAX_DEPTH) return undefined;
      else if (text[at] === ')' && depth-- === 0) break;
    }
    end = at;
  }
  at = skip(text, at, limit, isWhite);
  if (at > end && text[at] !== ')' && !hasTitle(text, at, limit)) return undefined;
  if (at >= limit) return undefined;
  return { target: text.slice(start, end), start, end };
}

function hasTitle(text: string, at: number, limit: number): boolean {
  const open = text[at] ?? '';
  if (!/["'(]/.test(open)) return false;
  const most = Math.min(limit, at + 1 + MAX_TITLE);
  const length = text.slice(at + 1, most).indexOf(open === '(' ? ')' : open);
  return length !== -1 && text[skip(text, at + length + 2, most, isWhite)] === ')';
}

/** A reference definition, `[label]: destination "title"`, which has a line of its own. */
export function readDefinition(text: string, start: number, end: number): Link | undefined {
  const open = skip(text, start, Math.min(end, start + 3), (_, index) => text[index] === ' ');
  if (text[open] !== '[' || text[open + 1] === '^') return undefined;
  const close = skip(text, open + 1, Math.min(end, open + 2 + MAX_LABEL), (_, index) => !isBracket(text, index));
  if (text[close] !== ']' || close === open + 1 || text[close + 1] !== ':' || close + 1 >= end) return undefined;
  const from = skip(text, close + 2, end, isBlankAt);
  if (from >= end) return undefined;
  const isAngled = text[from] === '<';
  const stop = isAngled
    ? skip(text, from + 1, end, (_, index) => text[index] !== '<' && text[index] !== '>')
    : skip(text, from, end, (_, index) => !isWhite(text, index));
  if (isAngled && (stop >= end || text[stop] !== '>')) return undefined;
  const after = isAngled ? stop + 1 : stop;
  const title = skip(text, after, end, isBlankAt);
  if (title < end && (title === after || !/["'(]/.test(text.charAt(title)))) return undefined;
  const first = isAngled ? from + 1 : from;
  return { target: text.slice(first, stop), start: first, end: stop };
}

function isBracket(text: string, at: number): boolean {
  return text[at] === '[' || text[at] === ']';
}
