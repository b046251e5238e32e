import { parse, TomlError } from 'smol-toml';
import { escapeQuoted } from '../text/escape.ts';
import { applyEdits, editItems } from './additions.ts';
import { ConfigError } from './error.ts';
import type { Value } from './host.ts';
import { isMapping } from './mapping.ts';
import { byHand, type Change, type Syntax, type Wanted } from './merge.ts';

/** TOML, where a server is a table of its own: `[mcp_servers.skills]`. */
export const toml: Syntax = {
  print: ({ container, name, entry }) => printTable([container, name], entry, '\n'),
  parse: read,
  edit,
  findComments,
};

function read(text: string): Record<string, unknown> {
  try {
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.replace(/^Invalid TOML document: /, '').split('\n', 1)[0] ?? '';
    throw new ConfigError('file', message, { line: error.line, column: error.column }, error);
  }
}

function edit(text: string, wanted: Wanted, change: Change): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const path = [wanted.container, wanted.name];
  if (change.kind === 'add') {
    const gap = text.endsWith('\n') ? eol : eol + eol;
    return text + (/\n\r?\n$/.test(text) ? '' : gap) + printTable(path, change.entry, eol);
  }
  const statements = [...scan(text)];
  const index = statements.findIndex(({ kind, key }) => kind === 'table' && isSame(key, path));
  const header = statements[index];
  if (header === undefined) throw byHand(wanted);
  if (change.kind === 'replace') {
    const next = statements.findIndex(
      ({ kind, key }, at) => at > index && kind !== 'pair' && !isSame(key.slice(0, path.length), path),
    );
    const last = statements.at(next === -1 ? -1 : next - 1) ?? header;
    return text.slice(0, header.start) + printTable(path, change.entry, eol).trimEnd() + text.slice(last.end);
  }
  const following = statements.slice(index + 1).findIndex(({ kind }) => kind !== 'pair');
  const pairs = statements.slice(index + 1, following === -1 ? undefined : index + 1 + following);
  const edits = Object.entries(change.values).flatMap(([key, value]) => {
    const pair = pairs.find((candidate) => isSame(candidate.key, [key]));
    if (pair !== undefined) {
      const items = Array.isArray(value) ? findItems(text, pair) : undefined;
      const own = items === undefined ? undefined : editItems(items, value as readonly Value[], printValue);
      return own ?? [{ from: pair.value, to: pair.end, put: printValue(value) }];
    }
    const line = text.indexOf('\n', header.end);
    const put = `${key} = ${printValue(value)}`;
    return line === -1
      ? [{ from: text.length, to: text.length, put: eol + put }]
      : [{ from: line + 1, to: line + 1, put: put + eol }];
  });
  return applyEdits(text, edits);
}

function printTable(path: readonly string[], entry: { readonly [key: string]: Value }, eol: string): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${printValue(value)}`);
  return [`[${path.join('.')}]`, ...lines, ''].join(eol);
}

function printValue(value: Value): string {
  // A JSON string is a TOML basic string, but for DEL, which is escaped as well.
  if (typeof value === 'string') return escapeQuoted(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`;
  if (typeof value !== 'object') return String(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${/^[\w-]+$/.test(key) ? key : printValue(key)} = ${printValue(inner)}`)
    .join(', ')} }`;
}

interface Statement {
  kind: 'table' | 'list' | 'pair';
  key: readonly string[];
  /** Where the statement begins, where its value does (of a pair), and where it ends, comment and line end left out. */
  start: number;
  value: number;
  end: number;
}

/** The statements of a document that the parser has found valid: it says what they mean, this says where they are. */
function* scan(text: string): Generator<Statement> {
  let place = 0;
  while (place < text.length) {
    const character = text.charAt(place);
    if (/\s/.test(character)) {
      place++;
    } else if (character === '#') {
      place = lineEnd(text, place);
    } else if (character === '[') {
      const kind = text.startsWith('[[', place) ? 'list' : 'table';
      const end = skipBrackets(text, place);
      yield { kind, key: toKey(text.slice(place, end)), start: place, value: end, end };
      place = end;
    } else {
      const equals = skipKey(text, place);
      const value = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
      const end = skipValue(text, value);
      yield { kind: 'pair', key: toKey(`${text.slice(place, equals)}= 0`), start: place, value, end };
      place = end;
    }
  }
}

/** Where the items of a list of strings stand, and what they say; undefined for any other value. */
function findItems(
  text: string,
  { value: start, end }: Statement,
): { from: number; to: number; value: unknown }[] | undefined {
  if (text.charAt(start) !== '[') return undefined;
  const items = [];
  for (let place = start + 1; place < end - 1; ) {
    const character = text.charAt(place);
    if (/["']/.test(character)) {
      const to = skipString(text, place);
      items.push({ from: place, to, value: read(`item = ${text.slice(place, to)}`)['item'] });
      place = to;
    } else if (character === '#') {
      place = lineEnd(text, place);
    } else if (/[\s,]/.test(character)) {
      place++;
    } else return undefined;
  }
  return items;
}

function findComments(text: string): string[] {
  const comments: string[] = [];
  for (let place = 0; place < text.length; ) {
    const character = text.charAt(place);
    if (/["']/.test(character)) {
      place = skipString(text, place);
    } else if (character === '#') {
      const end = lineEnd(text, place);
      comments.push(text.slice(place, end));
      place = end;
    } else place++;
  }
  return comments;
}

/** The names that a header or the left side of a pair spells. */
function toKey(statement: string): string[] {
  const key: string[] = [];
  let level: unknown = read(`${statement}\n`);
  while (isMapping(level) || Array.isArray(level)) {
    const [entry] = Array.isArray(level) ? [] : Object.entries(level);
    if (entry === undefined) break;
    key.push(entry[0]);
    level = entry[1];
  }
  return key;
}

function skipKey(text: string, start: number): number {
  let place = start;
  while (text.charAt(place) !== '=') place = /["']/.test(text.charAt(place)) ? skipString(text, place) : place + 1;
  return place;
}

function skipValue(text: string, start: number): number {
  const character = text.charAt(start);
  if (character === '"' || character === "'") return skipString(text, start);
  if (character === '[' || character === '{') return skipBrackets(text, start);
  return start + text.slice(start, lineEnd(text, start)).replace(/#.*$/, '').trimEnd().length;
}

function skipBrackets(text: string, start: number): number {
  let depth = 0;
  let place = start;
  do {
    const character = text.charAt(place);
    if (character === '"' || character === "'") {
      place = skipString(text, place);
      continue;
    }
    if (character === '#') {
      place = lineEnd(text, place);
      continue;
    }
    if (character === '[' || character === '{') depth++;
    if (character === ']' || character === '}') depth--;
    place++;
  } while (depth > 0 && place < text.length);
  return place;
}

function skipString(text: string, start: number): number {
  const quote = text.charAt(start);
  const fence = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  let place = start + fence.length;
  while (place < text.length && !text.startsWith(fence, place))
    place += quote === '"' && text.charAt(place) === '\\' ? 2 : 1;
  place += fence.length;
  // Up to two quotes may stand at the end of a text of several lines, before the three that close it.
  if (fence.length === 3) for (let more = 0; more < 2 && text.charAt(place) === quote; more++) place++;
  return place;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
