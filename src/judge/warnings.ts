import { say } from '../messages/say.ts';
import { countEdits } from '../text/distance.ts';
import { MAX_HINT, quoteText } from '../text/quote.ts';
import type { Findings, Span, TextEdit } from '../yaml/findings.ts';
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
    findings.add({ start: at, end }, say('fence-in-value'));
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
  // where the field is missing for that, an error reports it
  if (meant === undefined || findings.hasErrorIn(field.key)) return;
  findings.add(field.key, say('field-typo', { field: key, meant, repair: { isThere: isThere(meant) } }));
}

function isNear(key: string, name: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[-_ .]/g, '');
  const distance = countEdits(bare(key), bare(name));
  // One letter of four makes other words: only a slip after the first letter is taken for one.
  if (name.length <= 4 && key[0] !== name[0]) return distance === 0;
  return distance <= (name.length > 6 ? 2 : 1);
}

function judgeMarkup(field: Field | undefined, findings: Findings): void {
  if (field === undefined || typeof field.json !== 'string') return;
  const tag = /<\/?[A-Za-z][^<>]*>/.exec(field.json)?.[0];
  if (tag === undefined) return;
  findings.add(field.value, say('markup-in-description', { tag }));
}

function judgeShapes(tree: Tree, findings: Findings): void {
  const metadata = tree.fields.get('metadata')?.value;
  for (const { node, start, end, label, raw } of tree.numbers) {
    if (findings.hasErrorIn({ start, end })) continue;
    if (metadata !== undefined && start >= metadata.start && start < metadata.end) continue;
    const repair = { text: label + quoteText(raw) };
    findings.add({ start, end }, say('number-shape', { written: raw, published: String(node.value), repair }));
  }
}

/** The specification separates tools by spaces; a host that follows it reads commas between them as part of their names. */
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
  const repair = isSafe && written.length <= MAX_HINT ? { text: written } : {};
  findings.add(field.value, {
    ...say('tools-commas', { first: tools[0] ?? '', repair }),
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
