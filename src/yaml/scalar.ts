import { say } from '../messages/say.ts';
import { isHiding } from '../text/invisible.ts';
import { closeQuote, nameCharacter } from '../text/quote.ts';
import { findInvisible } from './characters.ts';
import type { Findings, Note, Span } from './findings.ts';
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
  findings.add(spot, say('yaml-unportable/key-long', { most: MAX_KEY_BYTES, unit: 'bytes' }));
}

function judgeQuoted(spot: Spot, findings: Findings): void {
  const { raw, node } = spot;
  const value = String(node.value);
  if (raw.includes('\n')) {
    const { repair, ...edits } = writeLines(spot);
    findings.add(spot, { ...say('yaml-unportable/quoted-over-lines', { repair }), ...edits });
    return;
  }
  if (!CLOSED.test(raw)) {
    const text = closeQuote(raw);
    findings.add(spot, {
      ...say('yaml-syntax/quotes', { text: raw, repair: { how: 'close', text: spot.label + text } }),
      edits: [{ start: spot.start, end: spot.end, text }],
    });
    return;
  }
  if (spot.role === 'key' && raw.includes('\t')) {
    findings.add(spot, say('yaml-ambiguous/key-tab'));
  } else if (node.type === 'QUOTE_DOUBLE' && raw.includes('\t') && !endsFrontmatter(spot)) {
    const tab = spot.start + raw.indexOf('\t');
    findings.add(
      { start: tab, end: tab + 1 },
      {
        ...say('yaml-unportable/quoted-tab'),
        edits: [{ start: tab, end: tab + 1, text: '\\t' }],
      },
    );
  }
  const blanks = /^[ \t]+(?=:)/.exec(spot.source.slice(spot.at + raw.length, spot.at + raw.length + 100))?.[0];
  if (spot.role === 'key' && !spot.flow && blanks !== undefined) {
    findings.add(spot, {
      ...say('yaml-unportable/key-space', { key: raw }),
      edits: [{ start: spot.end, end: spot.end + blanks.length, text: '' }],
    });
  }
  if (node.type === 'QUOTE_DOUBLE' && raw.includes('\\')) judgeEscapes(spot, value, findings);
}

/** Whether nothing but blanks follows it, and no bracket. */
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
    // As it is, it is reported where it is written.
    if (spot.raw.includes(char)) continue;
    const key = isHiding(char) ? 'hidden-text/escaped' : 'invisible-character/escaped';
    findings.add(spot, say(key, { character: nameCharacter(char) }));
  }
  const control = CONTROL.exec(value)?.[0];
  if (control !== undefined) {
    findings.add(spot, say('invisible-character/control', { character: nameCharacter(control) }));
  }
}

function judgeEscape(written: string, span: Span): Note | undefined {
  if (written.length === 12) {
    const char = JSON.parse(`"${written}"`) as string;
    const escaped = `\\U${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(8, '0')}`;
    const said = say('yaml-ambiguous/surrogate-pair', { written, character: char, escaped });
    return { ...said, edits: [{ ...span, text: char }] };
  }
  const code = /^\\[uU]/.test(written) ? Number.parseInt(written.slice(2), 16) : 0;
  if (code >= 0xd800 && code <= 0xdfff) return say('non-json-value', { written });
  if (written === '\\/') return { ...say('yaml-unportable/escaped-slash'), edits: [{ ...span, text: '/' }] };
  if (written === '\\\t') return { ...say('yaml-unportable/escaped-tab'), edits: [{ ...span, text: '\\t' }] };
  return undefined;
}

/** Whether a string could be written to JSON and read back: no lone surrogates. */
export function isWellFormed(value: string): boolean {
  return !LONE_SURROGATE.test(value);
}
