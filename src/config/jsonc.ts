import {
  evaluate,
  type MemberNode,
  type ObjectNode,
  parse,
  type Token,
  tokenize,
  type ValueNode,
} from '@humanwhocodes/momoa';
import { escapeJson } from '../text/escape.ts';
import { applyEdits, editItems } from './additions.ts';
import { ConfigError, toPosition } from './error.ts';
import type { Value } from './host.ts';
import { byHand, type Change, type Syntax, type Wanted } from './merge.ts';

const CONTROL = /[\0-\x1f]/;

/** JSON as its grammar has it. */
export const json: Syntax = toSyntax('json');

/** JSON with comments and trailing commas. */
export const jsonc: Syntax = toSyntax('jsonc');

function toSyntax(mode: 'json' | 'jsonc'): Syntax {
  return {
    print,
    parse: (text) => (isBare(text, mode) ? {} : evaluate(read(text, mode).body)),
    edit: (text, wanted, change) => edit(text, mode, wanted, change),
    findComments: (text) => findComments(text, mode),
  };
}

function print({ container, name, entry }: Wanted): string {
  return `${escapeJson(JSON.stringify({ [container]: { [name]: entry } }, null, 2))}\n`;
}

function read(text: string, mode: 'json' | 'jsonc'): { body: ObjectNode; tokens: Token[] } {
  let document: ReturnType<typeof parse>;
  try {
    document = parse(text, { mode, ranges: true, tokens: true, allowTrailingCommas: mode === 'jsonc' });
  } catch (error) {
    const { line, column } = error as Error & { line?: number; column?: number };
    const position = line === undefined || column === undefined ? undefined : { line, column };
    throw new ConfigError('file', mode === 'json' ? 'not JSON here' : 'not JSON with comments here', position, error);
  }
  requireEscapes(text, document.tokens ?? []);
  if (mode === 'json') requireStrict(text);
  if (document.body.type !== 'Object') throw new ConfigError('file', 'not an object', at(text, document.body));
  return { body: document.body, tokens: document.tokens ?? [] };
}

/** Refuses raw control characters in strings: this parser takes them, those of hosts do not. */
function requireEscapes(text: string, tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type !== 'String') continue;
    const offset = text.slice(start(token), end(token)).search(CONTROL);
    if (offset === -1) continue;
    const place = start(token) + offset;
    const written = JSON.stringify(text.charAt(place)).slice(1, -1);
    throw new ConfigError(
      'file',
      `a string holds a control character: write ${written} instead`,
      toPosition(text, place),
    );
  }
}

/** Refuses what else hosts do not read that read no more than JSON. */
function requireStrict(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, offset] = /position (\d+)/.exec((error as Error).message) ?? [];
    const position = offset === undefined ? undefined : toPosition(text, Number(offset));
    throw new ConfigError('file', 'not JSON here', position, error);
  }
}

function findComments(text: string, mode: 'json' | 'jsonc'): string[] {
  return tokenize(text, { mode, ranges: true })
    .filter(({ type }) => type.endsWith('Comment'))
    .map((token) => text.slice(start(token), end(token)));
}

/** Whether there are only comments, which are no JSON yet: a number behind them makes them one. */
function isBare(text: string, mode: 'json' | 'jsonc'): boolean {
  try {
    return parse(`${text}\n0`, { mode }).body.type === 'Number';
  } catch {
    return false;
  }
}

function edit(text: string, mode: 'json' | 'jsonc', wanted: Wanted, change: Change): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (isBare(text, mode)) return text + (text.endsWith('\n') ? '' : eol) + print(wanted).replaceAll('\n', eol);
  const { body, tokens } = read(text, mode);
  const style = toStyle(text, body, eol);
  const container = find(body, wanted.container);
  if (change.kind === 'add') {
    if (container === undefined) {
      return addMember(text, tokens, body, wanted.container, { [wanted.name]: change.entry }, style);
    }
    if (container.value.type === 'Null') {
      return setValue(text, container.value, { [wanted.name]: change.entry }, style);
    }
    if (container.value.type !== 'Object') {
      throw new ConfigError('file', `"${wanted.container}" is not an object`, at(text, container.value));
    }
    return addMember(text, tokens, container.value, wanted.name, change.entry, style);
  }
  const entry = container?.value.type === 'Object' ? find(container.value, wanted.name)?.value : undefined;
  if (entry === undefined) throw byHand(wanted);
  if (change.kind === 'replace') return setValue(text, entry, change.entry, style);
  // From the end to the start, so that no edit moves the place of the next.
  return Object.entries(change.values)
    .map(([key, value]) => ({ key, value, node: entry.type === 'Object' ? find(entry, key)?.value : undefined }))
    .sort(
      (left, right) => (right.node ? start(right.node) : text.length) - (left.node ? start(left.node) : text.length),
    )
    .reduce((edited, { key, value, node }) => {
      if (node !== undefined) return setValue(edited, node, value, style);
      const again = read(edited, mode);
      const outer = find(again.body, wanted.container)?.value;
      const inner = outer?.type === 'Object' ? find(outer, wanted.name)?.value : undefined;
      if (inner?.type !== 'Object') throw byHand(wanted);
      return addMember(edited, again.tokens, inner, key, value, style);
    }, text);
}

