import { isMap, isScalar, isSeq } from 'yaml';
import { say } from '../messages/say.ts';
import type { Whereabouts } from '../problems.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { findLineStart } from '../text/position.ts';
import { judgeCharacters, judgeInvisible } from '../yaml/characters.ts';
import { decodeText } from '../yaml/decode.ts';
import { type Block, cutFences } from '../yaml/fences.ts';
import {
  collectFindings,
  type Finding,
  type Findings,
  type Place,
  type Span,
  type TextEdit,
} from '../yaml/findings.ts';
import { judgeLayout } from '../yaml/layout.ts';
import { MAX_BYTES, MAX_DEPTH, parseYaml } from '../yaml/parse.ts';
import { judgeSyntax } from '../yaml/syntax.ts';
import { findRoot, judgeTree, type Tree } from '../yaml/tree.ts';
import { FIELDS } from './fieldnames.ts';
import { judgeFields } from './fields.ts';
import { judgeHabits } from './warnings.ts';

/** What is known of one SKILL.md. */
export interface Judgement {
  /** Present exactly when no problem is an error of the YAML itself; field-rule errors leave it present. */
  readonly frontmatter?: JsonObject;
  /** The name, where it could be read, whatever else is wrong. */
  readonly name?: string;
  /** Where the first line after the opening fence begins; absent without a fence. */
  readonly start?: number;
  /** The Markdown after the closing fence line. */
  readonly body?: string;
  /** The decoded text, when it decodes. */
  readonly text?: string;
  /** Sorted as `compareProblems` does. */
  readonly findings: readonly Finding[];
  /** The place of each top-level value by key; of the key itself where the value is written as nothing. */
  readonly places: ReadonlyMap<string, Place>;
}

/**
 * Judges one SKILL.md by itself: bytes, fences, YAML and field rules, all problems at once. Never throws.
 * `path` defaults to `SKILL.md`.
 */
export function judgeFrontmatter(
  skillMd: string | Uint8Array,
  where: Whereabouts & { readonly path?: string } = {},
): Judgement {
  const { text, fault } = decodeText(skillMd);
  const findings = collectFindings(text, { path: 'SKILL.md', ...where });
  if (fault !== undefined) {
    const { at, what, offset } = fault;
    findings.add({ start: at, end: at + 1 }, say('not-utf8', { what, offset }));
  }
  if (text.startsWith('\ufeff')) {
    findings.add(
      { start: 0, end: 1 },
      {
        ...say('bom'),
        edits: [{ start: 0, end: 1, text: '' }],
      },
    );
  }
  const block = cutFences(text, findings);
  const tree = block === undefined ? undefined : judgeBlock(text, block, findings);
  judgeInvisible(text, block, findings);

  const places = new Map<string, Place>();
  for (const [key, field] of tree?.fields ?? []) places.set(key, findings.placeOf(field.value));
  // Edits are offsets into the decoded text, and there is none.
  const list = fault === undefined ? findings.toList() : findings.toList().map(({ problem }) => ({ problem }));
  return {
    ...(tree === undefined || findings.isUnreadable() ? {} : { frontmatter: tree.json }),
    ...(tree?.name === undefined ? {} : { name: tree.name }),
    ...(block === undefined ? {} : { start: block.start, body: text.slice(block.body) }),
    ...(fault === undefined ? { text } : {}),
    findings: list,
    places,
  };
}

/** A name whose own field has an error of the YAML is none before that is repaired. */
function readName({ fields }: Tree, findings: Findings): { name?: string } {
  const field = fields.get('name');
  if (field === undefined || typeof field.json !== 'string') return {};
  return findings.hasErrorIn({ start: field.key.start, end: field.end }) ? {} : { name: field.json };
}

