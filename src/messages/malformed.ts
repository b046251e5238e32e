import { quoteText, showText } from '../text/quote.ts';
import { RANGES, type Range } from './readings.ts';
import { describeRewrite, type Rewrite } from './rewrite.ts';
import type { Family, Variants } from './sentence.ts';

type Repaired = {
  readonly repair: Rewrite;
};

type Text = Repaired & {
  readonly text: string;
};

const EACH_FIELD = 'write each field as key: value on a line of its own';

/** What no YAML parser can read. */
const SYNTAX = {
  quotes: ({ text, repair }: Text) => [`${showText(text)} is not quoted correctly`, describeRewrite(repair)],
  'quote-open': ({ text, repair }: Text) => [
    `${showText(text)} begins with a quote that is never closed`,
    describeRewrite(repair),
  ],
  'quote-goes-on': ({ text, repair }: Text) => [
    `${showText(text)} continues after its closing quote`,
    describeRewrite(repair),
  ],
  bracket: ({ text, mark, repair }: Text & { readonly mark: string }) => [
    `${showText(text)} begins with "${mark}" but is not a ${mark === '[' ? 'list' : 'mapping'}`,
    describeRewrite(repair),
  ],
  starter: ({ text, mark, repair }: Text & { readonly mark: string }) => [
    `${showText(text)} begins with "${mark}", which is ${STARTERS[mark]} in YAML: a value must not start with * & ! % @ | > ] } , or \` unless quoted`,
    describeRewrite(repair),
  ],
  indicator: ({ text, mark, repair }: Text & { readonly mark: string }) => [
    `${showText(text)} begins with "${mark}", which starts a ${mark === '-' ? 'list item' : 'key'} in YAML`,
    describeRewrite(repair),
  ],
  'colon-in-text': ({ text, repair }: Text) => [
    `the unquoted text ${showText(text)} contains ": ", which starts a new key in YAML`,
    describeRewrite(repair),
  ],
  unindented: ({ text, isKey }: { readonly text: string; readonly isKey: boolean }) => [
    `the lines below ${showText(text)} are not indented, so they do not belong to it`,
    isKey ? `write ${text} >- and indent them by two spaces` : 'indent them by two spaces',
  ],
  'key-indented': ({
    key,
    repair,
  }: {
    readonly key: string;
    readonly repair: Rewrite | { readonly column: number };
  }) => [
    `the key ${showText(key)} is indented below a field that has a value already`,
    'column' in repair
      ? `begin it in ${repair.column === 1 ? 'the first column' : `column ${repair.column}`}`
      : describeRewrite(repair),
  ],
  'colon-missing': ({ field, repair }: { readonly field: string; readonly repair: FieldRepair }) => [
    `the field ${showText(field)} has no colon`,
    describeFieldRepair(field, repair),
  ],
  'space-missing': ({ field, repair }: { readonly field: string; readonly repair: FieldRepair }) => [
    `the field ${showText(field)} has no space after its colon`,
    describeFieldRepair(field, repair),
  ],
  'tab-indent': () => ['a tab cannot indent a line', 'indent with spaces'],

  alias: () => ['an alias has no anchor', 'put text that begins with * in quotes'],
  escape: () => ['an escape that YAML does not know', 'write the backslash twice, or use single quotes'],
  indent: () => [
    'the line is not indented like the lines around it',
    'indent all fields of a mapping by the same number of spaces',
  ],
  reserved: () => ['a value begins with a reserved character', 'put the value in quotes'],
  'key-in-value': () => [
    'a key is inside the value of another key',
    'put the value in quotes, or the key on a line of its own',
  ],
  'block-in-brackets': () => [
    'an indented list or mapping is inside brackets',
    'write it on one line, or without brackets',
  ],
  missing: () => [
    'something is missing, such as a colon or a closing quote or bracket',
    'write each field as key: value',
  ],
  'line-without-colon': () => ['a line has no colon, so it runs on into the next', EACH_FIELD],
  unexpected: ({ text }: { readonly text: string }) => [
    `${showText(text)} is not allowed here`,
    `${EACH_FIELD}, and put text with other punctuation in quotes`,
  ],
  /** The last resort: `detail` is what the parser reports. */
  parser: ({ detail }: { readonly detail: string }) => [`the frontmatter cannot be read: ${detail}`],
} as const satisfies Variants;

