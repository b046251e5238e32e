import { type CST, type Document, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
import { type End, judgeBlockText } from './block.ts';
import type { Findings, Span } from './findings.ts';
import { addBarePair, isBarePair, judgeFlow, judgeItemInBraces } from './flow.ts';
import { judgeItem } from './item.ts';
import { addCounting, addDuplicate, isCounting, judgeDash, readKey } from './key.ts';
import { isNode, type Passage, spanOf, textOf, toSpot } from './passage.ts';
import { judgeScalar } from './scalar.ts';
import type { Spot } from './spot.ts';

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

/** What the nodes are judged against, and what is gathered on the way. */
interface Walk extends Passage {
  /** What a scalar is the last of; the outer is noted before the inner. */
  readonly ends: Map<unknown, End>;
  readonly numbers: Spot[];
  readonly textual: readonly string[];
}

/**
 * Judges every node of a document whose root is a block mapping, and reads it as JSON.
 *
 * @param start - the offset of its text in the file
 * @param textual - the fields that hold strings, and nothing else in what is nested
 */
export function judgeTree(
  source: string,
  start: number,
  root: YAMLMap,
  textual: readonly string[],
  findings: Findings,
): Tree {
  const ends = new Map<unknown, End>([[findLast(root), 'frontmatter']]);
  const numbers: Spot[] = [];
  return { ...readMap(root, undefined, { source, start, textual, findings, ends, numbers }), numbers };
}

/** Only the root has no context. */
function readMap(
  map: YAMLMap,
  context: Context | undefined,
  walk: Walk,
): { json: JsonObject; fields: Map<string, Field> } {
  const json: Record<string, JsonValue> = {};
  const fields = new Map<string, Field>();
  const flow = map.flow === true;
  if (!flow) noteEnd(map, walk.ends);
  else if (context?.flow !== true) judgeFlow(map, walk);
  const keys = { map, counting: isCounting(map), passage: walk };
  for (const [index, pair] of map.items.entries()) {
    const key = readKey(index, keys);
    if (key === undefined) {
      // What stands below a key that is no text is judged all the same.
      const written = isNode(pair.key) && !flow ? textOf(spanOf(pair.key, walk), walk) : '';
      const label = written === '' ? '' : `${written}: `;
      readNode(pair.value, { role: 'value', flow, braces: flow, label, textual: context?.textual ?? false }, walk);
      continue;
    }
    const { name, spot } = key;
    judgeDash(index, map, context === undefined, spot, walk.findings);
    const before = fields.get(name);
    if (before !== undefined) addDuplicate(name, spot, before.key, walk.findings);
    const label = flow ? '' : `${spot.raw}: `;
    const textual = context === undefined ? walk.textual.includes(name) : context.textual;
    const value = readNode(pair.value, { role: 'value', flow, braces: flow, label, textual }, walk);
    const valueSpan = isNode(pair.value) && pair.value.range ? spanOf(pair.value, walk) : spot;
    const next = map.items[index + 1]?.key;
    fields.set(name, {
      key: spot,
      end: isNode(next) && next.range ? walk.start + next.range[0] : walk.start + walk.source.length,
      value: valueSpan.end > valueSpan.start ? valueSpan : spot,
      json: value,
      node: pair.value,
    });
    if (name !== '__proto__') json[name] = value;
  }
  if (keys.counting) addCounting(map, walk);
  return { json, fields };
}

function readSeq(seq: YAMLSeq, context: Context, walk: Walk): readonly JsonValue[] {
  const flow = seq.flow === true;
  if (!flow) noteEnd(seq, walk.ends);
  else if (!context.flow) judgeFlow(seq, walk);
  const items = (seq as { srcToken?: CST.BlockSequence | CST.FlowCollection }).srcToken?.items ?? [];
  return seq.items.map((item, index) => {
    const dash = items[index]?.start.find(({ type }) => type === 'seq-item-ind');
    if (isMap(item) || isSeq(item)) {
      const end = findLast(item);
      if (walk.ends.get(end) !== 'frontmatter') walk.ends.set(end, 'item');
    }
    if (!flow && dash !== undefined) judgeItem(item, dash.offset, walk);
    if (isBarePair(item, seq, walk)) {
      addBarePair(item, seq, walk);
      return null;
    }
    const { braces, textual } = context;
    return readNode(item, { role: 'item', flow, braces, label: flow ? '' : '- ', textual }, walk);
  });
}

function readNode(node: unknown, context: Context, walk: Walk): JsonValue {
  if (isMap(node)) return readMap(node, context, walk).json;
  if (isSeq(node)) return readSeq(node, context, walk);
  if (!isScalar(node)) return null;
  const { ends, findings, numbers } = walk;
  const spot = toSpot(node, spanOf(node, walk), context, walk);
  if (context.braces && context.role === 'item') judgeItemInBraces(spot, findings);
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') judgeBlockText(spot, ends.get(node), findings);
  else if (spot.raw !== '') judgeScalar(spot, findings);
  const { value } = node;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && String(value) !== spot.raw) numbers.push(spot);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** That a scalar ends the frontmatter or a list item says more, and stays. */
function noteEnd(node: YAMLMap | YAMLSeq, ends: Map<unknown, End>): void {
  const last = findLast(node);
  if (!ends.has(last)) ends.set(last, 'collection');
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
