import type { Scalar } from 'yaml';
import { findHiding } from './characters.ts';
import type { Findings, Note, Span } from './findings.ts';
import { findLineStart } from './lines.ts';
import { readPlain } from './plain.ts';
import { nameCharacter, quoteText, showText } from './quote.ts';

/** A scalar where it stands in the text of SKILL.md. */
export interface Spot extends Span {
  readonly node: Scalar;
  /** As it is written. */
  readonly raw: string;
  readonly role: 'key' | 'value' | 'item';
  /** Inside brackets or braces. */
  readonly flow: boolean;
  /** What stands before it, for hints: `updated: `, `- ` or nothing. */
  readonly label: string;
  /** The whole frontmatter, and where in it the scalar begins. */
  readonly source: string;
  readonly at: number;
}

// Blanks that YAML takes for text and some reader's own trimming does not.
const WIDE_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** The most bytes of a key, quotes included; some readers look no further for the colon. */
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
      judgePlain(spot, findings);
  }
}

function judgeKeyLength(spot: Spot, findings: Findings): void {
  if (spot.raw.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(spot.raw) <= MAX_KEY_BYTES) return;
  findings.add(spot, {
    code: 'yaml-unportable',
    message: `a key of more than ${MAX_KEY_BYTES} bytes is refused by many YAML readers`,
    hint: 'write a shorter key',
  });
}

function judgePlain(spot: Spot, findings: Findings): void {
  const { raw, node } = spot;
  const text = typeof node.source === 'string' ? node.source : raw;
  const reading = readPlain(text);
  if (reading.kind === 'refused') {
    const quoted = quoteText(text);
    findings.add(spot, {
      code: reading.code,
      message: spot.role === 'key' ? `the key ${reading.message}` : reading.message,
      hint: hintWord(spot, text, quoted),
      edits: [{ start: spot.start, end: spot.end, text: quoted }],
    });
    return;
  }
  if (spot.role === 'key' && reading.kind !== 'text') {
    const quoted = quoteText(text);
    findings.add(spot, {
      code: 'non-string-key',
      message:
        text === ''
          ? 'a key is missing before the colon'
          : `the key ${showText(text)} is ${withArticle(reading.kind)}, not text`,
      hint: text === '' ? 'write key: value' : `quote it: ${quoted}:`,
      ...(text === '' ? {} : { edits: [{ start: spot.start, end: spot.end, text: quoted }] }),
    });
    return;
  }
  if (raw === '') return;
  const fault = findPlainFault(spot);
  if (fault !== undefined) findings.add(spot, fault);
}

function withArticle(kind: 'null' | 'boolean' | 'number'): string {
  return kind === 'null' ? 'null' : `a ${kind}`;
}

function hintWord(spot: Spot, text: string, quoted: string): string {
  const written = spot.role === 'key' ? `${quoted}:` : `${spot.label}${quoted}`;
  if (spot.role === 'key') return `quote it: ${written}`;
  if (/^(?:y|yes|on|true)$/i.test(text)) return `write ${spot.label}true, or quote it: ${written}`;
  if (/^(?:n|no|off|false)$/i.test(text)) return `write ${spot.label}false, or quote it: ${written}`;
  if (/^(?:~|null)$/i.test(text)) return `write ${spot.label}null, or quote it: ${written}`;
  return `quote it: ${written}`;
}

function findPlainFault(spot: Spot): Note | undefined {
  const { raw, role, flow } = spot;
  const lines = raw.split(/\r?\n/).map((line) => line.replace(/^ +| +$/g, ''));
  const [first = ''] = lines;
  if (raw.includes('\t'))
    return faultOf(spot, 'a tab in unquoted text is kept, dropped or refused, depending on the YAML reader');
  if (lines.some((line) => line !== '' && (WIDE_BLANK.test(line[0] ?? '') || WIDE_BLANK.test(line.at(-1) ?? '')))) {
    return faultOf(
      spot,
      'a blank that is no ordinary space, at the edge of unquoted text, is dropped by some YAML readers',
    );
  }
  if (/^[-?:][\s\u00a0]/.test(first))
    return faultOf(spot, `text that begins with "${first[0]}" and a blank is an indicator for some YAML readers`);
  if (first.startsWith('?'))
    return faultOf(spot, 'unquoted text that begins with "?" is a key for some YAML readers', 'yaml-unportable');
  if (role === 'key' && first.startsWith('-'))
    return faultOf(spot, 'an unquoted key that begins with "-" is a list item for some YAML readers');
  if (flow) return findFlowFault(spot);
  const ownLine = role !== 'key' && beginsLine(spot);
  if (lines.length > 1 || ownLine) return findLinesFault(spot, ownLine ? lines : lines.slice(1), lines);
  return undefined;
}

