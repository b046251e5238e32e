import type { Family } from './sentence.ts';

/** A character such as `U+200B`. */
type Character = {
  readonly character: string;
};

type Written = Character & {
  readonly kind: keyof typeof KINDS;
  readonly count: number;
};

const KINDS = {
  tag: 'tag character',
  bidirectional: 'bidirectional control',
  'zero-width': 'zero-width space',
  other: 'character',
} as const;

const written = ({ character, kind, count }: Written) =>
  [`the ${KINDS[kind]} ${character} is invisible${count === 1 ? '' : `, ${count} times`}`, 'remove it'] as const;

/** Characters that people who read the text do not see. */
export const UNSEEN = {
  'hidden-text': {
    written,
    escaped: ({ character }: Character) => [`the escaped character ${character} hides or reorders text`, 'remove it'],
  },
  'invisible-character': {
    written,
    escaped: ({ character }: Character) => [`the escaped character ${character} is invisible`, 'remove it'],
    control: ({ character }: Character) => [
      `the escaped character ${character} is a control character, which terminals act on`,
      'remove it',
    ],
  },
} as const satisfies Family;
