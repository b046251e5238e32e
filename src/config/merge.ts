import { isDeepStrictEqual } from 'node:util';
import { CommandError, EXIT } from '../error.ts';
import type { Value } from './host.ts';
import { isMapping, pick } from './mapping.ts';
import { isOurs } from './started.ts';

/** The entry that a file is to hold, and where. */
export interface Wanted {
  /** The key that holds the servers, as in `mcpServers`. */
  container: string;
  /** The server's name in it. */
  name: string;
  entry: { readonly [key: string]: Value };
  /** The keys of the entry that are rewritten where it is there already; the others are its owner's. */
  launchKeys: readonly string[];
}

/** A textual edit of an entry that is there. */
export type Change =
  | { kind: 'update'; values: { readonly [key: string]: Value } }
  | { kind: 'replace'; entry: Wanted['entry'] };

/** What a format can do. All of it throws a CommandError with the position of what cannot be read or changed. */
export interface Syntax {
  print: (wanted: Wanted) => string;
  parse: (text: string) => unknown;
  /** The text with an entry that it does not have. */
  add: (text: string, wanted: Wanted) => string;
  /** The text with an entry changed; absent where nothing well kept edits the format. */
  change?: (text: string, wanted: Wanted, change: Change) => string;
  /** The comments of a text that can be parsed, in their order; needed where `change` is there. */
  findComments?: (text: string) => string[];
}

/**
 * `text` with the entry in it, everything else byte for byte as it was; `text` itself when nothing is to be done.
 * An entry of that name which starts another server is replaced only with `force`; where the format is only added to, an entry that
 * differs is never replaced.
 *
 * The edit is textual, so the result is read again: unless everything else still reads the same, comments as well, nothing is returned.
 *
 * @throws PasteError where a person has to make the edit
 */
export function mergeEntry(syntax: Syntax, text: string, wanted: Wanted, options: { force: boolean }): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(mark.length);
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  if (body.trim() === '') return mark + syntax.print(wanted).replaceAll('\n', eol);
  const before = syntax.parse(body);
  const existing = pick(pick(before, wanted.container), wanted.name);
  if (existing === undefined) {
    const added = syntax.add(body, wanted);
    verify(syntax, before, added, wanted);
    return mark + added;
  }
  const change = toChange(existing, wanted, options.force, syntax);
  if (change === undefined) return text;
  const after = syntax.change?.(body, wanted, change) ?? body;
  verify(syntax, before, after, wanted, change);
  const isOrdered = change.kind === 'replace' && options.force;
  // Of a line that ends with CRLF, some parsers count the CR as part of the comment.
  const comments = (each: string) => syntax.findComments?.(each).map((comment) => comment.trimEnd());
  if (!isOrdered && !isDeepStrictEqual(comments(body), comments(after))) throw commentLost(wanted, change);
  return mark + after;
}

/** How an entry that is there comes to be the wanted one; undefined where it is. */
function toChange(existing: unknown, wanted: Wanted, force: boolean, syntax: Syntax): Change | undefined {
  const values = wanted.launchKeys
    .map((key) => [key, wanted.entry[key]] as const)
    .filter((pair): pair is readonly [string, Value] => pair[1] !== undefined)
    .filter(([key, value]) => !isSame(pick(existing, key), value));
  const isKnown = isOurs(existing) || hasSameAddress(existing, wanted.entry);
  if (isKnown && values.length === 0) return undefined;
  if (syntax.change === undefined) throw mustPaste(wanted);
  // A name alone, with nothing below it, starts no server that could be lost.
  if (existing === null || (isMapping(existing) && Object.keys(existing).length === 0)) {
    return { kind: 'replace', entry: wanted.entry };
  }
  // Of a server that is started now and reached later, nothing can stay.
  if (isOurs(existing) && !isOurs(wanted.entry)) return { kind: 'replace', entry: wanted.entry };
  if (isKnown) return { kind: 'update', values: Object.fromEntries(values) };
  if (force) return { kind: 'replace', entry: wanted.entry };
  const message = `"${wanted.name}" is another server there: choose a name with --name, or replace it with --force`;
  throw new CommandError(EXIT.failure, message);
}

/** Whether two entries are of one server over HTTP. */
function hasSameAddress(existing: unknown, wanted: Wanted['entry']): boolean {
  return ['url', 'httpUrl', 'serverUrl', 'uri'].some(
    (key) => wanted[key] !== undefined && pick(existing, key) === wanted[key],
  );
}

function verify(syntax: Syntax, before: unknown, after: string, wanted: Wanted, change?: Change): void {
  const tree = reread(syntax, after);
  const entry = pick(pick(tree, wanted.container), wanted.name);
  const isRight =
    change?.kind === 'update'
      ? Object.entries(change.values).every(([key, value]) => isSame(pick(entry, key), value)) &&
        isDeepStrictEqual(
          without(entry, Object.keys(change.values)),
          without(pick(pick(before, wanted.container), wanted.name), Object.keys(change.values)),
        )
      : isSame(entry, wanted.entry);
  const isKept = isDeepStrictEqual(rest(before, wanted), rest(tree, wanted));
  if (!isRight || !isKept) throw byHand(wanted.container);
}

function reread(syntax: Syntax, text: string): unknown {
  try {
    return syntax.parse(text);
  } catch {
    return undefined;
  }
}

/** A file that only a person can edit: the caller shows the entry to paste. */
export class PasteError extends CommandError {
  override readonly name = 'PasteError';
}

/** The error for a file that is valid, but written in a way that no edit is known for. */
export function byHand(container: string, at?: { line: number; column: number }): PasteError {
  const message = `"${container}" is written in a way that only a person can edit: paste the entry there`;
  return new PasteError(EXIT.failure, message, { at });
}

function mustPaste({ name }: Wanted): PasteError {
  const message = `"${name}" is there and differs: choose another name with --name, or paste the entry in its place`;
  return new PasteError(EXIT.failure, message);
}

function commentLost({ name, entry }: Wanted, change: Change): CommandError {
  const texts = Object.entries(change.kind === 'update' ? change.values : entry).map(
    ([key, value]) => `${key} to ${JSON.stringify(value)}`,
  );
  return new CommandError(
    EXIT.failure,
    `a comment in "${name}" would be lost: set ${texts.join(' and ')} there yourself`,
  );
}

/** Everything but the entry. A container that the edit made, or emptied, counts as absent. */
function rest(tree: unknown, wanted: Wanted): unknown {
  const container = pick(tree, wanted.container);
  const others = isMapping(container) ? without(container, [wanted.name]) : undefined;
  if (others === undefined || Object.keys(others as object).length === 0)
    return without(tree ?? {}, [wanted.container]);
  return [without(tree, [wanted.container]), others];
}

function without(value: unknown, keys: readonly string[]): unknown {
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

// Parsers differ in prototypes and in the type of whole numbers: what counts is the JSON.
function isSame(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? Number(inner) : inner)));
  return isDeepStrictEqual(plain(left), plain(right));
}

/** What `text` holds under the name of the entry; undefined for nothing. */
export function findEntry(syntax: Syntax, text: string, wanted: Wanted): unknown {
  const body = text.replace(/^\uFEFF/, '');
  return body.trim() === '' ? undefined : pick(pick(syntax.parse(body), wanted.container), wanted.name);
}
