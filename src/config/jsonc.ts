import {
  applyEdits,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { CommandError, EXIT } from '../error.ts';
import { escapeJson } from '../text/escape.ts';
import { findPosition } from '../text/position.ts';
import { byHand, type Change, type Syntax, type Wanted } from './merge.ts';

type Mode = 'json' | 'jsonc';

/** JSON as its grammar has it. */
export const json: Syntax = createSyntax('json');

/** JSON with comments and trailing commas. */
export const jsonc: Syntax = createSyntax('jsonc');

function createSyntax(mode: Mode): Syntax {
  return {
    print,
    parse: (text) => (isBare(text, mode) ? {} : getNodeValue(read(text, mode))),
    add: (text, wanted) => add(text, mode, wanted),
    change: (text, wanted, change) => put(text, toChanges(wanted, change)),
    findComments,
  };
}

function print({ container, name, entry }: Wanted): string {
  return `${escapeJson(JSON.stringify({ [container]: { [name]: entry } }, null, 2))}\n`;
}

function read(text: string, mode: Mode): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: mode === 'json', allowTrailingComma: mode === 'jsonc' });
  const [error] = errors;
  if (error !== undefined) throw describeError(text, mode, error);
  if (mode === 'json') requireStrict(text);
  if (root?.type !== 'object')
    throw new CommandError(EXIT.failure, 'not an object', { at: findPosition(text, root?.offset ?? 0) });
  return root;
}

function describeError(text: string, mode: Mode, { error, offset, length }: ParseError): CommandError {
  const control = text.slice(offset, offset + length).search(/[\0-\x1f]/);
  if (printParseErrorCode(error) === 'InvalidCharacter' && control !== -1) {
    const written = JSON.stringify(text.charAt(offset + control)).slice(1, -1);
    const message = `a string contains a control character: write ${written} instead`;
    return new CommandError(EXIT.failure, message, { at: findPosition(text, offset + control) });
  }
  const what = mode === 'json' ? 'not valid JSON' : 'not valid JSON with comments';
  return new CommandError(EXIT.failure, `${what}: ${describeCode(error)}`, { at: findPosition(text, offset) });
}

/** `CommaExpected` as words: "comma expected". */
function describeCode(code: ParseError['error']): string {
  return printParseErrorCode(code)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
}

/** Refuses what else the parsers of such hosts refuse. */
function requireStrict(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, offset] = /position (\d+)/.exec((error as Error).message) ?? [];
    const position = offset === undefined ? undefined : findPosition(text, Number(offset));
    throw new CommandError(EXIT.failure, 'not valid JSON', { at: position, cause: error });
  }
}

function findComments(text: string): string[] {
  const comments: string[] = [];
  visit(text, { onComment: (offset, length) => comments.push(text.slice(offset, offset + length)) });
  return comments;
}

/** Whether the file has comments and nothing else yet. */
function isBare(text: string, mode: Mode): boolean {
  return mode === 'jsonc' && parseTree(text, [], { allowEmptyContent: true }) === undefined;
}

function add(text: string, mode: Mode, wanted: Wanted): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  if (isBare(text, mode)) return text + (text.endsWith('\n') ? '' : eol) + print(wanted).replaceAll('\n', eol);
  const container = findNodeAtLocation(read(text, mode), [wanted.container]);
  if (container !== undefined && container.type !== 'object' && container.type !== 'null') {
    throw new CommandError(EXIT.failure, `"${wanted.container}" is not an object`, {
      at: findPosition(text, container.offset),
    });
  }
  const { container: key, name, entry } = wanted;
  return put(
    text,
    container?.type === 'object' ? [{ path: [key, name], value: entry }] : [{ path: [key], value: { [name]: entry } }],
  );
}

function toChanges({ container, name }: Wanted, change: Change): Edit[] {
  const path = [container, name];
  if (change.kind === 'replace') return [{ path, value: change.entry }];
  return Object.entries(change.values).map(([key, value]) => ({ path: [...path, key], value }));
}

interface Edit {
  path: JSONPath;
  value: unknown;
}

/** Sets values one after the other, in the style of the file. */
function put(text: string, edits: readonly Edit[]): string {
  return edits.reduce((edited, { path, value }) => {
    const root = parseTree(edited);
    const object = root && findNodeAtLocation(root, path.slice(0, -1));
    if (object?.type !== 'object') throw byHand(String(path[0]));
    const isThere = findNodeAtLocation(object, path.slice(-1)) !== undefined;
    const index = isThere ? 0 : findPlace(edited, object);
    if (index === undefined) throw byHand(String(path[0]), findPosition(edited, object.offset));
    const options = { formattingOptions: toStyle(edited), getInsertionIndex: () => index };
    return escapeEntry(edited, applyEdits(edited, modify(edited, path, value, options)));
  }, text);
}

/**
 * After which member a new one goes, counted from 1: the last one that has no comment after it on its line, because the comment would
 * end up after the new member. 0 is before the first, undefined is nowhere.
 */
function findPlace(text: string, { offset, children = [] }: Node): number | undefined {
  const isFree = (end: number) => !/^[ \t]*,?[ \t]*\/[/*]/.test(text.slice(end, end + 200));
  const last = children.findLastIndex((child) => isFree(child.offset + child.length));
  if (last !== -1) return last + 1;
  const first = children[0];
  if (first === undefined) return isFree(offset + 1) ? 0 : undefined;
  return text.slice(offset + 1, first.offset).trim() === '' ? 0 : undefined;
}

function toStyle(text: string): { tabSize: number; insertSpaces: boolean; eol: string } {
  const indent = /^[^\S\r\n]+(?=")/m.exec(text)?.[0] ?? '  ';
  return {
    tabSize: indent.includes('\t') ? 1 : indent.length,
    insertSpaces: !indent.includes('\t'),
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Escapes invisible characters in what was put in; what was there before stays as it is. */
function escapeEntry(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.slice(0, start) + escapeJson(after.slice(start, after.length - end)) + after.slice(after.length - end);
}
