import { isMap, isPair, isSeq, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Findings } from './findings.ts';
import { isNode, type Passage, spanOf, textOf } from './passage.ts';
import { quoteText } from './quote.ts';
import type { Spot } from './scalar.ts';

/** The outermost list in brackets or mapping in braces stands on one line. */
export function judgeFlow(node: YAMLMap | YAMLSeq, passage: Passage): void {
  const span = spanOf(node, passage);
  if (!textOf(span, passage).includes('\n')) return;
  passage.findings.add(span, {
    code: 'yaml-unportable',
    message: `${isSeq(node) ? 'a list in brackets' : 'a mapping in braces'} over several lines is refused by some YAML readers`,
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
  passage.findings.add(spanOf(isNode(item) && item.range ? item : seq, passage), {
    code: 'yaml-unportable',
    message: 'a "key: value" pair inside brackets is refused by some YAML readers',
    hint: 'put it in quotes, or in braces',
  });
}

/** A colon splits unquoted text in a list inside braces, for one reader even where no blank follows. */
export function judgeItemInBraces(spot: Spot, findings: Findings): void {
  if (spot.node.type !== 'PLAIN' || !spot.raw.includes(':')) return;
  const quoted = quoteText(String(spot.node.source));
  findings.add(spot, {
    code: 'yaml-ambiguous',
    message: 'a colon in unquoted text of a list inside braces splits it for some YAML readers',
    hint: `quote it: ${quoted}`,
    edits: [{ start: spot.start, end: spot.end, text: quoted }],
  });
}
