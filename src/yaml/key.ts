import { type CST, isAlias, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import type { Rewrite } from '../messages/rewrite.ts';
import { type KeyTaking, say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import { quoteText } from '../text/quote.ts';
import type { Findings, Span } from './findings.ts';
import { judgePairInBraces } from './flow.ts';
import { isEmpty, isNode, type Passage, type Ranged, spanOf, textOf, toSpot } from './passage.ts';
import { isWellFormed, judgeScalar } from './scalar.ts';
import type { Spot } from './spot.ts';
import { quoteEdit } from './unquoted.ts';

const BLOCK_KEY = { role: 'key', flow: false, textual: true, label: '' } as const;
const FLOW_KEY = { ...BLOCK_KEY, flow: true } as const;

/** The keys of one mapping, and what they are judged against. */
interface Keys {
  readonly map: YAMLMap;
  /** Whether they count up from 0: quotes do not repair that. */
  readonly counting: boolean;
  readonly passage: Passage;
}

/** Judges the key of a pair, and reads its name: undefined where it is none to publish. */
export function readKey(index: number, { map, counting, passage }: Keys): { name: string; spot: Spot } | undefined {
  const pair = map.items[index] as Pair;
  const { key } = pair;
  if (!isScalar(key)) {
    if (isNode(key) && !isAlias(key)) addCollectionKey(key, map, passage);
    return undefined;
  }
  const span = spanOf(key, passage);
  if (key.type === 'BLOCK_LITERAL' || key.type === 'BLOCK_FOLDED') {
    passage.findings.add(span, say('non-string-key/block'));
    return undefined;
  }
  const flow = map.flow === true;
  const spot = toSpot(key, span, flow ? FLOW_KEY : BLOCK_KEY, passage);
  const colon = findColon(pair);
  const isPaired = !flow || judgePairInBraces(index, map, spot, colon?.offset, passage);
  if (spot.node.type !== 'PLAIN' || (isPaired && !counting)) {
    judgeScalar(spot.raw === '' ? { ...spot, ...pointAt(colon, span, passage) } : spot, passage.findings);
  }
  const { value, source } = key;
  if (typeof value === 'string') judgeReserved(spot, value, passage.findings);
  judgeColon(spot, colon, passage);
  // A number or word without quotes is the same key as the one in quotes, for some parsers.
  const name = typeof value === 'string' ? value : (source ?? '');
  if (!isWellFormed(name) || (name === '' && typeof value !== 'string')) return undefined;
  return { name, spot };
}

function addCollectionKey(key: Ranged, map: YAMLMap, passage: Passage): void {
  const whole = spanOf(map, passage);
  const raw = textOf(whole, passage);
  if (map.flow === true && raw.startsWith('{{')) {
    passage.findings.add(whole, say('non-string-key/template', { text: raw }));
    return;
  }
  const kind = isSeq(key) ? 'a list' : 'a mapping';
  passage.findings.add(spanOf(key, passage), say('non-string-key/collection', { kind }));
}

/** Where a key that is written as nothing is reported: at its colon. */
function pointAt(colon: CST.SourceToken | undefined, span: Span, { start }: Passage): Span {
  return colon === undefined ? span : { start: start + colon.offset, end: start + colon.offset + 1 };
}

function findColon(pair: Pair): CST.SourceToken | undefined {
  const item = (pair as { srcToken?: CST.CollectionItem }).srcToken;
  return item?.sep?.find(({ type }) => type === 'map-value-ind');
}

function judgeReserved(spot: Spot, name: string, findings: Findings): void {
  if (name === '__proto__') {
    findings.add(spot, say('yaml-unportable/key-proto'));
  } else if (name === '<<') {
    findings.add(spot, say('yaml-ambiguous/key-merges'));
  } else if (spot.node.type === 'PLAIN' && name.endsWith('<<')) {
    addUnquoted(spot, 'yaml-unportable/key-merges', findings);
  }
}

/** A colon is on the line of its key. */
function judgeColon(spot: Spot, colon: CST.SourceToken | undefined, { source, findings }: Passage): void {
  if (colon === undefined) return;
  const between = source.slice(spot.at + spot.raw.length, colon.offset);
  if (!between.includes('\n')) return;
  const isExplicit = /\?[ \t]*$/.test(source.slice(findLineStart(source, spot.at), spot.at));
  findings.add(spot, {
    ...say('yaml-unportable/key-colon-below', { key: spot.raw }),
    ...(between.trim() === '' && !isExplicit
      ? { edits: [{ start: spot.end, end: spot.end + between.length, text: '' }] }
      : {}),
  });
}

/** A key that begins with `-` below nothing, or below a list that is indented as the key is, is a list item to some parser. */
export function judgeDash(index: number, map: YAMLMap, isRoot: boolean, spot: Spot, findings: Findings): void {
  if (map.flow === true || spot.node.type !== 'PLAIN' || !spot.raw.startsWith('-')) return;
  const above = map.items[index - 1]?.value;
  if (index === 0 ? !isRoot : isEmpty(above)) {
    addUnquoted(spot, 'yaml-ambiguous/key-dash', findings);
  } else if (
    isSeq(above) &&
    above.flow !== true &&
    countIndent(spot.source, above.range?.[0] ?? 0) === countIndent(spot.source, spot.at)
  ) {
    addUnquoted(spot, 'yaml-unportable/key-dash', findings);
  }
}

function countIndent(source: string, at: number): number {
  return at - findLineStart(source, at);
}

function addUnquoted(
  spot: Spot,
  key: KeyTaking<{ readonly key: string; readonly repair: Rewrite }>,
  findings: Findings,
): void {
  const quoted = quoteText(spot.raw);
  const repair: Rewrite = { how: 'quote', text: `${quoted}:` };
  findings.add(spot, { ...say(key, { key: spot.raw, repair }), edits: [quoteEdit(spot, quoted)] });
}

export function addDuplicate(name: string, span: Span, first: Span, findings: Findings): void {
  const lines = { first: findings.placeOf(first).line, second: findings.placeOf(span).line };
  findings.add(span, say('duplicate-key', { key: name, ...lines }));
}

/** Whether the keys of a mapping count up from 0, in quotes or not. */
export function isCounting(map: YAMLMap): boolean {
  return map.items.length > 0 && map.items.every(({ key }, index) => isScalar(key) && key.source === String(index));
}

/** Keys that count up from 0 are the indexes of a list to some parser. */
export function addCounting(map: YAMLMap, passage: Passage): void {
  passage.findings.add(spanOf(map.items[0]?.key as Ranged, passage), say('yaml-ambiguous/keys-count'));
}
