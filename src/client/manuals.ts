import { decodeText } from '../catalog/catalog.ts';
import { escapeText } from '../text/escape.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { findDifference, showValue } from '../verify/difference.ts';
import { cutFrontmatter, parseCore } from '../verify/yamlcore.ts';

/** Parses the frontmatter of a whole SKILL.md, in place of the parser of this library. Whatever it throws refuses the skill. */
export type ReadFrontmatter = (skillMd: Uint8Array) => Readonly<Record<string, unknown>>;

/** A SKILL.md whose frontmatter is that of its entry: its Markdown; or why it is not used, in one sentence that is safe to show. */
export type ReadManual = { readonly body: string } | { readonly reason: string };

/** Compares the frontmatter of a SKILL.md with its entry, field by field (Skills extension, "Integrity and Verification"). */
export function readManual(bytes: Uint8Array, expected: JsonObject, readFrontmatter?: ReadFrontmatter): ReadManual {
  let text: string;
  try {
    text = decodeText(bytes);
  } catch {
    return { reason: 'its SKILL.md is not UTF-8' };
  }
  const cut = cutFrontmatter(text);
  if (cut === undefined) return { reason: 'its SKILL.md does not begin with frontmatter between two "---" lines' };
  const parsed = readFrontmatter === undefined ? parseCore(cut.source) : readWith(readFrontmatter, bytes);
  if ('reason' in parsed) return { reason: `the frontmatter of its SKILL.md ${escapeText(parsed.reason)}` };
  const found = findDifference(expected, parsed.value);
  if (found === undefined) return { body: cut.body };
  const { path, left, right } = found;
  const place = path === '' ? 'the frontmatter' : path;
  return { reason: escapeText(`${place} is ${showValue(left)} in its entry and ${showValue(right)} in its SKILL.md`) };
}

function readWith(readFrontmatter: ReadFrontmatter, bytes: Uint8Array): { value: unknown } | { reason: string } {
  try {
    // a copy: what is verified stays as it is
    const value: unknown = readFrontmatter(bytes.slice());
    return isRecord(value) ? { value } : { reason: 'is not a mapping' };
  } catch (error) {
    return { reason: `cannot be parsed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