/** The last of that name: it is the one that a parser keeps. */
function find(object: ObjectNode, key: string): MemberNode | undefined {
  return object.members.findLast(({ name }) => (name.type === 'String' ? name.value : name.name) === key);
}

interface Style {
  unit: string;
  eol: string;
}

function toStyle(text: string, body: ObjectNode, eol: string): Style {
  const first = body.members[0];
  const indent = first === undefined ? '' : ownIndent(text, start(first));
  return { unit: indent || '  ', eol };
}

function setValue(text: string, node: ValueNode, value: Value, style: Style): string {
  const edits =
    node.type === 'Array' && Array.isArray(value)
      ? editItems(
          node.elements.map(({ value: item }) => ({ from: start(item), to: end(item), value: evaluate(item) })),
          value,
          printLine,
        )
      : undefined;
  if (edits !== undefined) return applyEdits(text, edits);
  const isOneLine = !text.slice(start(node), end(node)).includes('\n');
  const isShort = isOneLine && node.type !== 'Null' && (node.type !== 'Object' || node.members.length > 0);
  const printed = isShort ? printLine(value) : printBlock(value, indentAt(text, start(node)), style);
  return text.slice(0, start(node)) + printed + text.slice(end(node));
}

function addMember(
  text: string,
  tokens: readonly Token[],
  object: ObjectNode,
  key: string,
  value: Value,
  style: Style,
): string {
  const open = start(object);
  const close = end(object) - 1;
  const last = object.members.at(-1);
  const outer = indentAt(text, open);
  if (!text.slice(open, close).includes('\n')) {
    if (last !== undefined) {
      const member = `${JSON.stringify(key)}: ${printLine(value)}`;
      const comma = commaAfter(tokens, last, close);
      const from = comma ?? end(last);
      return applyEdits(text, [{ from, to: from, put: comma === undefined ? `, ${member}` : ` ${member},` }]);
    }
    const comment = text.slice(open + 1, close).trimEnd();
    const indent = outer + style.unit;
    const member = `${JSON.stringify(key)}: ${printBlock(value, indent, style)}`;
    const put = `${style.eol}${indent}${member}${style.eol}${outer}`;
    return applyEdits(text, [{ from: open + 1 + comment.length, to: close, put }]);
  }
  const indent = last === undefined ? outer + style.unit : ownIndent(text, start(last)) || outer + style.unit;
  const member = `${style.eol}${indent}${JSON.stringify(key)}: ${printBlock(value, indent, style)}`;
  if (last === undefined) {
    // Only space and comments inside: the member goes below them, before the line of the closing brace.
    const before = text.slice(0, close).trimEnd().length;
    return applyEdits(text, [{ from: before, to: close, put: `${member}${style.eol}${outer}` }]);
  }
  const comma = commaAfter(tokens, last, close);
  const place = afterComments(text, tokens, comma ?? end(last), close);
  const isLastLine = !text.slice(place, close).includes('\n');
  const added = `${member}${comma === undefined ? '' : ','}${isLastLine ? style.eol + outer : ''}`;
  const blank = isLastLine ? text.slice(place, close).length - text.slice(place, close).trimStart().length : 0;
  const missing = comma === undefined ? [{ from: end(last), to: end(last), put: ',' }] : [];
  return applyEdits(text, [{ from: place, to: place + blank, put: added }, ...missing]);
}

/** The offset behind the comma that follows the last member, if one does. */
function commaAfter(tokens: readonly Token[], last: MemberNode, close: number): number | undefined {
  return tokens.find(
    (token) =>
      token.type === 'Comma' && token.range !== undefined && token.range[0] >= end(last) && token.range[1] <= close,
  )?.range?.[1];
}

/** The offset behind the comments that end the line of `offset`: they speak of what stands before them. */
function afterComments(text: string, tokens: readonly Token[], offset: number, close: number): number {
  return tokens.reduce((place, { type, range }) => {
    const isNext = range !== undefined && range[0] >= place && range[1] <= close && type.endsWith('Comment');
    return isNext && !text.slice(place, range[1]).trimEnd().includes('\n') ? range[1] : place;
  }, offset);
}

function printBlock(value: Value, indent: string, { unit, eol }: Style): string {
  return escapeJson(JSON.stringify(value, null, unit)).replaceAll('\n', eol + indent);
}

function printLine(value: Value): string {
  if (typeof value !== 'object') return escapeJson(JSON.stringify(value));
  if (Array.isArray(value)) return `[${value.map(printLine).join(', ')}]`;
  const members = Object.entries(value).map(([key, inner]) => `${printLine(key)}: ${printLine(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The white space before `offset`, when nothing else stands before it on its line. */
function ownIndent(text: string, offset: number): string {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*$/.test(before) ? before : '';
}

/** The white space that begins the line of `offset`. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

function start(node: { range?: readonly number[] }): number {
  return node.range?.[0] ?? 0;
}

function end(node: { range?: readonly number[] }): number {
  return node.range?.[1] ?? 0;
}

function at(text: string, node: ValueNode): { line: number; column: number } {
  return toPosition(text, start(node));
}
