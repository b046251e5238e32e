import { isMap, isScalar, isSeq } from 'yaml';
import type { Rewrite } from '../messages/rewrite.ts';
import { type Said, say } from '../messages/say.ts';
import { countCharacters } from '../text/count.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import { isName, toName } from '../text/names.ts';
import { quoteText, showKind } from '../text/quote.ts';
import type { Findings, Note, Span, TextEdit } from '../yaml/findings.ts';
import { writeName } from '../yaml/plain.ts';
import type { Field, Tree } from '../yaml/tree.ts';
import { judgeMetadata } from './metadata.ts';
import { findMisspelled } from './warnings.ts';

/** What the field rules need of the text around the fields. */
export interface Ground {
  readonly text: string;
  /** The opening fence, where what is missing is reported. */
  readonly fence: Span;
  /** Whether a field of this name is in a part that could not be read. */
  isLost(name: string): boolean;
}

/** The rules of the Agent Skills specification for the fields it knows (spec, section 2). */
export function judgeFields(tree: Tree, ground: Ground, findings: Findings): void {
  if (!judgeSpelling('name', tree, ground, findings)) judgeName(tree.fields.get('name'), ground, findings);
  if (!judgeSpelling('description', tree, ground, findings)) {
    judgeDescription(tree.fields.get('description'), ground, findings);
  }
  judgeText(tree.fields.get('license'), findings, judgeLicense);
  judgeText(tree.fields.get('compatibility'), findings, judgeCompatibility);
  judgeTools(tree.fields.get('allowed-tools'), ground, findings);
  judgeMetadata(tree.fields.get('metadata'), ground.text, findings);
}

