import { isMap, isPair, isScalar, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Findings } from './findings.ts';
import { isEmpty, isNode, type Passage, type Ranged, spanOf, textOf } from './passage.ts';
import { readPlain } from './plain.ts';
import { MAX_HINT, quoteText, showText } from './quote.ts';
import type { Spot } from './spot.ts';

/** The outermost list in brackets or mapping in braces stands on one line. */
export function judgeFlow(node: YAMLMap | YAMLSeq, passage: Passage): void {
  const span = spanOf(node, passage);
  if (!textOf(span, passage).includes('\n')) return;
  passage.findings.add(span, {
    code: 'yaml-unportable',
    message: `${isSeq(node) ? 'a list in brackets' : 'a mapping in braces'} over several lines is refused by some YAML parsers`,
    hint: isSeq(node)
      ? 'write it on one line, or each item on a line of its own after - '
      : 'write it on one line, or each key on a line of its own',
  });
}

/** A pair that stands in brackets without braces of its own. */
export function isBarePair(item: unknown, seq: YAMLSeq, { source }: Passage): boolean {
  return isPair(item) || (seq.flow === true && isMap(item) && source[item.range?.[0] ?? 0] !== '{');
}

export function addBarePair(item: unknown, seq: YAMLSeq, passage: Passage): void {
  const isPlaced = isNode(item) && item.range;
  const span = spanOf(isPlaced ? item : seq, passage);
  const raw = textOf(span, passage);
  const isExplicit = /\?\s*$/.test(passage.source.slice(0, span.start - passage.start));
  const isShown = isPlaced && !isExplicit && raw.length <= MAX_HINT && /^\S.*: .*\S$/.test(raw);
  passage.findings.add(span, {
    code: 'yaml-unportable',
    message: 'a "key: value" pair inside brackets is refused by some YAML parsers',
    hint: isShown ? `quote it: ${quoteText(raw)}, or write {${raw}}` : 'put it in quotes, or in braces',
  });
}

/** A colon splits unquoted text in a list inside braces, for one parser even where no blank follows. */
export function judgeItemInBraces(spot: Spot, findings: Findings): void {
  if (spot.node.type !== 'PLAIN' || !spot.raw.includes(':')) return;
  const quoted = quoteText(String(spot.node.source));
  findings.add(spot, {
    code: 'yaml-ambiguous',
    message: 'a colon in unquoted text of a list inside braces splits it for some YAML parsers',
    hint: `quote it: ${quoted}`,
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
    passage.findings.add(spot, {
      code: 'yaml-ambiguous',
      message: `the key ${showText(raw)} inside braces has no value, which YAML parsers read differently`,
      hint: hintValue(index, map, spot, colon !== undefined, passage),
    });
    return false;
  }
  if (!(/^["']/.test(raw) ? /[ \w"'[{]/ : / /).test(passage.source[colon + 1] ?? '')) {
    passage.findings.add(spot, {
      code: 'yaml-ambiguous',
      message: 'a colon inside braces without a space after it is part of the key for some YAML parsers',
      hint: `write ${raw}: and a space before the value`,
      edits: [{ start: passage.start + colon + 1, end: passage.start + colon + 1, text: ' ' }],
    });
  }
  return true;
}

/** What to write for a key without a value, by what the author is likely to have meant. */
function hintValue(index: number, map: YAMLMap, spot: Spot, hasColon: boolean, passage: Passage): string {
  const { raw, node } = spot;
  const isPlain = node.type === 'PLAIN';
  if (raw.length > MAX_HINT || raw.includes('\n')) return 'write a value after it, or put the whole text in quotes';
  const glued = isPlain && !hasColon ? /^([\w-]+):(?!\/\/)(.+)$/.exec(raw) : null;
  if (glued !== null) return `write ${writeWord(glued[1] ?? '')}: ${writeWord(glued[2] ?? '')}`;
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
      return `write ${passage.source.slice(from, value)}${quoteText(text)} if the comma belongs to the text, or ${alone}`;
    }
  }
  const whole = textOf(spanOf(map, passage), passage);
  const isWhole = map.items.length === 1 && whole.length <= MAX_HINT && !whole.includes('\n');
  return `write ${alone}, or put the whole text in quotes${isWhole ? `: ${quoteText(whole)}` : ''}`;
}

/** A key or value as it may stand inside braces. */
function writeWord(text: string): string {
  return /^[\w./-]+$/.test(text) && readPlain(text).kind !== 'refused' ? text : quoteText(text);
}
