/** How something is written instead, as a hint says it. `text` is exact: with its key, and with its quotes. */
export type Rewrite =
  | {
      readonly how: keyof typeof QUOTING;
      /** Absent where it would be too long to read. */
      readonly text?: string | undefined;
      /** What may have been meant instead. */
      readonly or?: string;
      /** Whether the author may have meant a list. */
      readonly isItem?: boolean;
      /** Whether a comment follows. */
      readonly isCut?: boolean;
    }
  | { readonly how: 'write'; readonly text: string }
  | {
      readonly how: 'fold';
      /** The key or dash, and a space where something precedes. */
      readonly label: string;
      /** Whether lines below belong to the text already. */
      readonly isLong?: boolean;
      readonly isQuoted?: boolean;
    }
  | { readonly how: 'line'; readonly text?: string };

/** With the exact text after a colon, and without it. */
const QUOTING = {
  quote: ['quote it', 'put it in quotes'],
  close: ['close the quote', 'close the quote'],
  'close-line': ['close the quote', 'close the quote at the end of the line'],
  whole: ['put the whole text in quotes', 'put the whole text in quotes'],
} as const;

export function describeRewrite(rewrite: Rewrite): string {
  switch (rewrite.how) {
    case 'write':
      return `write ${rewrite.text}`;
    case 'fold': {
      const text = `write ${rewrite.label}>- and ${rewrite.isLong === true ? 'all of ' : ''}the text indented below it`;
      return rewrite.isQuoted === true ? `${text}, without the quote` : text;
    }
    case 'line':
      return `write it on one line, in quotes${rewrite.text === undefined ? '' : `: ${rewrite.text}`}`;
    default: {
      const [exact, plain] = QUOTING[rewrite.how];
      const { text, or, isItem = false, isCut = false } = rewrite;
      const quote = text === undefined ? plain : `${exact}: ${text}`;
      const list = isItem ? ', or begin the list on the line below' : '';
      const comment = isCut ? '; what follows " #" is a comment' : '';
      return `${or === undefined ? '' : `write ${or}, or `}${quote}${list}${comment}`;
    }
  }
}
