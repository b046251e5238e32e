import { isMap, isScalar, isSeq } from 'yaml';
import { say } from '../messages/say.ts';
import type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
import { MAX_HINT, quoteText, showKind } from '../text/quote.ts';
import type { Findings, Span } from '../yaml/findings.ts';
import type { Field } from '../yaml/tree.ts';

const RESERVED = 'io.modelcontextprotocol/';

/** `metadata` maps strings to strings; each entry that does not has a problem of its own, with the way out. */
export function judgeMetadata(field: Field | undefined, text: string, findings: Findings): void {
  if (field === undefined) return;
  const { node } = field;
  if (!isMap(node)) {
    if (findings.hasErrorIn({ start: field.key.start, end: field.end })) return;
    findings.add(field.value, say('metadata-invalid/whole', { kind: showKind(field.json) }));
    return;
  }
  const entries = field.json as JsonObject;
  const base = field.value.start - (node.range?.[0] ?? 0);
  for (const pair of node.items) {
    if (!isScalar(pair.key) || typeof pair.key.value !== 'string' || !pair.key.range) continue;
    const key = { start: base + pair.key.range[0], end: base + pair.key.range[1] };
    if (pair.key.value.startsWith(RESERVED)) {
      findings.add(key, say('metadata-reserved', { key: pair.key.value, prefix: RESERVED }));
    }
    judgeEntry(
      { name: pair.key.value, key, node: pair.value, json: entries[pair.key.value] ?? null },
      base,
      text,
      findings,
    );
  }
}

interface Entry {
  readonly name: string;
  readonly key: Span;
  readonly node: unknown;
  readonly json: JsonValue;
}

function judgeEntry({ name, key, node, json }: Entry, base: number, text: string, findings: Findings): void {
  if (isScalar(node) && typeof node.value === 'string') return;
  const range = isScalar(node) || isMap(node) || isSeq(node) ? node.range : undefined;
  const value = range && range[1] > range[0] ? { start: base + range[0], end: base + range[1] } : key;
  if (findings.hasErrorIn({ start: key.start, end: Math.max(value.end, key.end) })) return;
  const label = text.slice(key.start, key.end);
  const entry = { name, kind: showKind(json) };
  if (isMap(node) || isSeq(node)) {
    const shown = quoteText(JSON.stringify(toText(node, json)));
    const exact = shown.length <= MAX_HINT && /^[ -~]*$/.test(shown) ? { json: shown } : {};
    const way = isMap(node) ? ({ way: 'flatten', first: firstKey(node.items) } as const) : ({ way: 'join' } as const);
    // a list over several lines begins on the line below its key; the repair pulls it up beside the colon
    const raw = text.slice(value.start, value.end).trimEnd();
    const gap = /^[ \t]*:\s*$/.exec(text.slice(key.end, value.start));
    const isBare = !/(?:^|\s)#/m.test(raw);
    findings.add(value, {
      ...say('metadata-invalid/entry', { ...entry, repair: { ...way, label, ...exact } }),
      ...(gap !== null && isBare
        ? { edits: [{ start: key.end, end: value.start + raw.length, text: `: ${shown}` }], side: 'metadata' }
        : {}),
    });
    return;
  }
  const source = isScalar(node) && typeof node.source === 'string' ? node.source : '';
  findings.add(value, {
    ...say('metadata-invalid/entry', { ...entry, repair: { way: 'quote', label, source } }),
    ...(source === '' ? {} : { edits: [{ start: value.start, end: value.end, text: quoteText(source) }] }),
  });
}

/** The value with each number as it is written, in quotes where JSON would write it otherwise. */
function toText(node: unknown, json: JsonValue): JsonValue {
  if (isMap(node)) {
    const entries = json as JsonObject;
    const pairs = node.items.flatMap(({ key, value }) => {
      const name = isScalar(key) ? String(key.value) : '';
      return name in entries ? [[name, toText(value, entries[name] ?? null)] as const] : [];
    });
    return Object.fromEntries(pairs);
  }
  if (isSeq(node)) return node.items.map((item, at) => toText(item, (json as readonly JsonValue[])[at] ?? null));
  const isOdd = isScalar(node) && typeof json === 'number' && String(json) !== node.source;
  return isOdd ? (node.source ?? json) : json;
}

function firstKey(items: readonly { readonly key: unknown }[]): string {
  const key = items[0]?.key;
  return isScalar(key) ? String(key.value) : 'key';
}