/** Judges the lines between the fences; without a tree there is nothing that could be read. */
export function judgeBlock(
  text: string,
  block: Block,
  findings: Findings,
): (Tree & { readonly name?: string }) | undefined {
  const fence = findFence(text, block.start);
  const bytes =
    block.end - block.start > MAX_BYTES / 3 ? new TextEncoder().encode(text.slice(block.start, block.end)).length : 0;
  if (bytes > MAX_BYTES) {
    findings.add(fence, say('yaml-unportable/too-long', { bytes, most: MAX_BYTES }));
    return undefined;
  }
  const read = judgeCharacters(text, block, findings);
  const first = parseYaml(read);
  if (first.document === undefined) {
    const { survey } = first;
    const start = block.start + survey.deepest;
    const depth = Number.isFinite(survey.depth) ? survey.depth : undefined;
    findings.add({ start, end: start + 1 }, say('yaml-unportable/too-deep', { depth, most: MAX_DEPTH }));
    return undefined;
  }
  const { source, parsed, taken } = judgeSyntax(read, block.start, first, FIELDS, findings);
  const { survey, document, errors } = parsed;
  findings.mute(taken);
  judgeLayout(source, block.start, survey, findings);
  const root = document === undefined ? undefined : findRoot(document);
  if (root === undefined) {
    if (taken.length === 0) judgeRoot(source, block, document?.contents, fence, findings);
    return undefined;
  }
  judgeIndent(source, block, root.range?.[0] ?? 0, findings);
  const tree = judgeTree(source, block.start, root, FIELDS, findings);
  const name = readName(tree, findings);
  findings.mute([]);
  const isLost = (name: string): boolean => isBroken(name, read, block.start, findings);
  judgeFields(tree, { text, fence, isLost }, findings);
  judgeHabits(text, block, tree, findings);
  if (errors.length > 0 && !findings.isUnreadable()) addUnnamed(errors[0]?.message ?? '', fence, findings);
  return { ...tree, ...name };
}

/** Whether a line that has an error looks like a field of this name: indented, without its colon, with a blank that is none. */
function isBroken(name: string, source: string, start: number, findings: Findings): boolean {
  const line = new RegExp(`^[^\\S\\n]*["']?${name}["']?(?:[^\\S\\n]*:|[ \\t]+\\S)[^\\n]*`, 'gm');
  for (const { index, 0: text } of source.matchAll(line)) {
    if (findings.hasErrorIn({ start: start + index, end: start + index + text.length })) return true;
  }
  return false;
}

/** The line before the frontmatter, where what concerns it as a whole is reported. */
function findFence(text: string, start: number): Span {
  const end = start > 0 && text[start - 2] === '\r' ? start - 2 : start - 1;
  return start === 0 ? { start, end: start } : { start: findLineStart(text, start - 1), end };
}

function judgeRoot(source: string, block: Block, contents: unknown, fence: Span, findings: Findings): void {
  const written = isMap(contents) || isSeq(contents) || isScalar(contents) ? contents.range : undefined;
  const [from, to] = written ?? [0, 0];
  const span = to > from ? { start: block.start + from, end: block.start + to } : fence;
  if (isMap(contents)) {
    findings.add(span, say('yaml-unportable/braces'));
    return;
  }
  const kind = isSeq(contents) ? 'a list' : source.slice(from, to).trim() === '' ? 'empty' : 'text';
  findings.add(span, say('frontmatter-not-mapping', { kind }));
}

function judgeIndent(source: string, block: Block, from: number, findings: Findings): void {
  const lineStart = findLineStart(source, from);
  if (from === lineStart) return;
  findings.add(
    { start: block.start + lineStart, end: block.start + from },
    {
      ...say('yaml-unportable/indented'),
      edits: dedent(source, block.start, from - lineStart),
    },
  );
}

/** Takes away the blanks that each line begins with, as far as it has them. */
function dedent(source: string, start: number, count: number): TextEdit[] {
  return [...source.matchAll(new RegExp(`^ {1,${count}}`, 'gm'))].map(({ index, 0: blanks }) => {
    const from = start + index;
    return { start: from, end: from + blanks.length, text: '' };
  });
}

/** The last resort: whatever the parser minds is never published. */
function addUnnamed(detail: string, fence: Span, findings: Findings): void {
  findings.add(fence, say('yaml-syntax/parser', { detail }));
}