/** What is wrong with the bytes, the fences or the keys of a SKILL.md. */
export const MALFORMED = {
  'not-utf8': ({ what, offset }: { readonly what: string; readonly offset: number }) => [
    `${what} at offset ${offset} is not UTF-8`,
    'save the file as UTF-8',
  ],
  bom: () => ['the file starts with a byte order mark', 'save the file as UTF-8 without BOM'],

  'frontmatter-missing': {
    spaces: ({ line }: { readonly line: string }) => [
      `the first line is "${line}", not "---": there are spaces around the dashes`,
      'write --- as the whole first line',
    ],
    empty: () => ['the file is empty', OPENING_HINT],
    none: ({ line }: First) => [describeFirst(line), OPENING_HINT],
    late: ({ line }: First) => [
      `the frontmatter does not start on the first line, but after ${describeBefore(line)}`,
      'move --- to the very start of the file',
    ],
    glued: ({ line }: First) => [
      `the first line is ${showText(line)}, not "---": a field follows the dashes`,
      'put a line break after ---',
    ],
    bare: ({ line }: First) => [
      `${describeFirst(line)}: the frontmatter has no opening fence`,
      'add a line --- above it',
    ],
    'returns-alone': () => [
      'lines end with a carriage return (U+000D) alone, which ends no line for most hosts',
      'end every line with a line feed (U+000A) alone',
    ],
    'returns-twice': () => [
      'lines end with two carriage returns (U+000D) and a line feed, so the first line is not exactly "---"',
      'end every line with a line feed (U+000A) alone',
    ],
  },
  'frontmatter-unclosed': {
    none: () => [
      'the frontmatter is never closed: no later line is exactly "---"',
      'write --- on a line of its own after the last field',
    ],
    spaces: ({ line }: { readonly line: string }) => [
      `the closing fence is "${line}", not "---": there are spaces after the dashes`,
      'write --- as the whole line',
    ],
    dashes: ({ line }: First) => [describeFence(line), 'write --- as the whole line'],
    glued: ({ line }: First) => [describeFence(line), 'write --- on a line of its own, and the text on the next line'],
  },
  'frontmatter-not-mapping': ({ kind }: { readonly kind: 'a list' | 'empty' | 'text' }) => [
    `the frontmatter is ${kind}, not fields written as key: value`,
    'write name: and description:, each on a line of its own',
  ],

  'yaml-syntax': SYNTAX,
  'duplicate-key': ({
    key,
    first,
    second,
  }: {
    readonly key: string;
    readonly first: number;
    readonly second: number;
  }) => [
    `the key ${showText(key)} is a duplicate: it is on line ${first} and on line ${second}`,
    'remove one of the two',
  ],
  'non-string-key': {
    block: () => ['a "|" or ">" block is used where a key is needed', 'write key: value'],
    collection: ({ kind }: { readonly kind: string }) => [`${kind} is used where a key is needed`, 'write key: value'],
    template: ({ text }: { readonly text: string }) => [
      `${showText(text)} is a mapping whose key is a mapping, not a string: a template placeholder was left unquoted`,
      `fill the placeholder in, or quote it: ${quoteText(text)}`,
    ],
    missing: () => ['a key is missing before the colon', 'write key: value'],
    word: ({ text, kind, repair }: Text & { readonly kind: string }) => [
      `the key ${showText(text)} is ${kind}, not a string`,
      describeRewrite(repair),
    ],
  },
  'non-json-value': ({ written }: { readonly written: string }) => [
    `"${written}" is half a character (a lone surrogate), which JSON cannot contain`,
    'write the character itself',
  ],
  'number-range': ({ text, range, isKey, repair }: Text & { readonly range: Range; readonly isKey: boolean }) => [
    `${isKey ? 'the key ' : ''}${showText(text)} ${RANGES[range]}`,
    describeRewrite(repair),
  ],
} as const satisfies Family;

/** What some characters are at the start of a value. */
const STARTERS: Readonly<Record<string, string>> = {
  '*': 'an alias',
  '&': 'an anchor',
  '!': 'a tag',
  '%': 'a directive',
  '@': 'a reserved character',
  '`': 'a reserved character',
  '|': 'a block of text',
  '>': 'a block of text',
  ']': 'the end of a list',
  '}': 'the end of a mapping',
  ',': 'a separator',
};

const OPENING_HINT = 'start the file with a line ---, then name: and description:, then a line ---';

/** The first line of a file, or the fence. */
type First = {
  readonly line: string;
};

/** The value of a field, absent where it is too long to read. */
type FieldRepair = {
  readonly value?: string | undefined;
};

function describeFieldRepair(field: string, { value }: FieldRepair): string {
  return value === undefined ? `write ${field}: before its value` : `write ${field}: ${value}`;
}

function describeFirst(line: string): string {
  return line.trim() === '' ? 'the first line is empty, not "---"' : `the first line is ${showText(line)}, not "---"`;
}

function describeFence(line: string): string {
  return `the frontmatter is not closed: ${showText(line)} begins with "---", but a fence is exactly "---"`;
}

function describeBefore(line: string): string {
  if (line.trim() === '') return 'an empty line';
  return line.startsWith('```') || line.startsWith('~~~') ? `the code fence ${showText(line)}` : showText(line);
}
