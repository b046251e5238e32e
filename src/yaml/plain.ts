import type { ProblemCode } from '../problems.ts';
import { quoteText, showText } from './quote.ts';

/** What the parsers make of unquoted text. */
export type PlainReading =
  | { readonly kind: 'text' }
  | { readonly kind: 'null' | 'boolean' | 'number' }
  | { readonly kind: 'refused'; readonly code: ProblemCode; readonly message: string };

type Describe = (text: string) => string;

interface Refusal {
  readonly pattern: RegExp;
  readonly code: ProblemCode;
  readonly describe: Describe;
}

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
  ambiguous(/^(?:y|yes|n|no|on|off)$/i, () => 'is a boolean in YAML 1.1 and a string in YAML 1.2'),
  ambiguous(/^(?:true|false)$/i, () => 'is a boolean for some YAML parsers and a string for others'),
  ambiguous(/^(?:~|null)$/i, () => 'is null for some YAML parsers and a string for others'),
  ambiguous(
    /^-[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}[-+.,:0-9 \tZ]*)?$/,
    () => 'is a date for some YAML parsers and a string for others',
  ),
  ambiguous(/^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$/, () => 'is a date in YAML 1.1 and a string in YAML 1.2'),
  ambiguous(
    /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}[-+.,:0-9 \tZ]*$/,
    () => 'is a date and time in YAML 1.1 and a string in YAML 1.2',
  ),
  ambiguous(/^[-+]?(?:[0-9][0-9_,]*)?(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/, describeSexagesimal),
  range(/^(?:[-+]?\.inf|\.nan)$/i, () => 'is not a number that JSON can hold'),
  ambiguous(/^[-+]?(?:inf|infinity|nan)$/i, () => 'is a number for some YAML parsers and a string for others'),
  ambiguous(/^-0(?:\.0*)?$/, () => 'is zero for some YAML parsers and negative zero for others'),
  range(/^-?[1-9][0-9]{15,}$/, () => 'is a number that some parsers do not keep exactly'),
  range(/^-?(?:0|[1-9][0-9]*)\.[0-9]*$/, () => 'has more digits than some parsers keep'),
  ambiguous(/^[-+]?0[0-9_,]+$/, describeLeadingZero),
  ambiguous(
    /^[-+]?0[xX][-+]?[0-9a-fA-F_,]+$/,
    () => 'is a hexadecimal number for some YAML parsers and a string for others',
  ),
  ambiguous(/^[-+]?0[oO][-+]?[0-7_]+$/, () => 'is a string in YAML 1.1 and an octal number in YAML 1.2'),
  ambiguous(/^[-+]?0[bB][-+]?[01_,]+$/, () => 'is a binary number in YAML 1.1 and a string in YAML 1.2'),
  ambiguous(/^(?:[-+]?[0-9][0-9_,]*|[-+]_[0-9_]*)$/, (text) =>
    /[_,]/.test(text)
      ? 'is a number for some YAML parsers and a string for others'
      : 'is a number that some YAML parsers read as a string',
  ),
  ambiguous(/^[-+]?(?:[0-9][0-9_,]*)?(?:\.[0-9_]*)?[eE][-+]?[0-9_]+$/, describeExponent),
  ambiguous(
    /^(?:\+[-+][.0-9].*|[-+]?(?:[0-9][0-9_,]*)?\.[0-9_]*)$/,
    () => 'is a number for some YAML parsers and a string for others',
  ),
  ambiguous(/^:/, () => 'begins with a colon, which is a symbol in Ruby and a string elsewhere'),
  ambiguous(/^=$/, () => 'is a default value in YAML 1.1 and a string in YAML 1.2'),
  ambiguous(/^<<$/, () => 'merges mappings in YAML 1.1 and is a string in YAML 1.2'),
  ambiguous(/^[-?]$/, () => 'is an indicator for some YAML parsers and a string for others'),
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
  return { kind: 'refused', code: refusal.code, message: `${showText(text)} ${refusal.describe(text)}` };
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
    return ambiguous(/^/, () => 'is a number for some YAML parsers and a string for others');
  }
  return undefined;
}

/** A double holds 15 digits; so many zeros before them that it would hold less, or nothing, make a longer text. */
function isHeldDecimal(text: string): boolean {
  if (text.length > 64 || !DECIMAL.test(text) || Object.is(Number(text), -0)) return false;
  return text.replace(/[-.]/g, '').replace(/^0+/, '').length <= 15;
}

function ambiguous(pattern: RegExp, describe: Describe): Refusal {
  return { pattern, code: 'yaml-ambiguous', describe };
}

function range(pattern: RegExp, describe: Describe): Refusal {
  return { pattern, code: 'number-range', describe };
}

function describeSexagesimal(text: string): string {
  if (!/^[-+]?[0-9]+(?::[0-5]?[0-9])+$/.test(text)) return 'is a number for some YAML parsers and a string for others';
  const sign = text.startsWith('-') ? -1 : 1;
  const number = text
    .replace(/^[-+]/, '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  return `is the number ${sign * number} in YAML 1.1 and a string in YAML 1.2`;
}

function describeExponent(text: string): string {
  if (/[_,]/.test(text)) return 'is a number for some YAML parsers and a string for others';
  return /\..*[eE][-+]/.test(text)
    ? 'is a number that YAML parsers keep or print differently'
    : 'is a string in YAML 1.1 and a number in YAML 1.2';
}

function describeLeadingZero(text: string): string {
  if (/^0[0-7]+$/.test(text) && Number(text) > 7) {
    return `is the number ${Number.parseInt(text, 8)} in YAML 1.1 and ${Number(text)} in YAML 1.2`;
  }
  if (/^0[0-9]+$/.test(text) && Number(text) > 7)
    return `is a string in YAML 1.1 and the number ${Number(text)} in YAML 1.2`;
  return 'is a number for some YAML parsers and a string for others';
}
