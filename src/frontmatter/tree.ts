import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type End, judgeBlockText } from './block.ts';
import type { Findings, Span } from './findings.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { findLineStart } from './lines.ts';
import { quoteText, showText } from './quote.ts';
import { isWellFormed, judgeScalar, type Spot } from './scalar.ts';

/** A top-level field: where it stands and what it holds. */
export interface Field {
  readonly key: Span;
  /** Of the key, where the value is written as nothing. */
  readonly value: Span;
  /** Where the next field begins. */
  readonly end: number;
  readonly json: JsonValue;
  readonly node: unknown;
}

/** The document as JSON, and its fields by key. */
export interface Tree {
  readonly json: JsonObject;
  readonly fields: ReadonlyMap<string, Field>;
  /** Numbers whose JSON is written otherwise, such as `1.0`. */
  readonly numbers: readonly Spot[];
}

/** Where a node stands, for its judgement and its hints. */
interface Context {
  readonly role: 'value' | 'item';
  readonly flow: boolean;
  /** Inside braces, however deep. */
  readonly braces: boolean;
  readonly textual: boolean;
  readonly label: string;
}

/** Fields that hold text or, in `metadata`, only texts. */
const TEXTS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'allowed-tools',
  'metadata',
]);

/** Judges every node of a document whose root is a block mapping, and reads it as JSON. `start` is the offset of its text in SKILL.md. */
export function judgeTree(source: string, start: number, root: YAMLMap, findings: Findings): Tree {
  const ends = new Map<unknown, End>([[findLast(root), 'frontmatter']]);
  const numbers: Spot[] = [];

  function spanOf(node: { readonly range?: readonly [number, number, number] | null }): Span {
    const [from, to] = node.range ?? [0, 0];
    return { start: start + from, end: start + to };
  }

  function readMap(map: YAMLMap, context: Context | undefined): { json: JsonObject; fields: Map<string, Field> } {
    const json: Record<string, JsonValue> = {};
    const fields = new Map<string, Field>();
    const flow = map.flow === true;
    if (flow) judgeFlow(map, context);
    const tail = findLast(map);
    if (!flow && !ends.has(tail)) ends.set(tail, 'collection');
    for (const [index, pair] of map.items.entries()) {
      const key = readKey(pair, map, flow);
      if (key === undefined) {
        // What stands below a key that is no text is judged all the same.
        const label =
          isNode(pair.key) && pair.key.range && !flow ? `${source.slice(pair.key.range[0], pair.key.range[1])}: ` : '';
        readNode(pair.value, { role: 'value', flow, braces: flow, label, textual: context?.textual ?? false });
        continue;
      }
      const { name, span } = key;
      if (!flow && (index > 0 ? isEmpty(map.items[index - 1]?.value) : map !== root)) judgeDash(pair, span);
      const label = `${source.slice(span.start - start, span.end - start)}: `;
      const before = fields.get(name);
      if (before !== undefined) addDuplicate(name, span, before.key);
      const value = readNode(pair.value, {
        role: 'value',
        flow,
        braces: flow,
        label: flow ? '' : label,
        textual: context === undefined ? TEXTS.has(name) : context.textual,
      });
      const valueSpan = isNode(pair.value) && pair.value.range ? spanOf(pair.value) : span;
      const next = map.items[index + 1]?.key;
      fields.set(name, {
        key: span,
        end: isNode(next) && next.range ? start + next.range[0] : start + source.length,
        value: valueSpan.end > valueSpan.start ? valueSpan : span,
        json: value,
        node: pair.value,
      });
      if (name !== '__proto__') json[name] = value;
    }
    if (fields.size > 0 && [...fields.keys()].every((name, index) => name === String(index))) {
      const first = fields.get('0')?.key ?? spanOf(map);
      findings.add(first, {
        code: 'yaml-ambiguous',
        message: 'a mapping whose keys count up from "0" is a list for some YAML readers',
        hint: 'write a list, or rename the keys',
      });
    }
    return { json, fields };
  }

  function addDuplicate(name: string, span: Span, first: Span): void {
    findings.add(span, {
      code: 'duplicate-key',
      message: `the key ${showText(name)} stands twice: on line ${findings.placeOf(first).line} and on line ${findings.placeOf(span).line}`,
      hint: 'remove one of the two',
    });
  }

  function readKey(pair: Pair, map: YAMLMap, flow: boolean): { name: string; span: Span } | undefined {
    const { key } = pair;
    if (!isScalar(key)) {
      if (isNode(key) && !isAlias(key)) addCollectionKey(map, key);
      return undefined;
    }
    const span = spanOf(key);
    const spot = toSpot(key, span, 'key', flow, true, '');
    const block = key.type === 'BLOCK_LITERAL' || key.type === 'BLOCK_FOLDED';
    if (block) {
      findings.add(span, {
        code: 'non-string-key',
        message: 'a text below "|" or ">" stands where a key is needed',
        hint: 'write key: value',
      });
      return undefined;
    }
    judgeScalar(spot.raw === '' ? { ...spot, ...pointAt(pair, span) } : spot, findings);
    const { value } = key;
    if (typeof value !== 'string') return undefined;
    judgeReserved(key, value, span);
    judgeColon(pair, span, flow);
    if (!isWellFormed(value)) return undefined;
    return { name: value, span };
  }

  function pointAt(pair: Pair, span: Span): Span {
    const colon = findColon(pair);
    return colon === undefined ? span : { start: start + colon.offset, end: start + colon.offset + 1 };
  }

  function judgeReserved(key: Scalar, name: string, span: Span): void {
    if (name === '__proto__') {
      findings.add(span, {
        code: 'yaml-unportable',
        message: 'the key "__proto__" is refused by some YAML readers',
        hint: 'rename it',
      });
    } else if (name === '<<') {
      findings.add(span, {
        code: 'yaml-ambiguous',
        message: 'the key "<<" merges mappings in YAML 1.1 and is text in YAML 1.2',
        hint: 'rename it',
      });
    } else if (key.type === 'PLAIN' && name.endsWith('<<')) {
      const quoted = quoteText(name);
      findings.add(span, {
        code: 'yaml-unportable',
        message: `the key ${showText(name)} ends with "<<", which merges mappings for some YAML readers`,
        hint: `quote it: ${quoted}:`,
        edits: [{ ...span, text: quoted }],
      });
    }
  }

  /** A key that begins with `-` on the line below nothing is a list item to some reader. */
  function judgeDash(pair: Pair, span: Span): void {
    if (!isScalar(pair.key) || pair.key.type !== 'PLAIN' || source[span.start - start] !== '-') return;
    const raw = source.slice(span.start - start, span.end - start);
    findings.add(span, {
      code: 'yaml-ambiguous',
      message: `the key ${showText(raw)} begins with "-" below a key without a value, and is a list item for some YAML readers`,
      hint: `quote it: ${quoteText(raw)}:`,
      edits: [{ ...span, text: quoteText(raw) }],
    });
  }

  /** A colon stands on the line of its key; inside braces a blank and a value follow it. */
  function judgeColon(pair: Pair, span: Span, flow: boolean): void {
    const colon = findColon(pair);
    const raw = source.slice(span.start - start, span.end - start);
    if (colon !== undefined && source.slice(span.end - start, colon.offset).includes('\n')) {
      findings.add(span, {
        code: 'yaml-unportable',
        message: 'a key whose colon stands on another line is refused by most YAML readers',
        hint: `write ${raw}: on one line`,
      });
    }
    if (!flow) return;
    if (colon === undefined || isEmpty(pair.value)) {
      findings.add(span, {
        code: 'yaml-ambiguous',
        message: `the key ${showText(raw)} inside braces has no value, which YAML readers read differently`,
        hint: `write ${raw}: null, or put the whole text in quotes`,
      });
    } else if (!(/^["']/.test(raw) ? /[ \w"'[{]/ : / /).test(source[colon.offset + 1] ?? '')) {
      findings.add(span, {
        code: 'yaml-ambiguous',
        message: 'a colon inside braces without a space after it is part of the key for some YAML readers',
        hint: `write ${raw}: and a space before the value`,
      });
    }
  }

  function addCollectionKey(map: YAMLMap, key: unknown): void {
    const span = spanOf(isNode(key) ? key : map);
    const whole = spanOf(map);
    const raw = source.slice(whole.start - start, whole.end - start);
    const kind = isSeq(key) ? 'a list' : 'a mapping';
    const template = map.flow === true && raw.startsWith('{{');
    findings.add(template ? whole : span, {
      code: 'non-string-key',
      message: template
        ? `${showText(raw)} is a mapping whose key is a mapping, not text: a template placeholder was left unquoted`
        : `${kind} stands where a key is needed`,
      hint: template ? `fill the placeholder in, or quote it: ${quoteText(raw)}` : 'write key: value',
    });
  }

  function readSeq(seq: YAMLSeq, context: Context): readonly JsonValue[] {
    const flow = seq.flow === true;
    if (flow) judgeFlow(seq, context);
    const tail = findLast(seq);
    if (!flow && !ends.has(tail)) ends.set(tail, 'collection');
    const items = (seq as { srcToken?: CST.BlockSequence | CST.FlowCollection }).srcToken?.items ?? [];
    return seq.items.map((item, index) => {
      const dash = items[index]?.start.find(({ type }) => type === 'seq-item-ind');
      if (isMap(item) || isSeq(item)) {
        const end = findLast(item);
        if (ends.get(end) !== 'frontmatter') ends.set(end, 'item');
      }
      if (!flow && dash !== undefined) judgeItem(item, dash.offset);
      if (isPair(item) || (flow && isMap(item) && isBare(item))) {
        findings.add(isNode(item) && item.range ? spanOf(item) : spanOf(seq), {
          code: 'yaml-unportable',
          message: 'a "key: value" pair inside brackets is refused by some YAML readers',
          hint: 'put it in quotes, or in braces',
        });
        return null;
      }
      const { braces, textual } = context;
      return readNode(item, { role: 'item', flow, braces, label: flow ? '' : '- ', textual });
    });
  }

  /** A pair that stands in brackets without braces of its own. */
  function isBare(map: YAMLMap): boolean {
    return source[map.range?.[0] ?? 0] !== '{';
  }

  /** What a list item holds begins beside its dash: readers part over dashes that stand alone. */
  function judgeItem(item: unknown, dash: number): void {
    const span = { start: start + dash, end: start + dash + 1 };
    const from = isNode(item) ? (item.range?.[0] ?? dash) : dash;
    const between = source.slice(dash, from);
    const empty = isEmpty(item);
    if (empty ? isClearlyEmpty(dash) : /^-[^#\n]*(?:\n[^#\n]*)?$/.test(between)) return;
    // Between a dash that stands alone and its mapping, readers take lines of comments for nothing.
    if (isMap(item) && item.flow !== true && /^-[ \r]*\n(?: *#[^\n]*\n)+ *$/.test(between)) return;
    findings.add(span, {
      code: 'yaml-ambiguous',
      message: empty
        ? 'an empty list item is read differently by YAML readers'
        : 'a list item that begins below an empty line or a comment after its dash is read differently by YAML readers',
      hint: empty ? 'write - null or - ""' : 'begin it on the line of the dash',
    });
  }

  /** A dash alone on its line is read alike when the next item, a line that is indented less, or nothing at all follows directly. */
  function isClearlyEmpty(dash: number): boolean {
    const lineStart = findLineStart(source, dash);
    const indent = dash - lineStart;
    const feed = source.indexOf('\n', dash);
    const own = source.slice(lineStart, feed === -1 ? source.length : feed).trim();
    if (own !== '-') return false;
    if (feed === -1) return true;
    const end = source.indexOf('\n', feed + 1);
    const next = source.slice(feed + 1, end === -1 ? source.length : end).trimEnd();
    const text = next.trimStart();
    const deep = next.length - text.length;
    if (text === '') return source.slice(feed).trim() === '';
    if (/^-(?: |$)/.test(text)) return deep === indent;
    return deep < indent && !text.startsWith('#');
  }

  function judgeFlow(node: YAMLMap | YAMLSeq, context: Context | undefined): void {
    const span = spanOf(node);
    const raw = source.slice(span.start - start, span.end - start);
    if (!raw.includes('\n')) return;
    if (context?.flow === true) return;
    findings.add(span, {
      code: 'yaml-unportable',
      message: `${isSeq(node) ? 'a list in brackets' : 'a mapping in braces'} over several lines is refused by some YAML readers`,
      hint: isSeq(node)
        ? 'write it on one line, or each item on a line of its own after - '
        : 'write it on one line, or each key on a line of its own',
    });
  }

  function readNode(node: unknown, context: Context): JsonValue {
    if (isMap(node)) return readMap(node, context).json;
    if (isSeq(node)) return readSeq(node, context);
    if (!isScalar(node)) return null;
    const spot = toSpot(node, spanOf(node), context.role, context.flow, context.textual, context.label);
    if (context.braces && context.role === 'item') judgeItemInBraces(spot);
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') judgeBlockText(spot, ends.get(node), findings);
    else if (spot.raw !== '') judgeScalar(spot, findings);
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && String(value) !== spot.raw) numbers.push(spot);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  /** A colon splits unquoted text in a list inside braces, for one reader even where no blank follows. */
  function judgeItemInBraces(spot: Spot): void {
    if (spot.node.type !== 'PLAIN' || !spot.raw.includes(':')) return;
    const quoted = quoteText(String(spot.node.source));
    findings.add(spot, {
      code: 'yaml-ambiguous',
      message: 'a colon in unquoted text of a list inside braces splits it for some YAML readers',
      hint: `quote it: ${quoted}`,
      edits: [{ start: spot.start, end: spot.end, text: quoted }],
    });
  }

  function toSpot(node: Scalar, span: Span, role: Spot['role'], flow: boolean, textual: boolean, label: string): Spot {
    const at = span.start - start;
    const raw = source.slice(at, span.end - start);
    return { start: span.start, end: span.end, role, flow, textual, label, node, raw, source, at };
  }

  return { ...readMap(root, undefined), numbers };
}

function isNode(value: unknown): value is { range?: readonly [number, number, number] | null } {
  return typeof value === 'object' && value !== null && 'range' in value;
}

function findColon(pair: Pair): CST.SourceToken | undefined {
  const item = (pair as { srcToken?: CST.CollectionItem }).srcToken;
  return item?.sep?.find(({ type }) => type === 'map-value-ind');
}

/** Whether a value is written as nothing at all. */
function isEmpty(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.type === 'PLAIN' && node.source === '');
}

/** The scalar that ends a mapping or list, if no bracket does. */
function findLast(root: YAMLMap | YAMLSeq): unknown {
  let node: unknown = root;
  for (;;) {
    if ((isMap(node) || isSeq(node)) && node.flow === true) return undefined;
    if (isMap(node)) node = node.items.at(-1)?.value;
    else if (isSeq(node)) node = node.items.at(-1);
    else return node;
  }
}

/** Whether the document's root is what a frontmatter must be: a mapping with each key on a line of its own. */
export function findRoot(document: Document.Parsed): YAMLMap | undefined {
  const { contents } = document;
  return isMap(contents) && contents.flow !== true ? contents : undefined;
}
