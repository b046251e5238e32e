import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { escapeQuoted } from '../text/escape.ts';
import { applyEdits, editItems } from './additions.ts';
import { ConfigError, toPosition } from './error.ts';
import type { Value } from './host.ts';
import { byHand, type Change, type Syntax, type Wanted } from './merge.ts';

/** YAML, edited as text: the library would write the whole document anew, in its own style. */
export const yaml: Syntax = {
  print: ({ container, name, entry }) => `${toKey(container)}:\n${printMember(name, entry, '  ', '\n')}\n`,
  parse: (text) => {
    const document = read(text);
    try {
      return document.toJS();
    } catch (error) {
      throw new ConfigError('file', (error as Error).message, undefined, error);
    }
  },
  edit,
  findComments,
};

/** What the lexer puts before the text of a scalar. */
const SCALAR = '\u001F';

function read(text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: true });
  const error = document.errors[0];
  if (error === undefined) return document;
  const at = error.linePos?.[0];
  const message = (error.message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  const position = at === undefined ? toPosition(text, error.pos[0]) : { line: at.line, column: at.col };
  throw new ConfigError('file', message.charAt(0).toLowerCase() + message.slice(1), position, error);
}

function findComments(text: string): string[] {
  return [...new Lexer().lex(text)].filter((token, at, tokens) => token.startsWith('#') && tokens[at - 1] !== SCALAR);
}

function edit(text: string, wanted: Wanted, change: Change): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const root: unknown = read(text).contents;
  const container = isMap(root) ? find(root, wanted.container) : undefined;
  if (change.kind === 'add') {
    if (container === undefined) {
      if (isMap(root) && root.flow) throw byHand(wanted, toPosition(text, startOf(root)));
      const indent = isMap(root) ? columnOf(text, startOf(root)) : '';
      const member = printMember(wanted.name, change.entry, `${indent}  `, eol);
      const lines = `${indent}${toKey(wanted.container)}:${eol}${member}`;
      return isMap(root) && isOpenEnded(text, root) ? prepend(text, root, lines, eol) : append(text, lines, eol);
    }
    return addMember(text, container, wanted, change.entry, eol);
  }
  const entry = isMap(container?.value) ? find(container.value, wanted.name) : undefined;
  if (!isMap(container?.value) || entry === undefined || !isNode(entry.key)) throw byHand(wanted);
  if (change.kind === 'replace') {
    if (container.value.flow) throw byHand(wanted, toPosition(text, startOf(container.value)));
    const indent = columnOf(text, startOf(entry.key));
    const member = printMember(wanted.name, change.entry, indent, eol).slice(indent.length);
    return text.slice(0, startOf(entry.key)) + member + text.slice(endOf(text, entry));
  }
  if (!isMap(entry.value)) throw byHand(wanted);
  return update(text, entry.value, change.values, eol);
}

function addMember(text: string, container: Pair, wanted: Wanted, entry: Wanted['entry'], eol: string): string {
  const { key, value } = container;
  if (!isNode(key)) throw byHand(wanted);
  const outer = columnOf(text, startOf(key));
  const isEmpty =
    value === null || (isScalar(value) && value.value === null) || (isMap(value) && value.items.length === 0);
  if (isEmpty) {
    // `extensions:`, perhaps with `{}`, `~` or `null`: that goes, and a comment on the line stays.
    const to = endOf(text, container);
    const from = isNode(value) && !isBlank(value) ? startOf(value) : to;
    const head = text.slice(0, from).replace(/[ \t]+$/, '');
    return insertLine(head + text.slice(to), head.length, printMember(wanted.name, entry, `${outer}  `, eol), eol);
  }
  if (!isMap(value) || value.flow) throw byHand(wanted, isNode(value) ? toPosition(text, startOf(value)) : undefined);
  const last = value.items.at(-1);
  if (last === undefined) throw byHand(wanted);
  const indent = columnOf(text, startOf(value));
  const member = printMember(wanted.name, entry, indent, eol);
  const end = skipComments(text, endOf(text, last), indent);
  if (text.indexOf('\n', end) === -1 && isOpenEnded(text, value)) return prepend(text, value, member, eol);
  return insertLine(text, end, member, eol);
}

/** Whether the text ends in a block scalar without a line end: one behind it would become part of the value. */
function isOpenEnded(text: string, what: unknown): boolean {
  if (text.endsWith('\n')) return false;
  if (isPair(what)) return isOpenEnded(text, what.value);
  if (isMap(what) || isSeq(what)) return !what.flow && isOpenEnded(text, what.items.at(-1));
  return isScalar(what) && /^[|>](?![+\d]*-)/.test(text.slice(startOf(what)));
}

