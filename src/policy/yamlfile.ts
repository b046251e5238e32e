import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { PolicyError } from './fault.ts';

/** UTF-16 units of a file, at the most. */
const LONGEST = 1024 * 1024;

/** A value of the file, with its place. What is asked for and is not there is a {@link PolicyError}. */
export class Value {
  readonly #node: unknown;
  readonly #lines: LineCounter;
  readonly #at: number;
  /** What it is, for messages: `"rules"`. */
  readonly what: string;

  constructor(node: unknown, what: string, lines: LineCounter, at: number) {
    this.#node = node;
    this.what = what;
    this.#lines = lines;
    this.#at = (node as Node | null)?.range?.[0] ?? at;
    if (isAlias(node)) throw this.fault(`${what} is an alias: write the value itself`);
  }

  /** 1-based. */
  get place(): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(this.#at);
    return { line, column: col };
  }

  fault(message: string): PolicyError {
    return new PolicyError(message, this.place);
  }

  /** Its members, of which each has to be one of these. */
  members(known: readonly string[]): ReadonlyMap<string, Value> {
    const members = this.entries();
    for (const [key, value] of members) {
      if (!known.includes(key)) throw value.fault(`${this.what} has no member "${key}": it has ${known.join(', ')}`);
    }
    return members;
  }

  /** Its members, whatever their names. */
  entries(): ReadonlyMap<string, Value> {
    if (!isMap(this.#node)) throw this.fault(`${this.what} is not a mapping`);
    return new Map(
      (this.#node as YAMLMap<unknown, unknown>).items.map(({ key, value }) => {
        const name = this.#child(key, `a name in ${this.what}`);
        const text = name.text();
        return [text, this.#child(value, `"${text}"`, name.#at)] as const;
      }),
    );
  }

  items(): readonly Value[] {
    if (!isSeq(this.#node)) throw this.fault(`${this.what} is not a list`);
    return this.#node.items.map((item, index) => this.#child(item, `item ${index + 1} of ${this.what}`));
  }

  /** A list of strings that is not empty. */
  texts(): readonly { readonly text: string; readonly value: Value }[] {
    const items = this.items();
    if (items.length === 0) throw this.fault(`${this.what} is empty`);
    return items.map((value) => ({ text: value.text(), value }));
  }

  text(): string {
    const value = isScalar(this.#node) ? this.#node.value : undefined;
    if (typeof value !== 'string') throw this.fault(`${this.what} is not a string${quoteIt(this.#node)}`);
    if (value === '') throw this.fault(`${this.what} is empty`);
    return value;
  }

  /** The value as it is, where it is a scalar. */
  scalar(): unknown {
    return isScalar(this.#node) ? this.#node.value : undefined;
  }

  #child(node: unknown, what: string, at = this.#at): Value {
    return new Value(node, what, this.#lines, at);
  }
}

function quoteIt(node: unknown): string {
  return isScalar(node) && typeof node.source === 'string' ? `: write "${node.source}"` : '';
}

/**
 * Parses YAML 1.2, of which JSON is a part.
 *
 * @throws PolicyError for a text that is neither
 */
export function parsePolicyText(text: string): Value {
  const lines = new LineCounter();
  if (text.length > LONGEST) {
    throw new PolicyError(`the file is longer than ${LONGEST} characters`, { line: 1, column: 1 });
  }
  const document = parseDocument(text, { version: '1.2', schema: 'core', lineCounter: lines, prettyErrors: false });
  const [error = document.warnings[0]] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new PolicyError(`not YAML: ${lowerFirst(error.message)}`, { line, column: col });
  }
  return new Value(document.contents, 'the policy', lines, 0);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
