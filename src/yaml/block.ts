import type { Findings, Note, TextEdit } from './findings.ts';
import { readPlain } from './plain.ts';
import { quoteText } from './quote.ts';
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
    findings.add(spot, {
      ...ambiguous(
        'a block that ends the frontmatter and starts every line with "#" is a comment for some YAML parsers',
        'begin it with another character, or move the field up',
      ),
      ...(isOne ? writeQuoted(spot, quoteText(String(spot.node.value).trim())) : {}),
    });
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
  findings.add(
    { start: spot.start, end: spot.start + shown.length },
    {
      code: 'yaml-ambiguous',
      message:
        end === 'frontmatter'
          ? `this "${shown}" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter`
          : `this "${shown}" block ends a list or mapping inside another: some YAML parsers drop its last line break`,
      ...(literal === undefined ? writeHeader(spot, header, `${style}-`) : writeQuoted(spot, literal)),
    },
  );
}

/** A header in the place of another, and what follows it left as it is. */
function writeHeader(spot: Spot, header: string, text: string): Pick<Note, 'hint' | 'edits'> {
  const length = /^[|>][-+]?/.exec(header)?.[0].length ?? 1;
  return { hint: `write ${spot.label}${text}`, edits: [{ start: spot.start, end: spot.start + length, text }] };
}

/** A text in quotes in the place of the whole block; a comment after its header would get lost. */
function writeQuoted(spot: Spot, text: string): Pick<Note, 'hint' | 'edits'> {
  const hint = `write ${spot.label}${text}`;
  const raw = spot.raw.trimEnd();
  return /^[^\n]*#/.test(raw) ? { hint } : { hint, edits: [{ start: spot.start, end: spot.start + raw.length, text }] };
}

/** Lines of blanks below it may belong to a text that the parser takes for something else. */
function writeEmpty(spot: Spot, rest: readonly string[]): Pick<Note, 'hint' | 'edits'> {
  return rest.every((line) => line === '') ? writeQuoted(spot, '""') : { hint: `write ${spot.label}""` };
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
  if (/^[|>][-+]?[0-9]/.test(header)) {
    return {
      code: 'yaml-unportable',
      message: 'an indentation number after "|" or ">" is refused by some YAML parsers',
      hint: `write ${spot.label}${style}- and begin the text with a word`,
    };
  }
  return undefined;
}

function findLinesFault(spot: Spot, header: string, rest: readonly string[]): Note | undefined {
  const style = header[0] ?? '';
  const isFilled = (line: string): boolean => /[^ ]/.test(line);
  const end = rest.findLastIndex(isFilled) + 1;
  const lines = rest.slice(0, end);
  if (end === 0) {
    const isDescription = spot.label === 'description: ';
    return {
      code: 'yaml-ambiguous',
      message: `an empty "${style}" block is null for some YAML parsers and a string for others`,
      ...(isDescription ? { hint: 'write the text of the description indented below it' } : writeEmpty(spot, rest)),
    };
  }
  if (lines.some((line) => line.includes('\t'))) {
    return ambiguous('a tab in a "|" or ">" block is read differently by YAML parsers', 'use spaces');
  }
  const indent = countIndent(lines);
  // Fewer blanks than the text is indented by are nothing to every parser; more are text for some.
  if (rest.some((line) => line.length > indent && !isFilled(line))) {
    return {
      ...ambiguous(
        'spaces on an empty line of a "|" or ">" block are read differently by YAML parsers',
        'remove the spaces',
      ),
      edits: trimLines(spot, /(?<=\n) +(?=\r?\n|$)/g),
    };
  }
  if (/ $/.test(lines.at(-1) ?? '')) {
    return {
      ...ambiguous(
        'spaces at the end of the last line of a "|" or ">" block are kept only by some YAML parsers',
        'remove the spaces',
      ),
      edits: trimLines(spot, /(?<=\S) +(?=\s*$)/g),
    };
  }
  if (lines.some((line) => WIDE_BLANK_EDGE.test(line))) {
    return ambiguous(
      'a space character other than U+0020 at the start or end of a line is dropped by some YAML parsers',
      'remove it, or use U+0020',
    );
  }
  const deeper = lines.some((line) => isFilled(line) && line[indent] === ' ');
  if (style === '>' && deeper && (header[1] === '+' || !lines.every(isFilled))) {
    return {
      ...ambiguous(
        `lines indented deeper in a "${header[1] === '+' ? '>+' : '>'}" block${header[1] === '+' ? '' : ' that has empty lines'} are folded differently by YAML parsers`,
        '',
      ),
      ...writeHeader(spot, header, '|-'),
    };
  }
  return undefined;
}

function findTextFault(spot: Spot, header: string): Note | undefined {
  const quoted = header.startsWith('|-') ? findLiteral(spot, '|') : undefined;
  if (quoted === undefined) return undefined;
  return {
    ...ambiguous(
      `a "${header.slice(0, 2)}" block that looks like a number, a boolean, a date or null is read as one by some YAML parsers`,
      '',
    ),
    ...writeQuoted(spot, quoted),
  };
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

function ambiguous(message: string, hint: string): Note {
  return { code: 'yaml-ambiguous', message, hint };
}
