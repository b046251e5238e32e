import { countEdits } from '../text/distance.ts';
import type { Findings, Span, TextEdit } from '../yaml/findings.ts';
import { MAX_HINT, quoteText, showText } from '../yaml/quote.ts';
import type { Field, Tree } from '../yaml/tree.ts';
import { FIELDS } from './fieldnames.ts';

/** Reports what is published all the same, but is rarely what the author meant. */
export function judgeHabits(text: string, block: Span, tree: Tree, findings: Findings): void {
  judgeFences(text, block, findings);
  for (const [key, field] of tree.fields) {
    judgeTypo(key, field, (name) => tree.fields.has(name), findings);
  }
  judgeMarkup(tree.fields.get('description'), findings);
  judgeShapes(tree, findings);
  judgeCommas(text, tree.fields.get('allowed-tools'), findings);
}

function judgeFences(text: string, block: Span, findings: Findings): void {
  for (let at = text.indexOf('---', block.start); at !== -1 && at < block.end; at = text.indexOf('---', at + 1)) {
    let end = at + 3;
    while (text[end] === '-') end += 1;
    findings.add(
      { start: at, end },
      {
        code: 'fence-in-value',
        message: '"---" inside the frontmatter ends it for hosts that only look for three dashes',
        hint: 'write one or two dashes instead',
      },
    );
    at = end;
  }
}

/** A field whose key is a near miss of a name, and of no other field. */
export function findMisspelled({ fields }: Tree, name: string): Field | undefined {
  return [...fields].find(
    ([key]) =>
      key.length <= 24 && !FIELDS.some((field) => field === key) && FIELDS.find((field) => isNear(key, field)) === name,
  )?.[1];
}

function judgeTypo(key: string, field: Field, isThere: (name: string) => boolean, findings: Findings): void {
  if (key.length > 24 || (FIELDS as readonly string[]).includes(key)) return;
  const meant = FIELDS.find((name) => isNear(key, name));
  // where the field is missing for that, an error says so
  if (meant === undefined || findings.hasErrorIn(field.key)) return;
  findings.add(field.key, {
    code: 'field-typo',
    message: `the field ${showText(key)} is not in the specification; "${meant}" is`,
    hint: isThere(meant) ? 'leave it out' : `write ${meant}: if that is meant`,
  });
}

function isNear(key: string, name: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[-_ .]/g, '');
  const distance = countEdits(bare(key), bare(name));
  // One letter of four makes other words: only a slip behind the first letter is taken for one.
  if (name.length <= 4 && key[0] !== name[0]) return distance === 0;
  return distance <= (name.length > 6 ? 2 : 1);
}

function judgeMarkup(field: Field | undefined, findings: Findings): void {
  if (field === undefined || typeof field.json !== 'string') return;
  const tag = /<\/?[A-Za-z][^<>]*>/.exec(field.json)?.[0];
  if (tag === undefined) return;
  findings.add(field.value, {
    code: 'markup-in-description',
    message: `the description contains ${showText(tag)}, and some hosts refuse markup in descriptions`,
    hint: 'write it without angle brackets',
  });
}

function judgeShapes(tree: Tree, findings: Findings): void {
  const metadata = tree.fields.get('metadata')?.value;
  for (const { node, start, end, label, raw } of tree.numbers) {
    if (findings.hasErrorIn({ start, end })) continue;
    if (metadata !== undefined && start >= metadata.start && start < metadata.end) continue;
    findings.add(
      { start, end },
      {
        code: 'number-shape',
        message: `${raw} is published as ${String(node.value)}`,
        hint: `quote it if its digits matter: ${label}${quoteText(raw)}`,
      },
    );
  }
}

/** The specification separates tools by spaces; commas between them are read as part of their names by whoever follows it. */
function judgeCommas(text: string, field: Field | undefined, findings: Findings): void {
  if (field === undefined || typeof field.json !== 'string') return;
  if (findings.hasErrorIn({ start: field.key.start, end: field.end })) return;
  const tools = splitTools(field.json);
  const commas = findCommas(field.json);
  if (commas.length === 0) return;
  const { start, end } = field.value;
  const edits = toSpaces(text.slice(start, end)).map((edit) => ({
    start: start + edit.start,
    end: start + edit.end,
    text: edit.text,
  }));
  const isSafe = tools.length > 1 && tools.every((tool) => TOOL.test(tool));
  const written = quoteText(tools.join(' '));
  findings.add(field.value, {
    code: 'tools-commas',
    message: `allowed-tools has commas between tools, and the specification separates them by spaces: a host that follows it looks for a tool ${showText(`${tools[0] ?? ''},`)}`,
    hint:
      isSafe && written.length <= MAX_HINT
        ? `write allowed-tools: ${written}`
        : 'write a space instead of each comma between tools',
    ...(isSafe ? { edits } : {}),
  });
}

/** The name of a tool, and what it may be used for in parentheses. */
const TOOL = /^[A-Za-z*][^\s(),]*(?:\([^()]*\))?$/;

/** The tools of a text, whose commas and blanks in brackets separate nothing. */
export function splitTools(value: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= value.length; at++) {
    const char = value.charAt(at);
    depth = countDepth(depth, char);
    if (at < value.length && (depth > 0 || !/[,\s]/.test(char))) continue;
    if (at > from) tools.push(value.slice(from, at));
    from = at + 1;
  }
  return tools;
}

/** The offsets of the commas that are in no brackets. */
function findCommas(text: string): number[] {
  const commas: number[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    depth = countDepth(depth, char);
    if (char === ',' && depth === 0) commas.push(at);
  }
  return commas;
}

function countDepth(depth: number, char: string): number {
  if (/[([{]/.test(char)) return depth + 1;
  return /[)\]}]/.test(char) ? Math.max(0, depth - 1) : depth;
}

/** Each comma of a value as it is written becomes a space, or nothing where a line or the value ends with it. */
function toSpaces(raw: string): TextEdit[] {
  return findCommas(raw).map((comma) => {
    const isBlank = (at: number): boolean => raw[at] === ' ' || raw[at] === '\t';
    let start = comma;
    let end = comma + 1;
    while (start > 0 && isBlank(start - 1)) start--;
    while (isBlank(end)) end++;
    const isLast = end >= raw.length || /["'\r\n]/.test(raw.charAt(end));
    return isLast ? { start, end: comma + 1, text: '' } : { start, end, text: ' ' };
  });
}
