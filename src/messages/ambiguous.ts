import { showText } from '../text/quote.ts';
import { READINGS, type Reading } from './readings.ts';
import { describeRewrite, type Rewrite } from './rewrite.ts';
import type { Variants } from './sentence.ts';

type Repaired = {
  readonly repair: Rewrite;
};

type Block = Repaired & {
  /** Its header, such as `>` or `|-`. */
  readonly block: string;
};

type Key = Repaired & {
  readonly key: string;
};

/** What YAML parsers read differently. */
export const AMBIGUOUS = {
  word: ({ text, reading, number, isKey, repair }: Word) => [
    `${isKey ? 'the key ' : ''}${showText(text)} ${READINGS[reading](number ?? 0, text)}`,
    describeRewrite(repair),
  ],

  'tab-in-plain': ({ repair }: Repaired) => [
    'a tab in unquoted text is kept, dropped or refused, depending on the YAML parser',
    describeRewrite(repair),
  ],
  'wide-space-in-plain': ({ repair }: Repaired) => [WIDE_SPACE, describeRewrite(repair)],
  'wide-space-after-key': ({ key }: { readonly key: string }) => [WIDE_SPACE, `write ${key}: without it`],
  'dash-in-plain': ({ repair }: Repaired) => [
    'text that begins with "-" and a space is an indicator for some YAML parsers',
    describeRewrite(repair),
  ],
  'question-mark-in-plain': ({ repair }: Repaired) => [
    'text that begins with "?" and a space is an indicator for some YAML parsers',
    describeRewrite(repair),
  ],
  'colon-in-plain': ({ repair }: Repaired) => [
    'text that begins with ":" and a space is an indicator for some YAML parsers',
    describeRewrite(repair),
  ],
  'marker-in-plain': ({ repair }: Repaired) => [
    'unquoted text that begins like a document marker is read as one by some YAML parsers',
    describeRewrite(repair),
  ],
  'dash-in-brackets': ({ repair }: Repaired) => [
    'a dash at the end of unquoted text inside brackets is refused by some YAML parsers',
    describeRewrite(repair),
  ],
  'spaces-in-brackets': ({ repair }: Repaired) => [
    'two spaces in unquoted text inside brackets are one for some YAML parsers',
    describeRewrite(repair),
  ],
  'colon-in-brackets': ({ repair }: Repaired) => [
    'a colon before a quote in unquoted text inside brackets splits it for some YAML parsers',
    describeRewrite(repair),
  ],
  'backslash-in-brackets': ({ repair }: Repaired) => [
    'a backslash in unquoted text inside brackets is read differently by YAML parsers',
    describeRewrite(repair),
  ],
  'key-in-braces': ({ repair }: Repaired) => [
    'an unquoted key inside braces that contains spaces, colons or quotes is cut by some YAML parsers',
    describeRewrite(repair),
  ],
  'empty-line-in-plain': ({ repair }: Repaired) => [
    'empty lines in unquoted text are read differently by YAML parsers',
    describeRewrite(repair),
  ],
  'indicator-begins-line': ({ repair }: Repaired) => [
    'a line of unquoted text that begins with "-", "?" or ":" is read differently by YAML parsers',
    describeRewrite(repair),
  ],
  'backslash-at-line-edge': ({ repair }: Repaired) => [
    'a backslash at the edge of a line of unquoted text is dropped by some YAML parsers',
    describeRewrite(repair),
  ],

  'block-of-comments': ({ repair }: { readonly repair?: Rewrite | undefined }) => [
    'a block that ends the frontmatter and starts every line with "#" is a comment for some YAML parsers',
    repair === undefined ? 'begin it with another character, or move the field up' : describeRewrite(repair),
  ],
  'block-ends-frontmatter': ({ block, repair }: Block) => [
    `this "${block}" block ends the frontmatter: whether its value ends with a line break depends on how a host extracts the frontmatter`,
    describeRewrite(repair),
  ],
  'block-ends-collection': ({ block, repair }: Block) => [
    `this "${block}" block ends a list or mapping inside another: some YAML parsers drop its last line break`,
    describeRewrite(repair),
  ],
  'block-empty': ({ block, repair }: { readonly block: string; readonly repair?: Rewrite | undefined }) => [
    `an empty "${block}" block is null for some YAML parsers and a string for others`,
    repair === undefined ? 'write the text of the description indented below it' : describeRewrite(repair),
  ],
  'block-tab': () => ['a tab in a "|" or ">" block is read differently by YAML parsers', 'use spaces'],
  'block-empty-line': () => [
    'spaces on an empty line of a "|" or ">" block are read differently by YAML parsers',
    'remove the spaces',
  ],
  'block-last-line': () => [
    'spaces at the end of the last line of a "|" or ">" block are kept only by some YAML parsers',
    'remove the spaces',
  ],
  'block-wide-space': () => [
    'a space character other than U+0020 at the start or end of a line is dropped by some YAML parsers',
    'remove it, or use U+0020',
  ],
  'block-deeper': ({ block, repair }: Block) => [
    `lines indented deeper in a "${block}" block${block === '>+' ? '' : ' that has empty lines'} are folded differently by YAML parsers`,
    describeRewrite(repair),
  ],
  'block-word': ({ block, repair }: Block) => [
    `a "${block}" block that looks like a number, a boolean, a date or null is read as one by some YAML parsers`,
    describeRewrite(repair),
  ],

  'carriage-return': ({ character }: { readonly character: string }) => [
    `a carriage return (${character}) without a line feed ends the line for some YAML parsers only`,
    'end lines with LF or CRLF',
  ],
  separator: ({ character, escaped }: { readonly character: string; readonly escaped: string }) => [
    `${character} ends the line in YAML 1.1 and is an ordinary character in YAML 1.2`,
    `remove it, or write ${escaped} inside double quotes`,
  ],
  'surrogate-pair': ({ written, character, escaped }: SurrogatePair) => [
    `"${written}" is one character for some YAML parsers, two halves for others, and refused by the rest`,
    `write the character itself (${character}) or ${escaped}`,
  ],

  'colon-in-braces': ({ repair }: Repaired) => [
    'a colon in unquoted text of a list inside braces splits it for some YAML parsers',
    describeRewrite(repair),
  ],
  'value-missing-in-braces': ({ key, repair }: { readonly key: string; readonly repair: BraceRepair }) => [
    `the key ${showText(key)} inside braces has no value, which YAML parsers read differently`,
    describeBraceRepair(repair),
  ],
  'space-missing-in-braces': ({ key }: { readonly key: string }) => [
    'a colon inside braces without a space after it is part of the key for some YAML parsers',
    `write ${key}: and a space before the value`,
  ],

  'item-empty': () => ['an empty list item is read differently by YAML parsers', 'write - null or - ""'],
  'item-below': () => [
    'a list item that begins below an empty line or a comment after its dash is read differently by YAML parsers',
    'begin it on the line of the dash',
  ],

  'key-merges': () => [
    'the key "<<" merges mappings in YAML 1.1 and is a string in YAML 1.2',
    'write the fields that it would merge in its place, or rename it',
  ],
  'key-dash': ({ key, repair }: Key) => [
    `the key ${showText(key)} begins with "-" below a key without a value, and is a list item for some YAML parsers`,
    describeRewrite(repair),
  ],
  'key-tab': () => ['a key with a tab in it is read differently by YAML parsers', 'use spaces'],
  'keys-count': () => [
    'a mapping whose keys count up from "0" is a list for some YAML parsers',
    'write a list, or rename the keys',
  ],

  'comment-indent': () => [
    'a comment that is indented differently from the next line is part of the text for some YAML parsers',
    'begin the comment in the first column, or remove it',
  ],
} as const satisfies Variants;

