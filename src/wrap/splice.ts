import { isRecord } from '../text/jsonvalue.ts';

/** A place in a text: from the first character to the one after the last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Sets a member of an object in a JSON text, and leaves every other character as it is: a server's numbers may have more digits than a
 * double holds.
 *
 * @param text - valid JSON
 * @param path - the names of the object and of the member; a missing object is made
 * @param json - the member's new value
 */
export function setMember(text: string, path: readonly string[], json: string): string {
  const found = descend(text, path);
  if (found.missing.length === 0) return text.slice(0, found.span.start) + json + text.slice(found.span.end);
  const [name = '', ...inner] = found.missing;
  const value = inner.reduceRight((nested, key) => `{${JSON.stringify(key)}:${nested}}`, json);
  const { start, end } = found.span;
  const member = `${JSON.stringify(name)}:${value}`;
  if (text[start] !== '{') return `${text.slice(0, start)}{${member}}${text.slice(end)}`;
  const separator = isEmpty(text, found.span) ? '' : ',';
  return `${text.slice(0, end - 1)}${separator}${member}${text.slice(end - 1)}`;
}

/** Adds what a value has and the member does not, at every depth: what the text has stays. */
export function addMembers(text: string, path: readonly string[], value: Readonly<Record<string, unknown>>): string {
  let merged = text;
  for (const [key, each] of Object.entries(value)) {
    const place = [...path, key];
    const { missing, span } = descend(merged, place);
    if (missing.length > 0) merged = setMember(merged, place, JSON.stringify(each));
    else if (merged[span.start] === '{' && isRecord(each)) merged = addMembers(merged, place, each);
  }
  return merged;
}

/**
 * Takes items out of a list in a JSON text, and adds others at its end.
 *
 * @param isKept - asked with the index of each item
 */
export function changeList(
  text: string,
  path: readonly string[],
  isKept: (index: number) => boolean,
  added: readonly unknown[],
): string {
  const { missing, span } = descend(text, path);
  if (missing.length > 0 || text[span.start] !== '[') return setMember(text, path, JSON.stringify(added));
  const kept = [...walk(text, span)]
    .filter((_, index) => isKept(index))
    .map((item) => text.slice(item.start, item.end));
  const items = [...kept, ...added.map((item) => JSON.stringify(item))];
  return `${text.slice(0, span.start)}[${items.join(',')}]${text.slice(span.end)}`;
}

/** The value at a path as far as it goes, and the names that are missing from there on. */
function descend(text: string, path: readonly string[]): { span: Span; missing: readonly string[] } {
  let span = valueAt(text, 0);
  for (const [depth, name] of path.entries()) {
    const next = text[span.start] === '{' ? findMember(text, span, name) : undefined;
    if (next === undefined) return { span, missing: path.slice(depth) };
    span = next;
  }
  return { span, missing: [] };
}

/** The last member of a name, as `JSON.parse` takes it. */
function findMember(text: string, object: Span, name: string): Span | undefined {
  let found: Span | undefined;
  for (const key of walk(text, object)) {
    const colon = text.indexOf(':', key.end);
    const value = valueAt(text, colon + 1);
    if (JSON.parse(text.slice(key.start, key.end)) === name) found = value;
  }
  return found;
}

/** The items of a list, or the names of an object. */
function* walk(text: string, { start, end }: Span): Generator<Span> {
  const isObject = text[start] === '{';
  for (let at = skipBlanks(text, start + 1); at < end - 1; ) {
    const item = valueAt(text, at);
    yield item;
    const last = isObject ? valueAt(text, text.indexOf(':', item.end) + 1).end : item.end;
    // the comma
    at = skipBlanks(text, skipBlanks(text, last) + 1);
  }
}

function isEmpty(text: string, { start, end }: Span): boolean {
  return skipBlanks(text, start + 1) === end - 1;
}

function valueAt(text: string, from: number): Span {
  const start = skipBlanks(text, from);
  return { start, end: findEnd(text, start) };
}

function findEnd(text: string, start: number): number {
  if (text[start] === '"') return findStringEnd(text, start);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = findStringEnd(text, at) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
      if (depth < 0) return at;
    } else if (depth === 0 && (char === ',' || isBlank(char))) return at;
  }
  return text.length;
}

function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (isBlank(text[at])) at += 1;
  return at;
}

function isBlank(char: string | undefined): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t';
}
