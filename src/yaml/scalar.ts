import { isHiding } from '../text/invisible.ts';
import { findInvisible } from './characters.ts';
import type { Findings, Note, Span } from './findings.ts';
import { closeQuote, nameCharacter, showText } from './quote.ts';
import type { Spot } from './spot.ts';
import { judgeUnquoted, writeLines } from './unquoted.ts';

/** The parser takes the end of the text for the closing quote when an escaped quote is the last character. */
const CLOSED = /^(?:'(?:[^']|'')*'|"(?:[^"\\]|\\[\s\S])*")$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** The most bytes of a key, quotes included; some parsers look no further for the colon. */
const MAX_KEY_BYTES = 1024;

/** Judges one scalar against the profile of `docs/portable-frontmatter.md`. */
export function judgeScalar(spot: Spot, findings: Findings): void {
  if (spot.role === 'key') judgeKeyLength(spot, findings);
  switch (spot.node.type) {
    case 'QUOTE_DOUBLE':
    case 'QUOTE_SINGLE':
      judgeQuoted(spot, findings);
      break;
    case 'BLOCK_LITERAL':
    case 'BLOCK_FOLDED':
      break;
    default:
      judgeUnquoted(spot, findings);
  }
}

function judgeKeyLength(spot: Spot, findings: Findings): void {
  if (spot.raw.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(spot.raw) <= MAX_KEY_BYTES) return;
  findings.add(spot, {
    code: 'yaml-unportable',
    message: `a key of more than ${MAX_KEY_BYTES} bytes is refused by many YAML parsers`,
    hint: 'write a shorter key',
  });
}

function judgeQuoted(spot: Spot, findings: Findings): void {
  const { raw, node } = spot;
  const value = String(node.value);
  if (raw.includes('\n')) {
    findings.add(spot, {
      code: 'yaml-unportable',
      message: 'quoted text over several lines is refused by some YAML parsers, and others keep different spaces in it',
      ...writeLines(spot),
    });
    return;
  }
  if (!CLOSED.test(raw)) {
    findings.add(spot, {
      code: 'yaml-syntax',
      message: `${showText(raw)} is not quoted correctly`,
      hint: `close the quote: ${spot.label}${closeQuote(raw)}`,
      edits: [{ start: spot.start, end: spot.end, text: closeQuote(raw) }],
    });
    return;
  }
  if (spot.role === 'key' && raw.includes('\t')) {
    findings.add(spot, {
      code: 'yaml-ambiguous',
      message: 'a key with a tab in it is read differently by YAML parsers',
      hint: 'use spaces',
    });
  } else if (node.type === 'QUOTE_DOUBLE' && raw.includes('\t') && !endsFrontmatter(spot)) {
    const tab = spot.start + raw.indexOf('\t');
    findings.add(
      { start: tab, end: tab + 1 },
      {
        code: 'yaml-unportable',
        message: 'a tab inside double quotes hides what follows from some YAML parsers',
        hint: 'write \\t, or use spaces',
        edits: [{ start: tab, end: tab + 1, text: '\\t' }],
      },
    );
  }
  const blanks = /^[ \t]+(?=:)/.exec(spot.source.slice(spot.at + raw.length, spot.at + raw.length + 100))?.[0];
  if (spot.role === 'key' && !spot.flow && blanks !== undefined) {
    findings.add(spot, {
      code: 'yaml-unportable',
      message: 'spaces between a quoted key and its colon are refused by some YAML parsers',
      hint: `write ${raw}:`,
      edits: [{ start: spot.end, end: spot.end + blanks.length, text: '' }],
    });
  }
  if (node.type === 'QUOTE_DOUBLE' && raw.includes('\\')) judgeEscapes(spot, value, findings);
}

/** Whether nothing but blanks stands behind it, and no bracket. */
function endsFrontmatter({ source, at, raw }: Spot): boolean {
  return source.slice(at + raw.length).trim() === '';
}

/** Controls but for tabs and line ends. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

function judgeEscapes(spot: Spot, value: string, findings: Findings): void {
  // Every escape of the raw text in turn, so that `\\u` is a backslash and a letter.
  for (const match of spot.raw.matchAll(
    /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g,
  )) {
    const start = spot.start + match.index;
    const note = judgeEscape(match[0], { start, end: start + match[0].length });
    if (note !== undefined) findings.add({ start, end: start + match[0].length }, note);
  }
  for (const char of findInvisible(value)) {
    // As it is, it is reported where it stands.
    if (spot.raw.includes(char)) continue;
    const hiding = isHiding(char);
    findings.add(spot, {
      code: hiding ? 'hidden-text' : 'invisible-character',
      message: `the escaped character ${nameCharacter(char)} ${hiding ? 'hides or reorders text' : 'is invisible'}`,
      hint: 'remove it',
    });
  }
  const control = CONTROL.exec(value)?.[0];
  if (control !== undefined) {
    findings.add(spot, {
      code: 'invisible-character',
      message: `the escaped character ${nameCharacter(control)} is a control character, which terminals act on`,
      hint: 'remove it',
    });
  }
}

function judgeEscape(written: string, span: Span): Note | undefined {
  if (written.length === 12) {
    const char = JSON.parse(`"${written}"`) as string;
    return {
      code: 'yaml-ambiguous',
      message: `"${written}" is one character for some YAML parsers, two halves for others, and refused by the rest`,
      hint: `write the character itself (${char}) or \\U${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(8, '0')}`,
      edits: [{ ...span, text: char }],
    };
  }
  const code = /^\\[uU]/.test(written) ? Number.parseInt(written.slice(2), 16) : 0;
  if (code >= 0xd800 && code <= 0xdfff) {
    return {
      code: 'non-json-value',
      message: `"${written}" is half a character (a lone surrogate), which JSON cannot contain`,
      hint: 'write the character itself',
    };
  }
  if (written === '\\/') {
    return {
      code: 'yaml-unportable',
      message: 'the escape "\\/" is refused by some YAML parsers',
      hint: 'write / without the backslash',
      edits: [{ ...span, text: '/' }],
    };
  }
  if (written === '\\\t') {
    return {
      code: 'yaml-unportable',
      message: 'a backslash before a tab is refused by some YAML parsers',
      hint: 'write \\t',
      edits: [{ ...span, text: '\\t' }],
    };
  }
  return undefined;
}

/** Whether a string could be written to JSON and read back: no lone surrogates. */
export function isWellFormed(value: string): boolean {
  return !LONE_SURROGATE.test(value);
}
