import { type CST, isAlias, isScalar, isSeq, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Findings, Span } from './findings.ts';
import { isEmpty, isNode, type Passage, type Ranged, spanOf, textOf, toSpot } from './passage.ts';
import { quoteText, showText } from './quote.ts';
import { isWellFormed, judgeScalar } from './scalar.ts';

const BLOCK_KEY = { role: 'key', flow: false, textual: true, label: '' } as const;
const FLOW_KEY = { ...BLOCK_KEY, flow: true } as const;

/** Judges the key of a pair, and reads its name: undefined where it is none to publish. */
export function readKey(pair: Pair, map: YAMLMap, passage: Passage): { name: string; span: Span } | undefined {
  const { key } = pair;
  if (!isScalar(key)) {
    if (isNode(key) && !isAlias(key)) addCollectionKey(key, map, passage);
    return undefined;
  }
  const span = spanOf(key, passage);
  if (key.type === 'BLOCK_LITERAL' || key.type === 'BLOCK_FOLDED') {
    passage.findings.add(span, {
      code: 'non-string-key',
      message: 'a text below "|" or ">" stands where a key is needed',
      hint: 'write key: value',
    });
    return undefined;
  }
  const flow = map.flow === true;
  const spot = toSpot(key, span, flow ? FLOW_KEY : BLOCK_KEY, passage);
  judgeScalar(spot.raw === '' ? { ...spot, ...pointAt(pair, span, passage) } : spot, passage.findings);
  const { value } = key;
  if (typeof value !== 'string') return undefined;
  judgeReserved(key, value, span, passage.findings);
  judgeColon(pair, span, flow, passage);
  if (!isWellFormed(value)) return undefined;
  return { name: value, span };
}

function addCollectionKey(key: Ranged, map: YAMLMap, passage: Passage): void {
  const whole = spanOf(map, passage);
  const raw = textOf(whole, passage);
  const kind = isSeq(key) ? 'a list' : 'a mapping';
  const template = map.flow === true && raw.startsWith('{{');
  passage.findings.add(template ? whole : spanOf(key, passage), {
    code: 'non-string-key',
    message: template
      ? `${showText(raw)} is a mapping whose key is a mapping, not text: a template placeholder was left unquoted`
      : `${kind} stands where a key is needed`,
    hint: template ? `fill the placeholder in, or quote it: ${quoteText(raw)}` : 'write key: value',
  });
}

/** Where a key that is written as nothing is reported: at its colon. */
function pointAt(pair: Pair, span: Span, { start }: Passage): Span {
  const colon = findColon(pair);
  return colon === undefined ? span : { start: start + colon.offset, end: start + colon.offset + 1 };
}

function findColon(pair: Pair): CST.SourceToken | undefined {
  const item = (pair as { srcToken?: CST.CollectionItem }).srcToken;
  return item?.sep?.find(({ type }) => type === 'map-value-ind');
}

function judgeReserved(key: Scalar, name: string, span: Span, findings: Findings): void {
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
      hint: 'write the fields that it would merge in its place, or rename it',
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

/** A colon stands on the line of its key; inside braces a blank and a value follow it. */
function judgeColon(pair: Pair, span: Span, flow: boolean, passage: Passage): void {
  const { source, start, findings } = passage;
  const colon = findColon(pair);
  const raw = textOf(span, passage);
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

/** A key that begins with `-` on the line below nothing is a list item to some reader. */
export function judgeDash(pair: Pair, span: Span, passage: Passage): void {
  const { source, start, findings } = passage;
  if (!isScalar(pair.key) || pair.key.type !== 'PLAIN' || source[span.start - start] !== '-') return;
  const raw = textOf(span, passage);
  findings.add(span, {
    code: 'yaml-ambiguous',
    message: `the key ${showText(raw)} begins with "-" below a key without a value, and is a list item for some YAML readers`,
    hint: `quote it: ${quoteText(raw)}:`,
    edits: [{ ...span, text: quoteText(raw) }],
  });
}

export function addDuplicate(name: string, span: Span, first: Span, findings: Findings): void {
  findings.add(span, {
    code: 'duplicate-key',
    message: `the key ${showText(name)} stands twice: on line ${findings.placeOf(first).line} and on line ${findings.placeOf(span).line}`,
    hint: 'remove one of the two',
  });
}

/** Keys that count up from 0 are the indexes of a list to some reader. */
export function judgeCounting(fields: ReadonlyMap<string, { readonly key: Span }>, findings: Findings): void {
  const first = fields.get('0');
  if (first === undefined || ![...fields.keys()].every((name, index) => name === String(index))) return;
  findings.add(first.key, {
    code: 'yaml-ambiguous',
    message: 'a mapping whose keys count up from "0" is a list for some YAML readers',
    hint: 'write a list, or rename the keys',
  });
}
