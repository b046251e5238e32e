import type { Findings, Note } from './findings.ts';
import { readPlain } from './plain.ts';
import { quoteText } from './quote.ts';
import type { Spot } from './scalar.ts';

const WIDE_BLANK_EDGE =
  /^ *[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]|[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000] *$/;

/** Judges a `|` or `>` text. `isLast` says that nothing follows it in the frontmatter, so that its end depends on how a host cuts. */
export function judgeBlock(spot: Spot, isLast: boolean, findings: Findings): void {
  const [header = '', ...rest] = spot.raw.split(/\r?\n/);
  const note = findHeaderFault(spot, header) ?? findLinesFault(spot, header, rest) ?? findTextFault(spot, header);
  if (note !== undefined) findings.add(spot, note);
  else if (isLast && !header.startsWith('|-') && !header.startsWith('>-')) judgeLast(spot, header, findings);
}

/** Whether a block scalar's header keeps or clips its last line end, so that the end of the frontmatter matters. */
function judgeLast(spot: Spot, header: string, findings: Findings): void {
  const style = header[0] ?? '';
  const kept = header[1] === '+';
  findings.add(
    { start: spot.start, end: spot.start + (kept ? 2 : 1) },
    {
      code: 'yaml-ambiguous',
      message: `this "${kept ? `${style}+` : style}" text ends the frontmatter: whether it ends with a line end depends on how a host cuts the frontmatter out`,
      hint: `write ${spot.label}${style}-`,
      ...(kept ? {} : { edits: [{ start: spot.start + 1, end: spot.start + 1, text: '-' }] }),
    },
  );
}

function findHeaderFault(spot: Spot, header: string): Note | undefined {
  const style = header[0] ?? '';
  if (/^[|>][-+]?[0-9]/.test(header)) {
    return {
      code: 'yaml-unportable',
      message: 'an indentation number after "|" or ">" is refused by some YAML readers',
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
    return {
      code: 'yaml-ambiguous',
      message: `an empty "${style}" text is null for some YAML readers and text for others`,
      hint: `write ${spot.label}""`,
    };
  }
  if (lines.some((line) => line.includes('\t'))) {
    return ambiguous('a tab in a text below "|" or ">" is read differently by YAML readers', 'use spaces');
  }
  if (rest.slice(end).some((line) => line !== '') || lines.some((line) => line !== '' && !isFilled(line))) {
    return ambiguous(
      'blanks on an empty line of a text below "|" or ">" are read differently by YAML readers',
      'remove the blanks',
    );
  }
  if (/ $/.test(lines.at(-1) ?? '')) {
    return ambiguous(
      'blanks at the end of the last line of a text below "|" or ">" are kept by some YAML readers only',
      'remove the blanks',
    );
  }
  if (lines.some((line) => WIDE_BLANK_EDGE.test(line))) {
    return ambiguous(
      'a blank that is no ordinary space, at the edge of a line, is dropped by some YAML readers',
      'remove it, or use an ordinary space',
    );
  }
  if (style === '>' && lines.includes('') && lines.some((line) => /^ /.test(line.slice(countIndent(lines))))) {
    return ambiguous(
      'a text below ">" that has both empty lines and lines indented deeper is folded differently by YAML readers',
      `write ${spot.label}|-`,
    );
  }
  if (header[1] === '+' && rest.slice(end).filter((line) => line === '').length > 1) {
    return ambiguous(
      'empty lines after a "+" text are counted differently by YAML readers',
      `write ${spot.label}${style}-`,
    );
  }
  return undefined;
}

function findTextFault(spot: Spot, header: string): Note | undefined {
  if (header[1] !== '-') return undefined;
  const value = String(spot.node.value);
  if (value.includes('\n')) return undefined;
  const text = value.trim();
  if (readPlain(text).kind === 'text') return undefined;
  return ambiguous(
    `a text below "${header.slice(0, 2)}" that looks like a number, a boolean, a date or null is one for some YAML readers`,
    `write ${spot.label}${quoteText(text)}`,
  );
}

function countIndent(lines: readonly string[]): number {
  const [first = ''] = lines.filter((line) => line !== '');
  return first.length - first.trimStart().length;
}

function ambiguous(message: string, hint: string): Note {
  return { code: 'yaml-ambiguous', message, hint };
}
