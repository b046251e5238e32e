import { isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { BraceRepair } from '../messages/ambiguous.ts';
import { say } from '../messages/say.ts';
import { MAX_HINT, quoteText } from '../text/quote.ts';
import type { Findings } from './findings.ts';
import { isEmpty, isNode, type Passage, type Ranged, spanOf, textOf } from './passage.ts';
import { readPlain } from './plain.ts';
import type { Spot } from './spot.ts';

/** The outermost list in brackets or mapping in braces is on one line. */
export function judgeFlow(node: YAMLMap | YAMLSeq, passage: Passage): void {
  const span = spanOf(node, passage);
  if (!textOf(span, passage).includes('\n')) return;
  const kind = isSeq(node) ? 'list' : 'mapping';
  passage.findings.add(span, say(`yaml-unportable/${kind}-over-lines`));
}

/** A pair in brackets without braces of its own. */
export function isBarePair(item: unknown, seq: YAMLSeq, { source }: Passage): boolean {
  return isPair(item) || (seq.flow === true && isMap(item) && source[item.range?.[0] ?? 0] !== '{');
}

export function addBarePair(item: unknown, seq: YAMLSeq, passage: Passage): void {
  const isPlaced = isNode(item) && item.range;
  const span = spanOf(isPlaced ? item : seq, passage);
  const raw = textOf(span, passage);
  const isExplicit = /\?\s*$/.test(passage.source.slice(0, span.start - passage.start));
  const isShown = isPlaced && !isExplicit && raw.length <= MAX_HINT && /^\S.*: .*\S$/.test(raw);
  const repair = { text: isShown ? raw : undefined };
  passage.findings.add(span, say('yaml-unportable/pair-in-brackets', { repair }));
}

/** A colon splits unquoted text in a list inside braces, for one parser even where no blank follows. */
export function judgeItemInBraces(spot: Spot, findings: Findings): void {
  if (spot.node.type !== 'PLAIN' || !spot.raw.includes(':')) return;
  const quoted = quoteText(String(spot.node.source));
  findings.add(spot, {
    ...say('yaml-ambiguous/colon-in-braces', { repair: { how: 'quote', text: quoted } }),
    edits: [{ start: spot.start, end: spot.end, text: quoted }],
  });
}

/**
 * Inside braces a colon, a blank and a value follow a key. `colon` is an offset into the frontmatter. Returns whether they do as far
 * as the parser sees: otherwise it is the whole text that was cut in the wrong place, and quotes around the key repair nothing.
 */
export function judgePairInBraces(
  index: number,
  map: YAMLMap,
  spot: Spot,
  colon: number | undefined,
  passage: Passage,
): boolean {
  const { raw } = spot;
  if (colon === undefined || isEmpty(map.items[index]?.value)) {
    const repair = findValue(index, map, spot, colon !== undefined, passage);
    passage.findings.add(spot, say('yaml-ambiguous/value-missing-in-braces', { key: raw, repair }));
    return false;
  }
  if (!(/^["']/.test(raw) ? /[ \w"'[{]/ : / /).test(passage.source[colon + 1] ?? '')) {
    passage.findings.add(spot, {
      ...say('yaml-ambiguous/space-missing-in-braces', { key: raw }),
      edits: [{ start: passage.start + colon + 1, end: passage.start + colon + 1, text: ' ' }],
    });
  }
  return true;
}

/** What to write for a key without a value, by what the author is likely to have meant. */
function findValue(index: number, map: YAMLMap, spot: Spot, hasColon: boolean, passage: Passage): BraceRepair {
  const { raw, node } = spot;
  const isPlain = node.type === 'PLAIN';
  if (raw.length > MAX_HINT || raw.includes('\n')) return { way: 'long' };
  const glued = isPlain && !hasColon ? /^([\w-]+):(?!\/\/)(.+)$/.exec(raw) : null;
  if (glued !== null) {
    return { way: 'pair', text: `${writeWord(glued[1] ?? '')}: ${writeWord(glued[2] ?? '')}` };
  }
  const alone = `${isPlain ? writeWord(String(node.source)) : raw}: null`;
  const before = map.items[index - 1];
  if (
    !hasColon &&
    before !== undefined &&
    isScalar(before.value) &&
    before.value.type === 'PLAIN' &&
    !isEmpty(before.value)
  ) {
    const from = (before.key as Ranged).range?.[0] ?? 0;
    const value = before.value.range?.[0] ?? 0;
    const text = passage.source.slice(value, spot.at + raw.length);
    if (text.length <= MAX_HINT && !text.includes('\n')) {
      return { way: 'comma', joined: passage.source.slice(from, value) + quoteText(text), alone };
    }
  }
  const whole = textOf(spanOf(map, passage), passage);
  const isWhole = map.items.length === 1 && whole.length <= MAX_HINT && !whole.includes('\n');
  return { way: 'alone', alone, ...(isWhole ? { whole: quoteText(whole) } : {}) };
}

/** A key or value as it is written inside braces. */
function writeWord(text: string): string {
  return /^[\w./-]+$/.test(text) && readPlain(text).kind !== 'refused' ? text : quoteText(text);
}