const WIDE_SPACE =
  'a space character other than U+0020 at the start or end of unquoted text is dropped by some YAML parsers';

/** A word that some parser takes for something else than text. */
type Word = Repaired & {
  readonly text: string;
  readonly reading: Reading;
  /** What a parser makes of it, where that is a number. */
  readonly number?: number | undefined;
  readonly isKey: boolean;
};

type SurrogatePair = {
  readonly written: string;
  readonly character: string;
  readonly escaped: string;
};

/** What to write for a key inside braces that has no value. */
export type BraceRepair =
  | { readonly way: 'long' }
  | { readonly way: 'pair'; readonly text: string }
  /** `joined` is the pair before it with this key as a part of its text. */
  | { readonly way: 'comma'; readonly joined: string; readonly alone: string }
  | { readonly way: 'alone'; readonly alone: string; readonly whole?: string };

function describeBraceRepair(repair: BraceRepair): string {
  switch (repair.way) {
    case 'long':
      return 'write a value after it, or put the whole text in quotes';
    case 'pair':
      return `write ${repair.text}`;
    case 'comma':
      return `write ${repair.joined} if the comma belongs to the text, or ${repair.alone}`;
    default: {
      const whole = repair.whole === undefined ? '' : `: ${repair.whole}`;
      return `write ${repair.alone}, or put the whole text in quotes${whole}`;
    }
  }
}
