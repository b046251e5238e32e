/** A half-open range of UTF-16 offsets. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** The destination of a link or an image, as it is written, without `<` and `>`. */
export interface Link extends Range {
  readonly target: string;
}

/** What a Markdown text holds outside of its code. */
export interface Markdown {
  /** Inline links, images and reference definitions, in order. */
  readonly links: readonly Link[];
  readonly comments: readonly Range[];
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,})/;
const LIST_ITEM = /^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const DEFINITION = /^ {0,3}\[(?!\^)[^[\]]{1,200}\]:[ \t]*(<[^<>]*>|[^\s<]\S*)(?:[ \t]+["'(].*)?[ \t]*$/;
const SPECIAL = /[\\`<[\]]/g;
/** Parentheses inside a destination. */
const MAX_DEPTH = 32;
const MAX_TITLE = 1000;

/**
 * Finds links and comments in one pass over the text, from an offset on. It knows code blocks, code spans, comments and
 * backslashes; it does not know raw HTML, so what only HTML links is not found.
 */
export function readMarkdown(text: string, from = 0): Markdown {
  const links: Link[] = [];
  const comments: Range[] = [];
  const lastClosing = text.lastIndexOf('-->');
  let fence: RegExp | undefined;
  let paragraph = -1;
  let isBlank = true;
  let isIndented = false;
  let isList = false;
  let at = from;
  while (at < text.length) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    const next = feed === -1 ? text.length : feed + 1;
    const line = text.slice(at, end).replace(/\r$/, '');
    const wasBlank = isBlank;
    isBlank = line.trim() === '';
    const opening = fence === undefined ? FENCE.exec(line)?.[1] : undefined;
    if (fence !== undefined) {
      if (fence.test(line)) fence = undefined;
    } else if (isBlank || opening !== undefined || isCode(line, wasBlank)) {
      const resumed = closeParagraph(at);
      if (resumed > at) {
        at = resumed;
        continue;
      }
      if (opening !== undefined) fence = new RegExp(`^[ \\t>]*${opening[0]}{${opening.length},}[ \\t]*$`);
    } else {
      isIndented = false;
      if (LIST_ITEM.test(line)) isList = true;
      else if (wasBlank && !/^[ \t]/.test(line)) isList = false;
      if (paragraph === -1) paragraph = at;
    }
    at = next;
  }
  closeParagraph(text.length);
  links.sort((a, b) => a.start - b.start);
  return { links, comments };

  /** Indented code, which begins after a blank line; in a list, such a line is more text of the item. */
  function isCode(line: string, wasBlank: boolean): boolean {
    isIndented = !isList && /^(?: {4}|\t)/.test(line) && (isIndented || wasBlank);
    return isIndented;
  }

  /** Reads the paragraph that ends here; a comment in it may end later, and the text goes on there. */
  function closeParagraph(end: number): number {
    if (paragraph === -1) return end;
    const start = paragraph;
    paragraph = -1;
    const resumed = readInline(text, { start, end, lastClosing }, links, comments);
    if (resumed > end) isBlank = false;
    return resumed;
  }
}

function readInline(
  text: string,
  { start, end, lastClosing }: Range & { readonly lastClosing: number },
  links: Link[],
  comments: Range[],
): number {
  const findRun = toRunFinder(text, start, end);
  const part = text.slice(start, end);
  // most paragraphs hold none of it
  if (!/<!--|\]\(|\]:/.test(part)) return end;
  for (const { index } of part.includes(']:') ? part.matchAll(/^ {0,3}\[/gm) : []) {
    const definition = readDefinition(text, start + index);
    if (definition !== undefined) links.push(definition);
  }
  let open = 0;
  for (let at = start; at < end; ) {
    const char = text[at];
    if (char === '\\') at += text[at + 1] === '\n' ? 1 : 2;
    else if (char === '`') at = findRun(at);
    else if (char === '<' && text.startsWith('<!--', at)) {
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
  while (before > 0 && (text[before - 1] === ' ' || text[before - 1] === '\t')) before--;
  return before === 0 || text[before - 1] === '\n';
}

/** Goes over a run of backticks, and over the code up to the next run of the same length, if there is one. */
function toRunFinder(text: string, start: number, end: number): (at: number) => number {
  let runs: Map<number, { ends: number[]; next: number }> | undefined;
  return (at) => {
    let stop = at;
    while (stop < end && text[stop] === '`') stop++;
    runs ??= findRuns(text, start, end);
    const same = runs.get(stop - at);
    if (same === undefined) return stop;
    while (same.next < same.ends.length && (same.ends[same.next] ?? 0) <= stop) same.next++;
    return same.ends[same.next] ?? stop;
  };
}

function findRuns(text: string, start: number, end: number): Map<number, { ends: number[]; next: number }> {
  const runs = new Map<number, { ends: number[]; next: number }>();
  for (const { 0: run, index } of text.slice(start, end).matchAll(/`+/g)) {
    const same = runs.get(run.length) ?? { ends: [], next: 0 };
    same.ends.push(start + index + run.length);
    runs.set(run.length, same);
  }
  return runs;
}

/** The destination after `](`, if a well-formed one and the closing parenthesis follow. */
function readDestination(text: string, from: number, limit: number): Link | undefined {
  let at = skipBlanks(text, from, limit);
  let start = at;
  let end: number;
  if (text[at] === '<') {
    start++;
    at++;
    while (at < limit && !/[<>\n]/.test(text[at] ?? '')) at += text[at] === '\\' ? 2 : 1;
    if (text[at] !== '>') return undefined;
    end = at;
    at++;
  } else {
    let depth = 0;
    for (; at < limit && !/[\s\u0000-\u001f]/.test(text[at] ?? ''); at++) {
      if (text[at] === '\\') at++;
      else if (text[at] === '(' && ++depth > MAX_DEPTH) return undefined;
      else if (text[at] === ')' && depth-- === 0) break;
    }
    end = at;
  }
  at = skipBlanks(text, at, limit);
  if (at > end && text[at] !== ')' && !hasTitle(text, at, limit)) return undefined;
  if (at >= limit) return undefined;
  return { target: text.slice(start, end), start, end };
}

function hasTitle(text: string, at: number, limit: number): boolean {
  const open = text[at] ?? '';
  if (!/["'(]/.test(open)) return false;
  const length = text.slice(at + 1, Math.min(limit, at + 1 + MAX_TITLE)).indexOf(open === '(' ? ')' : open);
  return length !== -1 && text[skipBlanks(text, at + length + 2, limit)] === ')';
}

function skipBlanks(text: string, from: number, limit: number): number {
  let at = from;
  while (at < limit && /\s/.test(text[at] ?? '')) at++;
  return at;
}

function readDefinition(text: string, at: number): Link | undefined {
  const feed = text.indexOf('\n', at);
  const line = text.slice(at, feed === -1 ? text.length : feed).replace(/\r$/, '');
  const written = DEFINITION.exec(line)?.[1];
  if (written === undefined) return undefined;
  const start = at + line.indexOf(written, line.indexOf(']:'));
  return written.startsWith('<')
    ? { target: written.slice(1, -1), start: start + 1, end: start + written.length - 1 }
    : { target: written, start, end: start + written.length };
}