function isFilled(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function judgeText(field: Field | undefined, findings: Findings, judge: (field: Field) => Note | undefined): void {
  if (field === undefined || hasError(field, findings)) return;
  const note = judge(field);
  if (note !== undefined) findings.add(field.value, note);
}

/** Whether an error in the field says enough. What is a list or a mapping stays one, whatever is wrong inside. */
function hasError({ key, end, node }: Field, findings: Findings): boolean {
  return !isMap(node) && !isSeq(node) && findings.hasErrorIn({ start: key.start, end });
}

/** Reports a field that is missing because its key is a near miss. */
function judgeSpelling(name: 'name' | 'description', tree: Tree, ground: Ground, findings: Findings): boolean {
  const misspelled = tree.fields.has(name) ? undefined : findMisspelled(tree, name);
  if (misspelled === undefined || ground.isLost(name)) return false;
  const { start, end } = misspelled.key;
  findings.add(misspelled.key, {
    ...say(`${name}-missing/misspelled`, { written: ground.text.slice(start, end) }),
    edits: [{ start, end, text: name }],
  });
  return true;
}

function judgeName(field: Field | undefined, ground: Ground, findings: Findings): void {
  if (field === undefined) {
    if (!ground.isLost('name')) {
      findings.add(ground.fence, say('name-missing/absent'));
    }
    return;
  }
  const { json } = field;
  if (hasError(field, findings)) return;
  if (json === null) findings.add(field.value, say('name-missing/null', { reason: findReason(field, ground) }));
  else if (json === '') findings.add(field.value, say('name-missing/empty'));
  else if (typeof json !== 'string') {
    const { repair } = quoteScalar(field, 'name');
    findings.add(field.value, say('name-invalid/kind', { kind: showKind(json), repair }));
  } else if (!isName(json)) findings.add(field.value, describeName(json));
}

function describeName(name: string): Said {
  const better = toName(name);
  const repair = { name: better === undefined ? undefined : writeName(better) };
  return name.length > 64
    ? say('name-invalid/length', { length: name.length, repair })
    : say('name-invalid/characters', { name, repair });
}

function judgeDescription(field: Field | undefined, ground: Ground, findings: Findings): void {
  if (field === undefined) {
    if (!ground.isLost('description')) findings.add(ground.fence, say('description-missing/absent'));
    return;
  }
  const { json } = field;
  if (hasError(field, findings)) {
    // how a block ends, on which parsers differ, does not make it short enough
    if (isBlock(field) && typeof json === 'string') judgeLength(json.trimEnd(), field, findings);
    return;
  }
  if (json === null) {
    const { repair, ...edits } = quoteComment(field, ground);
    const said = say('description-missing/null', { reason: findReason(field, ground), repair });
    findings.add(field.value, { ...said, ...edits });
  } else if (typeof json !== 'string') {
    const { start, end } = field.value;
    const raw = ground.text.slice(start, end);
    const { repair, ...edits } = raw.includes('\n')
      ? { repair: { how: 'fold', label: 'description: ' } as const }
      : quoteAs('description', raw, { start, end });
    findings.add(field.value, { ...say('description-missing/kind', { kind: showKind(json), repair }), ...edits });
  } else if (json.trim() === '') {
    findings.add(field.value, say('description-missing/empty'));
  } else judgeLength(json, field, findings);
}

function isBlock({ node }: Field): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

function judgeLength(description: string, field: Field, findings: Findings): void {
  const length = countCharacters(description);
  if (length <= 1024) return;
  findings.add(field.value, say('description-length', { length }));
}

/** The rest of a line that a `#` made a comment, for a field without a value. */
function findComment(field: Field, ground: Ground): string | undefined {
  return /^[ \t]*:[ \t]+(#[^\n\r]*)/.exec(ground.text.slice(field.key.end, field.key.end + 2000))?.[1];
}

function findReason(field: Field, ground: Ground) {
  if (sourceOf(field) !== '') return 'null';
  return findComment(field, ground) === undefined ? 'nothing' : 'comment';
}

/** A scalar as it is written; nothing for a list or mapping. */
function sourceOf({ node }: Field): string {
  return isScalar(node) ? (node.source ?? '') : '';
}

/** What a hint says to write, and the edits that write it. */
interface Way {
  readonly repair: Rewrite;
  readonly edits?: readonly TextEdit[];
}

const NO_WAY = { repair: undefined };

function quoteAs(label: string, text: string, span: Span): Way {
  const quoted = quoteText(text);
  return { repair: { how: 'quote', text: `${label}: ${quoted}` }, edits: [{ ...span, text: quoted }] };
}

function quoteComment(field: Field, ground: Ground): Way | typeof NO_WAY {
  const comment = findComment(field, ground)?.trimEnd();
  if (comment === undefined) return NO_WAY;
  const start = ground.text.indexOf(comment, field.key.end);
  const key = ground.text.slice(field.key.start, field.key.end);
  return quoteAs(key, comment, { start, end: start + comment.length });
}

/** For a number or a boolean, what to write so that it is text. */
function quoteScalar({ json, node, value: { start, end } }: Field, name: string): Way | typeof NO_WAY {
  if ((typeof json !== 'number' && typeof json !== 'boolean') || !isScalar(node)) return NO_WAY;
  return quoteAs(name, String(node.source), { start, end });
}

function judgeLicense(field: Field): Note | undefined {
  if (isFilled(field.json)) return undefined;
  const { repair, ...edits } = quoteScalar(field, 'license');
  return { ...say('license-invalid', { kind: showKind(field.json), repair }), ...edits };
}

function judgeCompatibility(field: Field): Note | undefined {
  const { json } = field;
  if (!isFilled(json)) {
    const { repair, ...edits } = quoteScalar(field, 'compatibility');
    return { ...say('compatibility-length/kind', { kind: showKind(json), repair }), ...edits };
  }
  const length = countCharacters(json);
  return length <= 500 ? undefined : say('compatibility-length/length', { length });
}

function judgeTools(field: Field | undefined, ground: Ground, findings: Findings): void {
  if (field === undefined || hasError(field, findings) || isFilled(field.json)) return;
  const { json, value } = field;
  const joined = joinTools(json);
  const raw = ground.text.slice(value.start, value.end);
  // A list over several lines begins on the line below its key; the repair pulls it up beside the colon.
  const gap = ground.text.slice(field.key.end, value.start);
  const isSafe = joined !== undefined && /^:\s*$/.test(gap) && !raw.includes('#');
  findings.add(value, {
    ...say('allowed-tools-invalid', { kind: showKind(json), repair: { joined } }),
    ...(isSafe
      ? {
          edits: [
            { start: field.key.end, end: field.key.end + gap.length + raw.trimEnd().length, text: `: ${joined}` },
          ],
        }
      : {}),
  });
}

/** The tools of a list as one string, where each is a string whose blanks, if any, are in parentheses. */
function joinTools(json: JsonValue): string | undefined {
  if (!Array.isArray(json) || json.length === 0) return undefined;
  const tools = json as readonly JsonValue[];
  if (!tools.every((tool): tool is string => isFilled(tool) && /^[^\s()]+(?:\([^()]*\))?$/.test(tool)))
    return undefined;
  return quoteText(tools.join(' '));
}
