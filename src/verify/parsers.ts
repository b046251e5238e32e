// Compares the frontmatter of a SKILL.md with its entry, as the YAML parsers of hosts parse it. Uses nothing of Node.
import { judgeFrontmatter } from '../judge/document.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { isYamlError } from '../yaml/findings.ts';
import type { CheckCode, Fault } from './checks.ts';
import { findDifference, showValue } from './difference.ts';
import { cutFrontmatter, parseAs, parseCore } from './yamlcore.ts';

/** What {@link compareFrontmatter} found. */
export interface ComparedFrontmatter {
  /** At most one: unreadable, else different, else ambiguous. */
  readonly faults: readonly Fault[];
  /** The Markdown after the frontmatter; absent where the frontmatter could not be found. */
  readonly body?: string;
}

/**
 * Parses the frontmatter of a SKILL.md and compares it field by field with the entry, as a host does before it loads a skill. Never
 * throws, and never expands more than what a few kilobytes of YAML can hold.
 *
 * `frontmatter-differs` and `frontmatter-unreadable` are what a host with a YAML 1.2 parser finds. `frontmatter-ambiguous` says that
 * hosts with another parser find something else; who reads with one parser alone may ignore it.
 *
 * @param uri - of the SKILL.md
 */
export function compareFrontmatter(frontmatter: JsonObject, bytes: Uint8Array, uri: string): ComparedFrontmatter {
  const fail = (code: CheckCode, message: string, hint?: string): readonly Fault[] => [
    { code, message, file: uri, ...(hint === undefined ? {} : { hint }) },
  ];
  const text = decode(bytes);
  if (text === undefined) return { faults: fail('frontmatter-unreadable', 'SKILL.md is not UTF-8') };
  const cut = cutFrontmatter(text);
  if (cut === undefined) {
    return {
      faults: fail('frontmatter-unreadable', 'SKILL.md does not begin with frontmatter between two "---" lines'),
    };
  }
  const { source, body } = cut;
  const parsed = parseCore(source);
  if ('reason' in parsed) return { faults: fail('frontmatter-unreadable', `the frontmatter ${parsed.reason}`), body };
  const difference = findDifference(frontmatter, parsed.value);
  if (difference !== undefined) {
    const { path, left, right } = difference;
    const place = path === '' ? 'the frontmatter' : path;
    return {
      faults: fail(
        'frontmatter-differs',
        `${place} is ${showValue(left)} in the entry and ${showValue(right)} in SKILL.md`,
      ),
      body,
    };
  }
  const doubt = findDoubt(bytes, source, parsed.value);
  return { faults: doubt === undefined ? [] : fail('frontmatter-ambiguous', doubt.message, doubt.hint), body };
}

/** Where another parser finds something else than the YAML 1.2 parser did. */
function findDoubt(
  bytes: Uint8Array,
  source: string,
  value: JsonObject,
): { message: string; hint?: string } | undefined {
  const older = parseAs(source, 'yaml-1.1');
  if ('reason' in older) return { message: `for parsers of YAML 1.1 the frontmatter ${older.reason}` };
  const difference = findDifference(value, older.value);
  // what this judge says is more precise than the difference, and has a hint; the field rules are judged with the entry
  const { findings } = judgeFrontmatter(bytes);
  const [finding] = findings.filter(({ problem }) => isYamlError(problem.code));
  if (finding !== undefined) {
    const { line, message, hint } = finding.problem;
    const place = line === undefined ? '' : `line ${line}: `;
    return { message: `${place}${message}`, ...(hint === undefined ? {} : { hint }) };
  }
  if (difference === undefined) return undefined;
  const { path, left, right } = difference;
  return { message: `${path} is ${showValue(left)} for YAML 1.2 and ${showValue(right)} for YAML 1.1` };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
