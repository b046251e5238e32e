import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';

/**
 * Whether a repaired SKILL.md says what it said: the same values for an author, to whom every unquoted value is its own text, but for the
 * name. Where no parser reads the first, the same words in the same order.
 */
export function sameMeaning(before: string, after: string): boolean {
  const seen = readAsSeen(before);
  if (seen === undefined) return toWords(before).join(' ') === toWords(after).join(' ');
  return isDeepStrictEqual(smooth(seen), smooth(readAsSeen(after)));
}

function readAsSeen(text: string): unknown {
  const document = parseDocument(`${findFrontmatter(text)}\n`, { schema: 'failsafe', uniqueKeys: false });
  return document.errors.length > 0 ? undefined : document.toJS();
}

function findFrontmatter(text: string): string {
  const lines = text.replace(/^\ufeff/, '').split(/\r*\n|\r/);
  const close = lines.findIndex((line, at) => at > 0 && line.trim() === '---');
  return lines.slice(1, close).join('\n');
}

function toWords(text: string): readonly string[] {
  const lines = findFrontmatter(text)
    .split('\n')
    .filter((line) => !/^\s*name\s*:/i.test(line));
  // an escaped character may be written as itself
  const plain = lines.join('\n').replace(/\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2})/g, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without the differences that a repair is allowed to make to what an author sees. */
function smooth(value: unknown, key = ''): unknown {
  if (key === 'allowed-tools' && (typeof value === 'string' || Array.isArray(value))) return toTools(value);
  if (typeof value === 'string') return value.replace(/[ \t]+$/gm, '').trimEnd();
  if (Array.isArray(value)) return value.map((item) => smooth(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'name');
  const isMetadata = key === 'metadata';
  return Object.fromEntries(entries.map(([name, item]) => [name, isMetadata ? flatten(item) : smooth(item, name)]));
}

/** Tools are the same however they are separated. */
function toTools(value: string | readonly unknown[]): string {
  const text = typeof value === 'string' ? value : value.join(' ');
  return (text.match(/[^\s,]+/g) ?? []).join(' ');
}

/** A nested value is the same as a JSON string of it. */
function flatten(value: unknown): string {
  if (typeof value === 'string' && !/^[[{]/.test(value)) return value.trimEnd();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
