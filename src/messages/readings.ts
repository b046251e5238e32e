/** What some parser makes of unquoted text, where others read something else: the end of a sentence that begins with the text. */
export const READINGS = {
  'boolean-1.1': () => 'is a boolean in YAML 1.1 and a string in YAML 1.2',
  boolean: () => 'is a boolean for some YAML parsers and a string for others',
  null: () => 'is null for some YAML parsers and a string for others',
  'date-negative': () => 'is a date for some YAML parsers and a string for others',
  date: () => 'is a date in YAML 1.1 and a string in YAML 1.2',
  'date-time': () => 'is a date and time in YAML 1.1 and a string in YAML 1.2',
  sexagesimal: (number: number) => `is the number ${number} in YAML 1.1 and a string in YAML 1.2`,
  number: () => 'is a number for some YAML parsers and a string for others',
  'negative-zero': () => 'is zero for some YAML parsers and negative zero for others',
  octal: (number: number, text: string) => `is the number ${number} in YAML 1.1 and ${Number(text)} in YAML 1.2`,
  'leading-zero': (number: number) => `is a string in YAML 1.1 and the number ${number} in YAML 1.2`,
  hexadecimal: () => 'is a hexadecimal number for some YAML parsers and a string for others',
  'octal-1.2': () => 'is a string in YAML 1.1 and an octal number in YAML 1.2',
  binary: () => 'is a binary number in YAML 1.1 and a string in YAML 1.2',
  'number-or-string': () => 'is a number that some YAML parsers read as a string',
  exponent: () => 'is a number that YAML parsers keep or print differently',
  'exponent-1.2': () => 'is a string in YAML 1.1 and a number in YAML 1.2',
  symbol: () => 'begins with a colon, which is a symbol in Ruby and a string elsewhere',
  default: () => 'is a default value in YAML 1.1 and a string in YAML 1.2',
  merge: () => 'merges mappings in YAML 1.1 and is a string in YAML 1.2',
  indicator: () => 'is an indicator for some YAML parsers and a string for others',
} as const satisfies Record<string, (number: number, text: string) => string>;

export type Reading = keyof typeof READINGS;

/** The same for numbers that are out of range. */
export const RANGES = {
  infinite: 'is not a number that JSON can contain',
  inexact: 'is a number that some parsers do not keep exactly',
  digits: 'has more digits than some parsers keep',
} as const;

export type Range = keyof typeof RANGES;
