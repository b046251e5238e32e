import { isMap, isScalar, isSeq } from 'yaml';
import { formatNumber } from '../text/count.ts';
import type { JsonValue } from '../text/jsonvalue.ts';
import { isName, toName } from '../text/names.ts';
import type { Findings, Note, Span } from '../yaml/findings.ts';
import { writeName } from '../yaml/plain.ts';
import { quoteText, showKind, showText } from '../yaml/quote.ts';
import type { Field, Tree } from '../yaml/tree.ts';
import { judgeMetadata } from './metadata.ts';
import { findMisspelled } from './warnings.ts';

/** What the field rules need of the text around the fields. */
export interface Ground {
  readonly text: string;
  /** The opening fence, where what is missing is reported. */
  readonly fence: Span;
  /** Whether a field of this name stands in a part that could not be read. */
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
    code: `${name}-missing`,
    message: `the ${name} is missing: the field is spelled ${showText(ground.text.slice(start, end))}`,
    hint: `write ${name}: in its place`,
    edits: [{ start, end, text: name }],
  });
  return true;
}

function judgeName(field: Field | undefined, ground: Ground, findings: Findings): void {
  if (field === undefined) {
    if (!ground.isLost('name')) {
      findings.add(ground.fence, {
        code: 'name-missing',
        message: 'the name is missing',
        hint: "write name: and the folder's name",
      });
    }
    return;
  }
  const { json } = field;
  if (hasError(field, findings)) return;
  if (json === null || json === '') {
    findings.add(field.value, {
      code: 'name-missing',
      message: `the name is ${json === null ? describeNull(field, ground) : 'empty'}`,
      hint: "write name: and the folder's name",
    });
  } else if (typeof json !== 'string') {
    findings.add(field.value, {
      code: 'name-invalid',
      message: `the name must be a string, not ${showKind(json)}`,
      hint: quoteScalar(field, 'name')?.hint ?? "write name: and the folder's name",
    });
  } else if (!isName(json)) {
    findings.add(field.value, describeName(json));
  }
}

function describeName(name: string): Note {
  const better = toName(name);
  const message =
    name.length > 64
      ? `the name has ${name.length} characters, more than 64`
      : `the name ${showText(name)} is not made of a-z, 0-9 and single hyphens between them`;
  return {
    code: 'name-invalid',
    message,
    hint:
      better !== undefined
        ? `write name: ${writeName(better)}`
        : 'write a name of 1 to 64 characters of a-z, 0-9 and single hyphens',
  };
}

function judgeDescription(field: Field | undefined, ground: Ground, findings: Findings): void {
  const hint = 'write description: and a sentence that says what the skill does and when to use it';
  if (field === undefined) {
    if (!ground.isLost('description'))
      findings.add(ground.fence, { code: 'description-missing', message: 'the description is missing', hint });
    return;
  }
  const { json } = field;
  if (hasError(field, findings)) {
    // how a block ends, on which parsers differ, does not make it short enough
    if (isBlock(field) && typeof json === 'string') judgeLength(json.trimEnd(), field, findings);
    return;
  }
  if (json === null) {
    findings.add(field.value, {
      code: 'description-missing',
      message: `the description is ${describeNull(field, ground)}`,
      hint,
      ...quoteComment(field, ground),
    });
  } else if (typeof json !== 'string') {
    const { start, end } = field.value;
    const raw = ground.text.slice(start, end);
    findings.add(field.value, {
      code: 'description-missing',
      message: `the description must be a string, not ${showKind(json)}`,
      ...(raw.includes('\n')
        ? { hint: 'write description: >- and the text indented below it' }
        : { hint: `quote it: description: ${quoteText(raw)}`, edits: [{ start, end, text: quoteText(raw) }] }),
    });
  } else if (json.trim() === '') {
    findings.add(field.value, { code: 'description-missing', message: 'the description is empty', hint });
  } else judgeLength(json, field, findings);
}

