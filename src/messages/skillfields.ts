import { formatNumber } from '../text/count.ts';
import { quoteText, showText } from '../text/quote.ts';
import { describeRewrite, type Rewrite } from './rewrite.ts';
import type { Family } from './sentence.ts';

/** The kind of a value: `a list`, `null`, `empty`. */
type Kind = {
  readonly kind: string;
};

/** The kind of a value, and what to write, where that is exact. */
type Unlike = Kind & {
  readonly repair: Rewrite | undefined;
};

type Misspelled = {
  readonly written: string;
};

/** What the name is called for: the folder, where it is known. */
const OWN_NAME = "write name: and the folder's name";

const DESCRIBE = 'write description: and a sentence that says what the skill does and when to use it';

/** Why a field is null. */
const NULLS = {
  null: 'null, not a string',
  nothing: 'null: there is nothing after the colon',
  comment: 'null (a # starts a comment)',
} as const;

type Null = {
  readonly reason: keyof typeof NULLS;
};

/** What the specification asks of the fields of a skill. */
export const FIELDS = {
  'name-missing': {
    absent: () => ['the name is missing', OWN_NAME],
    misspelled: ({ written }: Misspelled) => [
      `the name is missing: the field is spelled ${showText(written)}`,
      'write name: in its place',
    ],
    null: ({ reason }: Null) => [`the name is ${NULLS[reason]}`, OWN_NAME],
    empty: () => ['the name is empty', OWN_NAME],
  },
  'name-invalid': {
    kind: ({ kind, repair }: Unlike) => [
      `the name must be a string, not ${kind}`,
      repair === undefined ? OWN_NAME : describeRewrite(repair),
    ],
    length: ({ length, repair }: { readonly length: number; readonly repair: Better }) => [
      `the name has ${length} characters, more than 64`,
      describeBetter(repair),
    ],
    characters: ({ name, repair }: { readonly name: string; readonly repair: Better }) => [
      `the name ${showText(name)} is not made of a-z, 0-9 and single hyphens between them`,
      describeBetter(repair),
    ],
  },
  'description-missing': {
    absent: () => ['the description is missing', DESCRIBE],
    misspelled: ({ written }: Misspelled) => [
      `the description is missing: the field is spelled ${showText(written)}`,
      'write description: in its place',
    ],
    null: ({ reason, repair }: Null & { readonly repair: Rewrite | undefined }) => [
      `the description is ${NULLS[reason]}`,
      repair === undefined ? DESCRIBE : describeRewrite(repair),
    ],
    kind: ({ kind, repair }: Kind & { readonly repair: Rewrite }) => [
      `the description must be a string, not ${kind}`,
      describeRewrite(repair),
    ],
    empty: () => ['the description is empty', DESCRIBE],
  },
  'description-length': ({ length }: { readonly length: number }) => [
    `the description has ${formatNumber(length)} characters, ${formatNumber(length - 1024)} more than the 1,024 allowed`,
    'shorten it: move what is needed only when the skill runs into the text below the frontmatter',
  ],
  'license-invalid': ({ kind, repair }: Unlike) => [
    `the license is ${kind}, not a string`,
    repair === undefined ? 'write license: and its name, such as license: MIT' : describeRewrite(repair),
  ],
  'compatibility-length': {
    kind: ({ kind, repair }: Unlike) => [
      `the compatibility is ${kind}, not a string`,
      repair === undefined ? COMPATIBILITY : describeRewrite(repair),
    ],
    length: ({ length }: { readonly length: number }) => [
      `the compatibility has ${formatNumber(length)} characters, ${formatNumber(length - 500)} more than the 500 allowed`,
      COMPATIBILITY,
    ],
  },
  'allowed-tools-invalid': ({ kind, repair }: Kind & { readonly repair: { readonly joined: string | undefined } }) => [
    `allowed-tools is ${kind}, not a space-separated string`,
    repair.joined === undefined
      ? 'write allowed-tools: and the tools in one line, such as allowed-tools: Read Grep'
      : `write allowed-tools: ${repair.joined}`,
  ],
  'metadata-invalid': {
    whole: ({ kind }: Kind) => [
      `metadata is ${kind}, not a mapping`,
      'write each entry on a line of its own, indented: key: "value"',
    ],
    entry: ({ name, kind, repair }: Kind & { readonly name: string; readonly repair: EntryRepair }) => [
      `metadata.${name} is ${kind}, and metadata can contain only strings`,
      describeEntryRepair(name, repair),
    ],
  },
  'metadata-reserved': ({ key, prefix }: { readonly key: string; readonly prefix: string }) => [
    `the metadata key ${showText(key)} begins with "${prefix}", which is reserved`,
    'use a prefix of your own',
  ],

  'comment-swallowed': ({ value, repair }: { readonly value: string; readonly repair: { readonly text: string } }) => [
    `" #" begins a comment: the value ends before it, as ${showText(value)}`,
    `quote it if it belongs to the value: ${repair.text}`,
  ],
  'fence-in-value': () => [
    '"---" inside the frontmatter ends it for hosts that only look for three dashes',
    'write one or two dashes instead',
  ],
  'field-typo': ({ field, meant, repair }: Typo) => [
    `the field ${showText(field)} is not in the specification; "${meant}" is`,
    repair.isThere ? 'leave it out' : `write ${meant}: if that is meant`,
  ],
  'markup-in-description': ({ tag }: { readonly tag: string }) => [
    `the description contains ${showText(tag)}, and some hosts refuse markup in descriptions`,
    'write it without angle brackets',
  ],
  'number-shape': ({ written, published, repair }: NumberShape) => [
    `${written} is published as ${published}`,
    `quote it if its digits matter: ${repair.text}`,
  ],
  'tools-commas': ({ first, repair }: { readonly first: string; readonly repair: { readonly text?: string } }) => [
    `allowed-tools has commas between tools, and the specification separates them by spaces: a host that follows it looks for a tool ${showText(`${first},`)}`,
    repair.text === undefined
      ? 'write a space instead of each comma between tools'
      : `write allowed-tools: ${repair.text}`,
  ],
} as const satisfies Family;

