import type { Said } from '../messages/say.ts';
import type { Span, TextEdit } from './findings.ts';

/** One fault of the text, in the words of its line. Offsets count from the start of the frontmatter. */
export interface Described {
  readonly said: Said;
  readonly span: Span;
  /** What the hint says, where that is exact. */
  readonly edits?: readonly TextEdit[];
  /** What is left out when the rest is judged; the whole line by default. */
  readonly masked?: Span;
}
