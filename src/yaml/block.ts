import type { Rewrite } from '../messages/rewrite.ts';
import { say } from '../messages/say.ts';
import { quoteText } from '../text/quote.ts';
import type { Findings, Note, TextEdit } from './findings.ts';
import { readPlain } from './plain.ts';
import type { Spot } from './spot.ts';

const WIDE_BLANK_EDGE =
  /^ *[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000] *$/;

/** What a text is the last of, so that its last line end hangs on how the whole is cut out. */
export type End = 'frontmatter' | 'item' | 'collection';

/** Judges a `|` or `>` text. */
export function judgeBlockText(spot: Spot, end: End | undefined, findings: Findings): void {
  const [header = '', ...rest] = spot.raw.split(/\r?\n/);
  const note = findHeaderFault(spot, header) ?? findLinesFault(spot, header, rest) ?? findTextFault(spot, header);
  const isTrimmed = note?.edits?.every(({ text }) => text === '') === true;
  if (note !== undefined) findings.add(isTrimmed ? (note.edits?.[0] ?? spot) : spot, note);
  // whether its lines are trimmed or not, the end of it is another matter
  if (note !== undefined && !isTrimmed) return;
  if (end === 'frontmatter' && rest.every((line) => /^ *(?:#|$)/.test(line))) {
    const isOne = rest.filter((line) => line.trim() !== '').length === 1;
    const { repair, ...edits } = isOne ? writeQuoted(spot, quoteText(String(spot.node.value).trim())) : {};
    findings.add(spot, { ...say('yaml-ambiguous/block-of-comments', { repair }), ...edits });
  } else if (end !== undefined && header[1] !== '-') judgeEnd(spot, header, end, findings);
}

function judgeEnd(spot: Spot, header: string, end: End, findings: Findings): void {
  const style = header[0] ?? '';
  const kept = header[1] === '+';
  // Where a comment stands between the fields, one parser miscounts the lines of what is nested.
  if (end === 'collection' && !kept && !/^ *#/m.test(spot.source)) return;
  // A comment below it keeps its last line inside whatever a host cuts out.
  if (end === 'frontmatter' && spot.source.slice(spot.at + spot.raw.length).trim() !== '') return;
  const shown = kept ? `${style}+` : style;
  const literal = findLiteral(spot, style);
  const { repair, ...edits } =
    literal === undefined ? writeHeader(spot, header, `${style}-`) : writeQuoted(spot, literal);
  const key = end === 'frontmatter' ? 'yaml-ambiguous/block-ends-frontmatter' : 'yaml-ambiguous/block-ends-collection';
  findings.add(
    { start: spot.start, end: spot.start + shown.length },
    { ...say(key, { block: shown, repair }), ...edits },
  );
}

/** What a hint says to write, and the edits that write it. */
interface Way {
  readonly repair: Rewrite;
  readonly edits?: readonly TextEdit[];
}

/** A header in the place of another, and what follows it left as it is. */
function writeHeader(spot: Spot, header: string, text: string): Way {
  const length = /^[|>][-+]?/.exec(header)?.[0].length ?? 1;
  return { repair: write(spot, text), edits: [{ start: spot.start, end: spot.start + length, text }] };
}

/** A text in quotes in the place of the whole block; a comment after its header would get lost. */
function writeQuoted(spot: Spot, text: string): Way {
  const repair = write(spot, text);
  const raw = spot.raw.trimEnd();
  if (/^[^\n]*#/.test(raw)) return { repair };
  return { repair, edits: [{ start: spot.start, end: spot.start + raw.length, text }] };
}

function write({ label }: Spot, text: string): Rewrite {
  return { how: 'write', text: label + text };
}

/** Lines of blanks below it may belong to a text that the parser takes for something else. */
function writeEmpty(spot: Spot, rest: readonly string[]): Way {
  return rest.every((line) => line === '') ? writeQuoted(spot, '""') : { repair: write(spot, '""') };
}

/** Removes what a pattern finds at the end of the lines of a block. */
function trimLines({ start, raw }: Spot, pattern: RegExp): readonly TextEdit[] {
  return [...raw.matchAll(pattern)].map(({ index, 0: blanks }) => {
    const from = start + index;
    return { start: from, end: from + blanks.length, text: '' };
  });
}

function findHeaderFault(spot: Spot, header: string): Note | undefined {
  const style = header[0] ?? '';
  if (!/^[|>][-+]?[0-9]/.test(header)) return undefined;
  return say('yaml-unportable/block-number', { repair: { header: `${spot.label}${style}-` } });
}

function findLinesFault(spot: Spot, header: string, rest: readonly string[]): Note | undefined {
  const style = header[0] ?? '';
  const isFilled = (line: string): boolean => /[^ ]/.test(line);
  const end = rest.findLastIndex(isFilled) + 1;
  const lines = rest.slice(0, end);
  if (end === 0) {
    const { repair, ...edits } = spot.label === 'description: ' ? {} : writeEmpty(spot, rest);
    return { ...say('yaml-ambiguous/block-empty', { block: style, repair }), ...edits };
  }
  if (lines.some((line) => line.includes('\t'))) return say('yaml-ambiguous/block-tab');
  const indent = countIndent(lines);
  // Fewer blanks than the text is indented by are nothing to every parser; more are text for some.
  if (rest.some((line) => line.length > indent && !isFilled(line))) {
    return { ...say('yaml-ambiguous/block-empty-line'), edits: trimLines(spot, /(?<=\n) +(?=\r?\n|$)/g) };
  }
  if (/ $/.test(lines.at(-1) ?? '')) {
    return { ...say('yaml-ambiguous/block-last-line'), edits: trimLines(spot, /(?<=\S) +(?=\s*$)/g) };
  }
  if (lines.some((line) => WIDE_BLANK_EDGE.test(line))) return say('yaml-ambiguous/block-wide-space');
  const deeper = lines.some((line) => isFilled(line) && line[indent] === ' ');
  if (style === '>' && deeper && (header[1] === '+' || !lines.every(isFilled))) {
    const { repair, ...edits } = writeHeader(spot, header, '|-');
    const block = header[1] === '+' ? '>+' : '>';
    return { ...say('yaml-ambiguous/block-deeper', { block, repair }), ...edits };
  }
  return undefined;
}

function findTextFault(spot: Spot, header: string): Note | undefined {
  const quoted = header.startsWith('|-') ? findLiteral(spot, '|') : undefined;
  if (quoted === undefined) return undefined;
  const { repair, ...edits } = writeQuoted(spot, quoted);
  return { ...say('yaml-ambiguous/block-word', { block: header.slice(0, 2), repair }), ...edits };
}

/** In quotes, a text that would be a number, a boolean, a date or null to some parser below `|-`. */
function findLiteral({ node }: Spot, style: string): string | undefined {
  const text = String(node.value).replace(/\n$/, '');
  return style === '>' || text.includes('\n') || readPlain(text.trim()).kind === 'text'
    ? undefined
    : quoteText(text.trim());
}

function countIndent(lines: readonly string[]): number {
  const [first = ''] = lines.filter((line) => /[^ ]/.test(line));
  return first.length - first.trimStart().length;
}
