// What a host with a YAML parser of its own makes of a SKILL.md. Knows no portable YAML, so that the client library need not bring it.
import { parseDocument } from 'yaml';
import { isRecord } from '../catalog/foreign.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { MAX_BYTES, MAX_DEPTH, parseYaml } from '../yaml/parse.ts';

const FENCE = /^---[ \t]*\r?$/;
/** YAML aliases can make a small text large. */
const MAX_ALIASES = 100;

/** Finds the frontmatter as hosts do: a byte order mark is skipped, and blanks after the dashes are. */
export function cutFrontmatter(text: string): { source: string; body: string } | undefined {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const opening = lineAt(text, start);
  if (!FENCE.test(opening.text)) return undefined;
  for (let at = opening.next; at < text.length; ) {
    const line = lineAt(text, at);
    if (FENCE.test(line.text)) return { source: text.slice(opening.next, at), body: text.slice(line.next) };
    at = line.next;
  }
  return undefined;
}

function lineAt(text: string, start: number): { text: string; next: number } {
  const end = text.indexOf('\n', start);
  return end === -1 ? { text: text.slice(start), next: text.length } : { text: text.slice(start, end), next: end + 1 };
}

/** What a YAML 1.2 parser reads, or why it does not. */
export function parseCore(source: string): { value: JsonObject } | { reason: string } {
  // before anything is parsed: what is nested deeply or is large costs a parser more than it can tell
  if (source.length > MAX_BYTES) return { reason: `has more than ${MAX_BYTES} bytes` };
  if (parseYaml(source).document === undefined) return { reason: `is nested deeper than ${MAX_DEPTH} levels` };
  const parsed = parseAs(source, 'core');
  if ('reason' in parsed) return parsed;
  return isRecord(parsed.value) ? { value: parsed.value as JsonObject } : { reason: 'is not a mapping' };
}

/** What a parser of one version of YAML reads, or why it does not. */
export function parseAs(source: string, schema: 'core' | 'yaml-1.1'): { value: unknown } | { reason: string } {
  try {
    const version = schema === 'core' ? '1.2' : '1.1';
    const document = parseDocument(source, { version, schema, logLevel: 'silent', prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) return { reason: `is not YAML: ${error.message}` };
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) as unknown };
  } catch (error) {
    return { reason: `cannot be parsed: ${error instanceof Error ? error.message : String(error)}` };
  }
}
