import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../src/text/jsonvalue.ts';

/**
 * A frontmatter and what 37 YAML parsers of 12 languages make of it. `alike`: all read it, and the same; `newline`: the value
 * depends on the line end before the closing fence; `differ`; `rejected` by some; `unreadable` for all.
 */
export interface Vector {
  readonly group: string;
  readonly verdict: 'alike' | 'newline' | 'differ' | 'rejected' | 'unreadable';
  readonly text: string;
  readonly value?: JsonObject;
}

type Row = readonly [group: string, sub: string, verdict: Vector['verdict'], text: string, value?: JsonObject];

export function readVectors(): readonly Vector[] {
  const rows = JSON.parse(
    readFileSync(new URL('../data/yaml-vectors.json', import.meta.url), 'utf8'),
  ) as readonly Row[];
  return rows.map(([group, sub, verdict, text, value]) => ({
    group: `${group}/${sub}`,
    verdict,
    text,
    ...(value === undefined ? {} : { value }),
  }));
}

/** The value with the keys of every mapping in the order of code units, for comparison as text. */
export function toCanonical(value: JsonValue): string {
  return JSON.stringify(value, (_, item: JsonValue) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : item,
  );
}
