import { type Found, type Link, type Range, readDefinition, readInline } from './inline.ts';
import { isBlankAt, isWhite, skip } from './skip.ts';

/** What a Markdown text holds outside of its code blocks. */
export interface Markdown {
  /** Inline links, images and reference definitions, in order. */
  readonly links: readonly Link[];
  readonly comments: readonly Range[];
  /** What is between the backticks of code spans, in order. */
  readonly spans: readonly Range[];
}

/** What the beginning of a line says: blanks and marks of containers, and what follows them. */
interface Opening {
  readonly isItem: boolean;
  /** The characters that open a fenced code block, where the line does. */
  readonly fence?: { readonly char: string; readonly length: number };
}

/**
 * Finds links, comments and code spans in one pass over the text, from an offset on. It knows code blocks, comments and backslashes;
 * it does not know raw HTML, so what only HTML links is not found. Lines end as in CommonMark: LF, CRLF or CR, and nothing else.
 * Every step moves on and no pattern looks further than its line, so the time is linear in the length of any text.
 */
export function readMarkdown(text: string, from = 0): Markdown {
  const found: Found = { links: [], comments: [], spans: [] };
  const findLineEnd = toLineEndFinder(text);
  const lastClosing = text.lastIndexOf('-->');
  let fence: Opening['fence'];
  let paragraph = -1;
  let isBlank = true;
  let isIndented = false;
  let isList = false;
  let at = from;
  while (at < text.length) {
    const { end, next } = findLineEnd(at);
    const wasBlank = isBlank;
    isBlank = skip(text, at, end, isWhite) === end;
    const opening = fence === undefined && !isBlank ? readOpening(text, at, end) : undefined;
    if (fence !== undefined) {
      if (closesFence(text, at, end, fence)) fence = undefined;
    } else if (opening === undefined || opening.fence !== undefined || isCode(at, wasBlank)) {
      const resumed = closeParagraph(at);
      if (resumed > at) {
        at = resumed;
        continue;
      }
      fence = opening?.fence;
    } else {
      isIndented = false;
      if (opening.isItem) isList = true;
      else if (wasBlank && !isBlankAt(text, at)) isList = false;
      if (paragraph === -1) paragraph = at;
      const definition = readDefinition(text, at, end);
      if (definition !== undefined) found.links.push(definition);
    }
    at = next;
  }
  closeParagraph(text.length);
  found.links.sort((a, b) => a.start - b.start);
  return found;

  /** Indented code, which begins after a blank line; in a list, such a line is more text of the item. */
  function isCode(start: number, wasBlank: boolean): boolean {
    const isDeep = text[start] === '\t' || text.startsWith('    ', start);
    isIndented = !isList && isDeep && (isIndented || wasBlank);
    return isIndented;
  }

  /** Reads the paragraph that ends here; a comment in it may end later, and the text goes on there. */
  function closeParagraph(end: number): number {
    if (paragraph === -1) return end;
    const start = paragraph;
    paragraph = -1;
    const resumed = readInline(text, { start, end, lastClosing }, found);
    if (resumed > end) isBlank = false;
    return resumed;
  }
}

/** Finds where the line of an offset ends and where the next one begins; asking for rising offsets takes linear time in all. */
function toLineEndFinder(text: string): (at: number) => { end: number; next: number } {
  let feed = -1;
  let carriage = -1;
  return (at) => {
    if (feed < at) feed = indexOrEnd('\n', at);
    if (carriage < at) carriage = indexOrEnd('\r', at);
    const end = Math.min(feed, carriage);
    return { end, next: Math.min(text.length, feed === end + 1 ? end + 2 : end + 1) };
  };

  function indexOrEnd(char: string, at: number): number {
    const found = text.indexOf(char, at);
    return found === -1 ? text.length : found;
  }
}

function isQuoteOrBlank(text: string, at: number): boolean {
  return text[at] === '>' || isBlankAt(text, at);
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Block quotes and list items may be nested on one line, as often as it has room. */
function readOpening(text: string, start: number, end: number): Opening {
  let at = skip(text, start, end, isQuoteOrBlank);
  let isItem = false;
  for (let marker = skipMarker(text, at, end); marker !== undefined; marker = skipMarker(text, at, end)) {
    isItem = true;
    at = skip(text, marker, end, isBlankAt);
  }
  const char = text.charAt(at);
  if (at >= end || (char !== '`' && char !== '~')) return { isItem };
  const stop = skip(text, at, end, (_, index) => text[index] === char);
  const isFence = stop - at >= 3 && (char === '~' || skip(text, stop, end, (_, index) => text[index] !== '`') === end);
  return isFence ? { isItem, fence: { char, length: stop - at } } : { isItem };
}

/** The end of the mark of a list item, after which a blank or the end of the line has to follow. */
function skipMarker(text: string, at: number, end: number): number | undefined {
  let after = at + 1;
  if (isDigit(text, at)) {
    after = skip(text, at, Math.min(end, at + 9), isDigit);
    if (text[after] !== '.' && text[after] !== ')') return undefined;
    after++;
  } else if (!/[-*+]/.test(text.charAt(at))) return undefined;
  return after === end || (after < end && isBlankAt(text, after)) ? after : undefined;
}

function closesFence(text: string, start: number, end: number, fence: { char: string; length: number }): boolean {
  const at = skip(text, start, end, isQuoteOrBlank);
  const stop = skip(text, at, end, (_, index) => text[index] === fence.char);
  return stop - at >= fence.length && skip(text, stop, end, isBlankAt) === end;
}