const COMPATIBILITY = 'write compatibility: and a string of 1 to 500 characters';

/** A name that follows the rule, as it is written, where one can be made of the other. */
type Better = {
  readonly name: string | undefined;
};

function describeBetter({ name }: Better): string {
  return name === undefined
    ? 'write a name of 1 to 64 characters of a-z, 0-9 and single hyphens'
    : `write name: ${name}`;
}

/** What to write for an entry of `metadata`: a list or mapping as keys or JSON (`json`, where it is short), anything else in quotes. */
type EntryRepair =
  | { readonly way: 'flatten'; readonly first: string; readonly label: string; readonly json?: string }
  | { readonly way: 'join'; readonly label: string; readonly json?: string }
  | { readonly way: 'quote'; readonly label: string; readonly source: string };

function describeEntryRepair(name: string, repair: EntryRepair): string {
  const { label } = repair;
  if (repair.way === 'quote') {
    return repair.source === ''
      ? `write ${label}: and a string in quotes, or remove it`
      : `quote it: ${label}: ${quoteText(repair.source)}`;
  }
  const flat =
    repair.way === 'flatten' ? `flatten it into keys such as ${name}-${repair.first}` : 'join it into one string';
  const exact = repair.json === undefined ? '' : `: ${label}: ${repair.json}`;
  return `${flat}, or write it as a JSON string${exact}`;
}

type Typo = {
  readonly field: string;
  readonly meant: string;
  readonly repair: { readonly isThere: boolean };
};

type NumberShape = {
  readonly written: string;
  readonly published: string;
  readonly repair: { readonly text: string };
};