/** Lines before the first member of a mapping. */
function prepend(text: string, map: YAMLMap, lines: string, eol: string): string {
  const line = text.lastIndexOf('\n', startOf(map) - 1) + 1;
  return text.slice(0, line) + lines + eol + text.slice(line);
}

/** Behind the comment lines that follow and are indented deeper than a member: they speak of the last one. */
function skipComments(text: string, offset: number, indent: string): number {
  const end = text.indexOf('\n', offset);
  const lines = new RegExp(`(?:\\n${indent}[ \\t]+#[^\\n]*)*`, 'y');
  lines.lastIndex = end;
  return end === -1 ? offset : end + (lines.exec(text)?.[0].length ?? 0);
}

function update(text: string, entry: YAMLMap, values: { readonly [key: string]: Value }, eol: string): string {
  const edits = Object.entries(values).flatMap(([key, value]) => {
    const pair = find(entry, key);
    const node = pair?.value;
    if (pair === undefined || !isNode(node)) {
      const from = startOf(entry) + (entry.flow ? 1 : 0);
      const after = entry.flow ? ', ' : eol + columnOf(text, from);
      return [{ from, to: from, put: `${key}: ${printFlow(value)}${after}` }];
    }
    const own = isSeq(node) && Array.isArray(value) ? editItems(findItems(text, node), value, printFlow) : undefined;
    if (own !== undefined) return own;
    const from = startOf(node);
    const isList = isSeq(node) && !node.flow && Array.isArray(value);
    const put = isList
      ? value.map((item) => `- ${printFlow(item)}`).join(eol + columnOf(text, from))
      : printFlow(value);
    return [{ from, to: endOf(text, pair), put }];
  });
  return applyEdits(text, edits);
}

function findItems(text: string, { items }: YAMLSeq): { from: number; to: number; value: unknown }[] {
  return items
    .filter(isNode)
    .map((item) => ({ from: startOf(item), to: endOf(text, item), value: isScalar(item) ? item.value : undefined }));
}

/** Lines below the one that holds `offset`: what ends that line, as a comment, stays on it. */
function insertLine(text: string, offset: number, lines: string, eol: string): string {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text + eol + lines : text.slice(0, end + 1) + lines + eol + text.slice(end + 1);
}

function append(text: string, lines: string, eol: string): string {
  return text + (text.endsWith('\n') ? '' : eol) + lines + eol;
}

function find(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/**
 * Where the text of a pair or a node ends: that of its last leaf, since the library counts a comment behind the last
 * member as part of the collection.
 */
function endOf(text: string, what: unknown): number {
  if (isPair(what)) {
    const isWritten = isNode(what.value) && !isBlank(what.value);
    return isWritten ? endOf(text, what.value) : text.indexOf(':', endOf(text, what.key)) + 1;
  }
  if (!isNode(what)) return 0;
  const last: unknown = (isMap(what) || isSeq(what)) && !what.flow ? what.items.at(-1) : undefined;
  return last === undefined ? text.slice(0, what.range?.[1] ?? 0).trimEnd().length : endOf(text, last);
}

/** Whether nothing is written where the value would be. */
function isBlank(node: Node): boolean {
  return node.range?.[0] === node.range?.[1];
}

/** As many spaces as stand, or would stand, before `offset` on its line. */
function columnOf(text: string, offset: number): string {
  return ' '.repeat(offset - (text.lastIndexOf('\n', offset - 1) + 1));
}

function printMember(name: string, entry: { readonly [key: string]: Value }, indent: string, eol: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(entry).flatMap(([key, value]) =>
    Array.isArray(value) && value.length > 0
      ? [`${inner}${toKey(key)}:`, ...value.map((item: Value) => `${inner}  - ${printFlow(item)}`)]
      : [`${inner}${toKey(key)}: ${isWord(value) ? value : printFlow(value)}`],
  );
  return [`${indent}${toKey(name)}:`, ...lines].join(eol);
}

// What some reader takes for a truth value or for nothing is a text only in quotes.
function isWord(value: Value): value is string {
  return (
    typeof value === 'string' &&
    /^[a-z][a-z0-9_-]*$/i.test(value) &&
    !/^(?:y|yes|n|no|on|off|true|false|null)$/i.test(value)
  );
}

function toKey(name: string): string {
  return isWord(name) ? name : printFlow(name);
}

/** JSON is YAML, but for characters that YAML wants escaped: all of them are hidden ones. */
function printFlow(value: Value): string {
  return escapeQuoted(JSON.stringify(value));
}
