import type { Range, Reading } from '../messages/readings.ts';
import { quoteText } from '../text/quote.ts';

/** What the parsers make of unquoted text. */
export type PlainReading =
  | { readonly kind: 'text' }
  | { readonly kind: 'null' | 'boolean' | 'number' }
  | ({ readonly kind: 'refused' } & Refused);

/** Why text needs quotes: some parser reads it as something else, or not exactly. */
type Refused =
  | { readonly code: 'yaml-ambiguous'; readonly reading: Reading; readonly number?: number }
  | { readonly code: 'number-range'; readonly range: Range };

interface Refusal {
  readonly pattern: RegExp;
  readonly describe: (text: string) => Refused;
}

/** What a parser makes of a text, and the number, where it makes one of it. */
type Found = Reading | readonly [reading: Reading, number: number];

const TEXT: PlainReading = { kind: 'text' };
const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;
// With a point, a sign and a small exponent: what YAML 1.1 asks for, and no parser parts over.
const SCIENTIFIC = /^-?(?:0|[1-9][0-9]{0,5})\.[0-9]{0,6}[eE][-+]0?[1-9]$/;
const DECIMAL = /^-?(?:0|[1-9][0-9]*)\.[0-9]*$/;

/**
 * Everything that is not plain text for some parser, most telling rows first. The patterns are wider than YAML 1.1: they also
 * hold what libraries of single languages read (`tRuE`, `1,000`, `12:30` with a sign, `inf`).
 */
const REFUSALS: readonly Refusal[] = [
  ambiguous(/^(?:y|yes|n|no|on|off)$/i, 'boolean-1.1'),
  ambiguous(/^(?:true|false)$/i, 'boolean'),
  ambiguous(/^(?:~|null)$/i, 'null'),
  ambiguous(
    /^-[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}[-+.,:0-9 \tZ]*)?$/,
    'date-negative',
  ),
  ambiguous(/^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$/, 'date'),
  ambiguous(
    /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}[-+.,:0-9 \tZ]*$/,
    'date-time',
  ),
  ambiguous(/^[-+]?(?:[0-9][0-9_,]*)?(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/, findSexagesimal),
  range(/^(?:[-+]?\.inf|\.nan)$/i, 'infinite'),
  ambiguous(/^[-+]?(?:inf|infinity|nan)$/i, 'number'),
  ambiguous(/^-0(?:\.0*)?$/, 'negative-zero'),
  range(/^-?[1-9][0-9]{15,}$/, 'inexact'),
  range(/^-?(?:0|[1-9][0-9]*)\.[0-9]*$/, 'digits'),
  ambiguous(/^[-+]?0[0-9_,]+$/, findLeadingZero),
  ambiguous(/^[-+]?0[xX][-+]?[0-9a-fA-F_,]+$/, 'hexadecimal'),
  ambiguous(/^[-+]?0[oO][-+]?[0-7_]+$/, 'octal-1.2'),
  ambiguous(/^[-+]?0[bB][-+]?[01_,]+$/, 'binary'),
  ambiguous(/^(?:[-+]?[0-9][0-9_,]*|[-+]_[0-9_]*)$/, (text) => (/[_,]/.test(text) ? 'number' : 'number-or-string')),
  ambiguous(/^[-+]?(?:[0-9][0-9_,]*)?(?:\.[0-9_]*)?[eE][-+]?[0-9_]+$/, findExponent),
  ambiguous(/^(?:\+[-+][.0-9].*|[-+]?(?:[0-9][0-9_,]*)?\.[0-9_]*)$/, 'number'),
  ambiguous(/^:/, 'symbol'),
  ambiguous(/^=$/, 'default'),
  ambiguous(/^<<$/, 'merge'),
  ambiguous(/^[-?]$/, 'indicator'),
];

/** Judges unquoted text (a value, list item or key) by what the parsers make of it. The text is on one line, without outer blanks. */
export function readPlain(text: string): PlainReading {
  if (text === '' || text === 'null') return { kind: 'null' };
  if (text === 'true' || text === 'false') return { kind: 'boolean' };
  if (INTEGER.test(text) && Number.isSafeInteger(Number(text))) return { kind: 'number' };
  if (isHeldDecimal(text)) return { kind: 'number' };
  // No pattern below begins with a letter and is as long, but for an exponent.
  if (text.length > 8 && /^[A-DF-Za-df-z]/.test(text)) return TEXT;
  if (SCIENTIFIC.test(text) && Number(text) !== 0) return { kind: 'number' };
  const refusal = findRefusal(text);
  if (refusal === undefined) return TEXT;
  return { kind: 'refused', ...refusal.describe(text) };
}

/** A name as the value of a field: in quotes where some parser takes it for something else than text. */
export function writeName(name: string): string {
  return readPlain(name).kind === 'text' ? name : quoteText(name);
}

function findRefusal(text: string): Refusal | undefined {
  const found = REFUSALS.find(({ pattern }) => pattern.test(text));
  if (found !== undefined || !/^[-+.0-9][^_]*_/.test(text)) return found;
  // Go drops every `_` before it looks for a number.
  const bare = text.replaceAll('_', '');
  if (REFUSALS.some(({ pattern }) => pattern.test(bare)) || INTEGER.test(bare) || DECIMAL.test(bare)) {
    return ambiguous(/^/, 'number');
  }
  return undefined;
}

/** A double holds 15 digits; so many zeros before them that it would hold less, or nothing, make a longer text. */
function isHeldDecimal(text: string): boolean {
  if (text.length > 64 || !DECIMAL.test(text) || Object.is(Number(text), -0)) return false;
  return text.replace(/[-.]/g, '').replace(/^0+/, '').length <= 15;
}

function ambiguous(pattern: RegExp, found: Reading | ((text: string) => Found)): Refusal {
  return {
    pattern,
    describe(text) {
      const reading = typeof found === 'string' ? found : found(text);
      return typeof reading === 'string'
        ? { code: 'yaml-ambiguous', reading }
        : { code: 'yaml-ambiguous', reading: reading[0], number: reading[1] };
    },
  };
}

function range(pattern: RegExp, found: Range): Refusal {
  return { pattern, describe: () => ({ code: 'number-range', range: found }) };
}

function findSexagesimal(text: string): Found {
  if (!/^[-+]?[0-9]+(?::[0-5]?[0-9])+$/.test(text)) return 'number';
  const sign = text.startsWith('-') ? -1 : 1;
  const number = text
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return ['sexagesimal', sign * number];
}

function findExponent(text: string): Found {
  if (/[_,]/.test(text)) return 'number';
  return /\..*[eE][-+]/.test(text) ? 'exponent' : 'exponent-1.2';
}

function findLeadingZero(text: string): Found {
  if (/^0[0-7]+$/.test(text) && Number(text) > 7) return ['octal', Number.parseInt(text, 8)];
  return /^0[0-9]+$/.test(text) && Number(text) > 7 ? ['leading-zero', Number(text)] : 'number';
}