function isBlock({ node }: Field): boolean {
  return isScalar(node) && (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED');
}

function judgeLength(description: string, field: Field, findings: Findings): void {
  const length = countCharacters(description);
  if (length <= 1024) return;
  findings.add(field.value, {
    code: 'description-length',
    message: `the description has ${formatNumber(length)} characters, ${formatNumber(length - 1024)} more than the 1,024 allowed`,
    hint: 'shorten it: move what is needed only when the skill runs into the text below the frontmatter',
  });
}

/** The rest of a line that a `#` made a comment, for a field without a value. */
function findComment(field: Field, ground: Ground): string | undefined {
  return /^[ \t]*:[ \t]+(#[^\n\r]*)/.exec(ground.text.slice(field.key.end, field.key.end + 2000))?.[1];
}

function describeNull(field: Field, ground: Ground): string {
  if (sourceOf(field) !== '') return 'null, not a string';
  return findComment(field, ground) === undefined
    ? 'null: there is nothing after the colon'
    : 'null (a # starts a comment)';
}

/** A scalar as it is written; nothing for a list or mapping. */
function sourceOf({ node }: Field): string {
  return isScalar(node) ? (node.source ?? '') : '';
}

/** What to write and its repair. */
type Way = Pick<Note, 'hint' | 'edits'>;

function quoteComment(field: Field, ground: Ground): Way | undefined {
  const comment = findComment(field, ground)?.trimEnd();
  if (comment === undefined) return undefined;
  const start = ground.text.indexOf(comment, field.key.end);
  return {
    hint: `quote it: ${ground.text.slice(field.key.start, field.key.end)}: ${quoteText(comment)}`,
    edits: [{ start, end: start + comment.length, text: quoteText(comment) }],
  };
}

/** For a number or a boolean, what to write so that it is text. */
function quoteScalar({ json, node, value: { start, end } }: Field, name: string): Way | undefined {
  if ((typeof json !== 'number' && typeof json !== 'boolean') || !isScalar(node)) return undefined;
  const text = quoteText(String(node.source));
  return { hint: `quote it: ${name}: ${text}`, edits: [{ start, end, text }] };
}

function judgeLicense(field: Field): Note | undefined {
  if (isFilled(field.json)) return undefined;
  return {
    code: 'license-invalid',
    message: `the license is ${showKind(field.json)}, not a string`,
    hint: 'write license: and its name, such as license: MIT',
    ...quoteScalar(field, 'license'),
  };
}

function judgeCompatibility(field: Field): Note | undefined {
  const { json } = field;
  const hint = 'write compatibility: and a string of 1 to 500 characters';
  if (!isFilled(json)) {
    return {
      code: 'compatibility-length',
      message: `the compatibility is ${showKind(json)}, not a string`,
      hint,
      ...quoteScalar(field, 'compatibility'),
    };
  }
  const length = countCharacters(json);
  if (length <= 500) return undefined;
  return {
    code: 'compatibility-length',
    message: `the compatibility has ${formatNumber(length)} characters, ${formatNumber(length - 500)} more than the 500 allowed`,
    hint,
  };
}

function judgeTools(field: Field | undefined, ground: Ground, findings: Findings): void {
  if (field === undefined || hasError(field, findings) || isFilled(field.json)) return;
  const { json, value } = field;
  const joined = joinTools(json);
  const raw = ground.text.slice(value.start, value.end);
  // A list over several lines begins on the line below its key; the repair pulls it up beside the colon.
  const gap = ground.text.slice(field.key.end, value.start);
  const repair = joined !== undefined && /^:\s*$/.test(gap) && !raw.includes('#');
  findings.add(value, {
    code: 'allowed-tools-invalid',
    message: `allowed-tools is ${showKind(json)}, not a space-separated string`,
    hint:
      joined === undefined
        ? 'write allowed-tools: and the tools in one line, such as allowed-tools: Read Grep'
        : `write allowed-tools: ${joined}`,
    ...(repair
      ? {
          edits: [
            { start: field.key.end, end: field.key.end + gap.length + raw.trimEnd().length, text: `: ${joined}` },
          ],
        }
      : {}),
  });
}

/** The tools of a list as one text, where each is a text whose blanks, if any, stand in parentheses. */
function joinTools(json: JsonValue): string | undefined {
  if (!Array.isArray(json) || json.length === 0) return undefined;
  const tools = json as readonly JsonValue[];
  if (!tools.every((tool): tool is string => isFilled(tool) && /^[^\s()]+(?:\([^()]*\))?$/.test(tool)))
    return undefined;
  return quoteText(tools.join(' '));
}

/** Counts code points, as the specification does, not UTF-16 units or bytes. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
