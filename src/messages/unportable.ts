import { quoteText, showText } from '../text/quote.ts';
import { describeRewrite, type Rewrite } from './rewrite.ts';
import type { Variants } from './sentence.ts';

type Repaired = {
  readonly repair: Rewrite;
};

type Key = {
  readonly key: string;
};

/** A mark such as `&name`, and the text that it begins, where that is short. */
type Mark = {
  readonly mark: string;
  readonly repair: { readonly text?: string | undefined };
};

const quoted = (text: string | undefined): string => (text === undefined ? '' : `: ${quoteText(text)}`);

/** What some YAML parsers refuse. */
export const UNPORTABLE = {
  'block-number': ({ repair }: { readonly repair: { readonly header: string } }) => [
    'an indentation number after "|" or ">" is refused by some YAML parsers',
    `write ${repair.header} and begin the text with a word`,
  ],

  'byte-order-mark': ({ character }: { readonly character: string }) => [
    `a byte order mark (${character}) inside the frontmatter is refused by some YAML parsers`,
    'remove it',
  ],
  control: ({ character }: { readonly character: string }) => [
    `the control character ${character} is refused by many YAML parsers`,
    'remove it',
  ],

  'list-over-lines': () => [
    'a list in brackets over several lines is refused by some YAML parsers',
    'write it on one line, or each item on a line of its own after - ',
  ],
  'mapping-over-lines': () => [
    'a mapping in braces over several lines is refused by some YAML parsers',
    'write it on one line, or each key on a line of its own',
  ],
  'pair-in-brackets': ({ repair }: { readonly repair: { readonly text?: string | undefined } }) => [
    'a "key: value" pair inside brackets is refused by some YAML parsers',
    repair.text === undefined
      ? 'put it in quotes, or in braces'
      : `quote it: ${quoteText(repair.text)}, or write {${repair.text}}`,
  ],
  'question-mark-in-brackets': ({ repair }: Repaired) => [
    'a "?" in unquoted text inside brackets is refused by some YAML parsers',
    describeRewrite(repair),
  ],

  'key-proto': () => ['the key "__proto__" is refused by some YAML parsers', 'rename it'],
  'key-merges': ({ key, repair }: Key & Repaired) => [
    `the key ${showText(key)} ends with "<<", which merges mappings for some YAML parsers`,
    describeRewrite(repair),
  ],
  'key-colon-below': ({ key }: Key) => [
    'a key whose colon is on another line is refused by most YAML parsers',
    `write ${key}: on one line`,
  ],
  'key-dash': ({ key, repair }: Key & Repaired) => [
    `the key ${showText(key)} begins with "-" below a list that is not indented deeper, which some YAML parsers refuse`,
    describeRewrite(repair),
  ],
  'key-long': ({ most, unit }: { readonly most: number; readonly unit: 'bytes' | 'characters' }) => [
    `a key of more than ${most} ${unit} is refused by many YAML parsers`,
    'write a shorter key',
  ],
  'key-over-lines': ({ repair }: Repaired) => [
    'a key over several lines is refused by some YAML parsers',
    describeRewrite(repair),
  ],
  'key-question-mark': ({ repair }: Repaired) => [
    'unquoted text that begins with "?" is a key for some YAML parsers',
    describeRewrite(repair),
  ],
  'key-explicit': () => ['a key that begins with "? " is refused by some YAML parsers', 'write key: value'],
  'key-space': ({ key }: Key) => [
    'spaces between a quoted key and its colon are refused by some YAML parsers',
    `write ${key}:`,
  ],

  'quoted-over-lines': ({ repair }: Repaired) => [
    'quoted text over several lines is refused by some YAML parsers, and others keep different spaces in it',
    describeRewrite(repair),
  ],
  'quoted-tab': () => [
    'a tab inside double quotes hides what follows from some YAML parsers',
    'write \\t, or use spaces',
  ],
  'escaped-slash': () => ['the escape "\\/" is refused by some YAML parsers', 'write / without the backslash'],
  'escaped-tab': () => ['a backslash before a tab is refused by some YAML parsers', 'write \\t'],

  tab: () => ['a tab beside a value is refused by some YAML parsers', 'use spaces'],
  alias: ({ mark, repair }: Mark) => [
    `${showText(mark)} is an alias, which some YAML parsers refuse`,
    `write the value itself at each place, or quote it if it is text${quoted(repair.text)}`,
  ],
  anchor: ({ mark, repair }: Mark) => [
    `${showText(mark)} is an anchor, which some YAML parsers refuse`,
    `write the value itself at each place, or quote it if it is text${quoted(repair.text)}`,
  ],
  tag: ({ mark, repair }: Mark) => [
    `${showText(mark)} is a tag, which YAML parsers refuse or read differently`,
    `remove it, or quote it if it is text${quoted(repair.text)}`,
  ],
  directive: ({ mark }: { readonly mark: string }) => [
    `${showText(mark)} is a YAML directive, which is not allowed inside the frontmatter`,
    'remove the line',
  ],
  marker: ({ mark }: { readonly mark: string }) => [
    `${showText(mark)} is a YAML document marker, which is not allowed inside the frontmatter`,
    'remove the line',
  ],

  'too-long': ({ bytes, most }: { readonly bytes: number; readonly most: number }) => [
    `the frontmatter has ${bytes} bytes, more than the ${most} that are read`,
    'move long values into the text below the frontmatter',
  ],
  'too-deep': ({ depth, most }: { readonly depth?: number | undefined; readonly most: number }) => [
    `lists and mappings are nested ${depth ?? 'thousands of'} levels deep; some YAML parsers read ${most} at most`,
    'use fewer levels',
  ],
  braces: () => [
    'the frontmatter is in braces, which some YAML parsers refuse',
    'write each field on a line of its own: key: value',
  ],
  indented: () => ['the fields are indented, which some YAML parsers refuse', 'begin each field in the first column'],
} as const satisfies Variants;
