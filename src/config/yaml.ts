import { type Document, isMap, isNode, isScalar, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { CommandError, EXIT } from '../error.ts';
import { escapeQuoted } from '../text/escape.ts';
import { findLineStart, findPosition } from '../text/position.ts';
import type { Value } from './host.ts';
import { byHand, type Syntax, type Wanted } from './merge.ts';

/** YAML. The library would write the whole document anew, in its own style, so an entry is only added, as lines of their own. */
export const yaml: Syntax = {
  print: (wanted) => `${toKey(wanted.container)}:\n${printMember(wanted, '  ')}`,
  parse: (text) => {
    const document = read(text);
    try {
      return document.toJS();
    } catch (error) {
      throw new CommandError(EXIT.failure, (error as Error).message, { cause: error });
    }
  },
  add,
};

function read(text: string): Document.Parsed {
  const document = parseDocument(text, { prettyErrors: true });
  const error = document.errors[0];
  if (error === undefined) return document;
  const at = error.linePos?.[0];
  const message = (error.message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  const position = at === undefined ? findPosition(text, error.pos[0]) : { line: at.line, column: at.col };
  throw new CommandError(EXIT.failure, message.charAt(0).toLowerCase() + message.slice(1), {
    at: position,
    cause: error,
  });
}

function add(text: string, wanted: Wanted): string {
  const root: unknown = read(text).contents;
  const at = (node: unknown) => (isNode(node) ? findPosition(text, startOf(node)) : undefined);
  if (root !== null && (!isMap(root) || root.flow)) throw byHand(wanted.container, at(root));
  const container = isMap(root) ? find(root, wanted.container) : undefined;
  if (container === undefined) return append(text, wanted, isMap(root) ? columnOf(text, startOf(root)) : '');
  const { key, value } = container;
  if (!isNode(key)) throw byHand(wanted.container);
  if (isMap(value) && !value.flow) return insertLines(text, key, printMember(wanted, columnOf(text, startOf(value))));
  if (!isEmpty(value)) throw byHand(wanted.container, at(value));
  // `{}`, `~` or `null` goes, and a comment on that line stays
  const emptied = isNode(value) ? cut(text, value) : text;
  return insertLines(emptied, key, printMember(wanted, `${columnOf(text, startOf(key))}  `));
}

/** The container with the entry, after everything else. */
function append(text: string, wanted: Wanted, indent: string): string {
  const { eol, end } = toEnd(text);
  // after a block scalar that has no last line break, a new line would become part of the value in some parsers
  if (end !== '' && /[|>][+\d]*[ \t]*(?:#.*)?\r?$/m.test(text)) {
    throw new CommandError(EXIT.failure, 'the file ends without a line break: add one, then run this again');
  }
  const lines = `${indent}${toKey(wanted.container)}:\n${printMember(wanted, `${indent}  `)}`;
  return text + end + lines.replaceAll('\n', eol);
}

/** Lines after the one that holds a key: a comment that ends it stays on it. */
function insertLines(text: string, key: Node, lines: string): string {
  const { eol } = toEnd(text);
  const end = text.indexOf('\n', startOf(key));
  const put = lines.replaceAll('\n', eol);
  return end === -1 ? text + eol + put : text.slice(0, end + 1) + put + text.slice(end + 1);
}

function toEnd(text: string): { eol: string; end: string } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { eol, end: text === '' || text.endsWith('\n') ? '' : eol };
}

function cut(text: string, { range }: Node): string {
  const [from, to] = range ?? [0, 0];
  return from === to ? text : text.slice(0, from).replace(/[ \t]+$/, '') + text.slice(to);
}

function isEmpty(value: unknown): boolean {
  return value === null || (isScalar(value) && value.value === null) || (isMap(value) && value.items.length === 0);
}

function find(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** As many spaces as are before `offset` on its line. */
function columnOf(text: string, offset: number): string {
  return ' '.repeat(offset - findLineStart(text, offset));
}

function printMember({ name, entry }: Wanted, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(entry).flatMap(([key, value]) =>
    Array.isArray(value) && value.length > 0
      ? [`${inner}${toKey(key)}:`, ...value.map((item: Value) => `${inner}  - ${printFlow(item)}`)]
      : [`${inner}${toKey(key)}: ${isWord(value) ? value : printFlow(value)}`],
  );
  return [`${indent}${toKey(name)}:`, ...lines, ''].join('\n');
}

// What some parser takes for a boolean or for null is a string only in quotes.
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
