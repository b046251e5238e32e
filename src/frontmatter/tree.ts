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
import { judgeBlock } from './block.ts';
import type { Findings, Span } from './findings.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { quoteText, showText } from './quote.ts';
import { isWellFormed, judgeScalar, type Spot } from './scalar.ts';

/** A top-level field: where it stands and what it holds. */
export interface Field {
  readonly key: Span;
  readonly value: Span;
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
  readonly label: string;
  /** The place to name when the node itself is written as nothing. */
  readonly fallback: Span;
}

/** Judges every node of a document whose root is a block mapping, and reads it as JSON. `start` is the offset of its text in SKILL.md. */
export function judgeTree(source: string, start: number, root: YAMLMap, findings: Findings): Tree {
  const last = findLast(root);
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
    for (const pair of map.items) {
      const key = readKey(pair, map, flow);
      if (key === undefined) continue;
      const { name, span } = key;
      const fallback = span;
      const label = `${source.slice(span.start - start, span.end - start)}: `;
      const before = fields.get(name);
      if (before !== undefined) addDuplicate(name, span, before.key);
      const value = readNode(pair.value, { role: 'value', flow, label: flow ? '' : label, fallback });
      const valueSpan = isNode(pair.value) && pair.value.range ? spanOf(pair.value) : span;
      fields.set(name, {
        key: span,
        value: valueSpan.end > valueSpan.start ? valueSpan : span,
        json: value,
        node: pair.value,
      });
      if (name !== '__proto__') json[name] = value;
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
    const spot = toSpot(key, span, { role: 'key', flow, label: '' });
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
    judgeReserved(value, span);
    judgeColon(pair, flow);
    if (!isWellFormed(value)) return undefined;
    return { name: value, span };
  }

  function pointAt(pair: Pair, span: Span): Span {
    const colon = (pair as { srcToken?: CST.CollectionItem }).srcToken?.sep?.find(
      ({ type }) => type === 'map-value-ind',
    );
    return colon === undefined ? span : { start: start + colon.offset, end: start + colon.offset + 1 };
  }

  function judgeReserved(name: string, span: Span): void {
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
    }
  }

  /** Inside braces a key needs a colon and a blank after it, and a value. */
  function judgeColon(pair: Pair, flow: boolean): void {
    if (!flow) return;
    const { key } = pair;
    const item = (pair as { srcToken?: CST.CollectionItem }).srcToken;
    const colon = item?.sep?.find(({ type }) => type === 'map-value-ind');
    const span = isNode(key) && key.range ? spanOf(key) : { start, end: start };
    const raw = source.slice(span.start - start, span.end - start);
    const empty = isScalar(pair.value) ? pair.value.type === 'PLAIN' && pair.value.source === '' : pair.value === null;
    if (colon === undefined || empty) {
      findings.add(span, {
        code: 'yaml-ambiguous',
        message: `the key ${showText(raw)} inside braces has no value, which YAML readers read differently`,
        hint: `write ${raw}: null, or put the whole text in quotes`,
      });
    } else if (source[colon.offset + 1] !== ' ') {
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
    const items = (seq as { srcToken?: CST.BlockSequence | CST.FlowCollection }).srcToken?.items ?? [];
    return seq.items.map((item, index) => {
      const dash = items[index]?.start.find(({ type }) => type === 'seq-item-ind');
      const fallback = dash === undefined ? spanOf(seq) : { start: start + dash.offset, end: start + dash.offset + 1 };
      if (!flow && dash !== undefined) judgeItem(item, dash.offset, fallback);
      if (isPair(item) || (flow && isMap(item) && isBare(item))) {
        findings.add(isNode(item) && item.range ? spanOf(item) : spanOf(seq), {
          code: 'yaml-unportable',
          message: 'a "key: value" pair inside brackets is refused by some YAML readers',
          hint: 'put it in quotes, or in braces',
        });
        return null;
      }
      return readNode(item, { role: 'item', flow, label: flow ? '' : '- ', fallback });
    });
  }

  /** A pair that stands in brackets without braces of its own. */
  function isBare(map: YAMLMap): boolean {
    return source[map.range?.[0] ?? 0] !== '{';
  }

  /** What a list item holds begins beside its dash: readers part over dashes that stand alone. */
  function judgeItem(item: unknown, dash: number, span: Span): void {
    const from = isNode(item) ? (item.range?.[0] ?? dash) : dash;
    const empty = !isNode(item) || (isScalar(item) && item.type === 'PLAIN' && item.source === '');
    if (!empty && !source.slice(dash, from).includes('\n')) return;
    findings.add(span, {
      code: 'yaml-ambiguous',
      message: empty
        ? 'an empty list item is read differently by YAML readers'
        : 'a list item that begins on the line below its dash is read differently by YAML readers',
      hint: empty ? 'write - null or - ""' : 'begin it on the line of the dash',
    });
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
    const spot = toSpot(node, spanOf(node), context);
    if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') judgeBlock(spot, node === last, findings);
    else if (spot.raw !== '') judgeScalar(spot, findings);
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && String(value) !== spot.raw) numbers.push(spot);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  function toSpot(node: Scalar, span: Span, place: { role: Spot['role']; flow: boolean; label: string }): Spot {
    const from = span.start - start;
    const to = span.end - start;
    return { ...span, ...place, node, raw: source.slice(from, to), source, at: from };
  }

  return { ...readMap(root, undefined), numbers };
}

function isNode(value: unknown): value is { range?: readonly [number, number, number] | null } {
  return typeof value === 'object' && value !== null && 'range' in value;
}

/** The scalar that ends the frontmatter, if no bracket does. */
function findLast(root: YAMLMap): unknown {
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
