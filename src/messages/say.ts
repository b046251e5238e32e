import type { Problem, ProblemArgs, ProblemCode } from '../problems.ts';
import { quoteText } from '../text/quote.ts';
import { AMBIGUOUS } from './ambiguous.ts';
import { HOST_LIMITS } from './hostlimits.ts';
import { LINTINGS } from './lintings.ts';
import { MALFORMED } from './malformed.ts';
import { PATHED } from './pathed.ts';
import { ROOTED } from './rooted.ts';
import type { Sentence, Variants } from './sentence.ts';
import { FIELDS } from './skillfields.ts';
import { UNPORTABLE } from './unportable.ts';
import { UNSEEN } from './unseen.ts';

/** Every sentence of every code: a code without one does not compile. */
const SENTENCES = {
  ...MALFORMED,
  ...UNSEEN,
  ...FIELDS,
  ...LINTINGS,
  ...HOST_LIMITS,
  ...ROOTED,
  ...PATHED,
  'yaml-ambiguous': AMBIGUOUS,
  'yaml-unportable': UNPORTABLE,
} as const satisfies Record<ProblemCode, Sentence | Variants>;

type Table = typeof SENTENCES;

/** A code, and which of its sentences, where it has several: `bom`, `yaml-ambiguous/block-tab`. */
export type SentenceKey = {
  [Code in keyof Table]: Table[Code] extends Sentence ? Code : `${Code}/${keyof Table[Code] & string}`;
}[keyof Table];

type SentenceOf<Key extends string> = Key extends keyof Table
  ? Table[Key]
  : Key extends `${infer Code extends keyof Table}/${infer Variant}`
    ? Variant extends keyof Table[Code]
      ? Table[Code][Variant]
      : never
    : never;

type ArgsOf<Key extends string> = SentenceOf<Key> extends (...args: infer Args) => unknown ? Args : never;

/** The sentences that can be made of these arguments. */
export type KeyTaking<Args> = {
  [Key in SentenceKey]: ArgsOf<Key> extends [infer Taken] ? ([Args] extends [Taken] ? Key : never) : never;
}[SentenceKey];

/** A problem without its place. */
export interface Said {
  readonly code: ProblemCode;
  readonly args: ProblemArgs;
  readonly message: string;
  readonly hint?: string;
}

/** Makes the sentences of a problem of its arguments. */
export function say<Key extends SentenceKey>(key: Key, ...[args]: ArgsOf<Key>): Said {
  const [code, variant] = key.split('/') as [ProblemCode, string | undefined];
  return sayOf(code, { ...(variant === undefined ? {} : { variant }), ...(args as ProblemArgs | undefined) });
}

/** The same where the arguments, the variant included, are those of another problem; they are not compared with what the sentence needs. */
export function sayOf(code: ProblemCode, args: ProblemArgs): Said {
  const entry: Sentence | Variants = SENTENCES[code];
  const sentence = (typeof entry === 'function' ? entry : entry[String(args['variant'])]) as Sentence;
  const [message, hint] = sentence(args as never);
  return { code, args, message, ...(hint === undefined ? {} : { hint }) };
}

/** Hints that take the place of that of a sentence, where more is known than the text alone tells. */
const HINTS = {
  'remove-control': () => 'first remove the control character',
  /** `written` is the name as a value of YAML. */
  name: ({ written }: { readonly written: string }) => `write ${quoteText(`name: ${written}`)}`,
} as const;

/** The same problem with another hint. */
export function rehint<Each extends { readonly hint?: string }, Key extends keyof typeof HINTS>(
  problem: Each,
  key: Key,
  ...args: Parameters<(typeof HINTS)[Key]>
): Each {
  const hint = (HINTS[key] as (...args: readonly unknown[]) => string)(...args);
  return { ...problem, hint };
}

/** Takes the place of problems of one code in one file that are not listed. It is at the place of the first of them. */
export function sayUnlisted(first: Problem, count: number): Problem {
  const { hint: _, ...place } = first;
  const message = `and ${count} more in this file, which are counted and not listed`;
  return { ...place, args: { variant: 'unlisted', count }, message, count };
}