function findFlowFault(spot: Spot): Note | undefined {
  const { raw, role } = spot;
  if (raw.includes('\n')) return undefined;
  if (raw.includes('?'))
    return faultOf(spot, 'a "?" in unquoted text inside brackets is refused by some YAML readers', 'yaml-unportable');
  if (raw.includes('  '))
    return faultOf(spot, 'two spaces in unquoted text inside brackets are one for some YAML readers');
  if (/:.*["']/.test(raw))
    return faultOf(spot, 'a colon before a quote in unquoted text inside brackets splits it for some YAML readers');
  if (raw.includes('\\'))
    return faultOf(spot, 'a backslash in unquoted text inside brackets is read differently by YAML readers');
  if (role === 'key' && /[\s:"'`,]/.test(raw))
    return faultOf(
      spot,
      'an unquoted key inside braces that holds blanks, colons or quotes is cut by some YAML readers',
    );
  return undefined;
}

/** Whether nothing but blanks stands before it on its line. */
function beginsLine({ source, at }: Spot): boolean {
  const lineStart = findLineStart(source, at);
  return source.slice(lineStart, at).trim() === '';
}

/** Text over several lines: `continued` are the lines that begin a line of the file. */
function findLinesFault(spot: Spot, continued: readonly string[], lines: readonly string[]): Note | undefined {
  if (spot.role === 'key')
    return faultOf(spot, 'a key over several lines is refused by some YAML readers', 'yaml-unportable');
  if (lines.includes('')) return faultOf(spot, 'empty lines in unquoted text are read differently by YAML readers');
  if (
    continued.some((line) => /^[-?:]/.test(line) || line.startsWith('...')) ||
    (lines.length > 1 && /^[-?:]/.test(lines[0] ?? ''))
  ) {
    return faultOf(
      spot,
      'a line of unquoted text that begins with "-", "?" or ":" is read differently by YAML readers',
    );
  }
  if (lines.some((line) => line.startsWith('\\') || line.endsWith('\\'))) {
    return faultOf(spot, 'a backslash at the edge of a line of unquoted text is dropped by some YAML readers');
  }
  return undefined;
}

/** A fault that putting the text in quotes, or in a block, repairs. */
function faultOf(spot: Spot, message: string, code: 'yaml-ambiguous' | 'yaml-unportable' = 'yaml-ambiguous'): Note {
  const text = String(spot.node.source ?? spot.raw);
  if (spot.raw.includes('\n')) return { code, message, hint: hintLines(spot) };
  const quoted = quoteText(text);
  const written = spot.role === 'key' ? `${quoted}:` : `${spot.label}${quoted}`;
  return { code, message, hint: `quote it: ${written}`, edits: [{ start: spot.start, end: spot.end, text: quoted }] };
}

function hintLines(spot: Spot): string {
  if (spot.flow || spot.role === 'key') return 'write it on one line, in quotes';
  return `write ${spot.label}>- and the text indented below it`;
}

function judgeQuoted(spot: Spot, findings: Findings): void {
  const { raw, node } = spot;
  const value = String(node.value);
  if (raw.includes('\n')) {
    findings.add(spot, {
      code: 'yaml-unportable',
      message:
        'text in quotes over several lines is refused by some YAML readers, and others keep different blanks of it',
      hint: hintLines(spot),
    });
    return;
  }
  if (spot.role === 'key' && raw.includes('\t')) {
    findings.add(spot, {
      code: 'yaml-ambiguous',
      message: 'a key with a tab in it is read differently by YAML readers',
      hint: 'use spaces',
    });
  }
  if (spot.role === 'key' && !spot.flow && spot.source[spot.at + raw.length] !== ':') {
    findings.add(spot, {
      code: 'yaml-unportable',
      message: 'blanks between a quoted key and its colon are refused by some YAML readers',
      hint: `write ${raw}:`,
    });
  }
  if (node.type === 'QUOTE_DOUBLE' && raw.includes('\\')) judgeEscapes(spot, value, findings);
}

function judgeEscapes(spot: Spot, value: string, findings: Findings): void {
  // Every escape of the raw text in turn, so that `\\u` is a backslash and a letter.
  for (const match of spot.raw.matchAll(
    /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[\s\S])/g,
  )) {
    const start = spot.start + match.index;
    const note = judgeEscape(match[0], { start, end: start + match[0].length });
    if (note !== undefined) findings.add({ start, end: start + match[0].length }, note);
  }
  const hiding = findHiding(value);
  if (hiding !== undefined) {
    findings.add(spot, {
      code: 'hidden-text',
      message: `the escaped character ${nameCharacter(hiding)} hides or reorders text`,
      hint: 'remove it',
    });
  }
}

function judgeEscape(written: string, span: Span): Note | undefined {
  if (written.length === 12) {
    const char = JSON.parse(`"${written}"`) as string;
    return {
      code: 'yaml-ambiguous',
      message: `"${written}" is one character for some YAML readers, two halves for others, and refused by the rest`,
      hint: `write the character itself (${char}) or \\U${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(8, '0')}`,
      edits: [{ ...span, text: char }],
    };
  }
  const code = /^\\[uU]/.test(written) ? Number.parseInt(written.slice(2), 16) : 0;
  if (code >= 0xd800 && code <= 0xdfff) {
    return {
      code: 'non-json-value',
      message: `"${written}" is half a character (a lone surrogate), which JSON cannot carry`,
      hint: 'write the character itself',
    };
  }
  if (written === '\\/') {
    return {
      code: 'yaml-unportable',
      message: 'the escape "\\/" is refused by some YAML readers',
      hint: 'write / without the backslash',
      edits: [{ ...span, text: '/' }],
    };
  }
  if (written === '\\\t') {
    return {
      code: 'yaml-unportable',
      message: 'a backslash before a tab is refused by some YAML readers',
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
