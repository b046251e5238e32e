import type { Scalar } from 'yaml';
import type { Span } from './findings.ts';

/** A scalar where it stands in the text of the file. */
export interface Spot extends Span {
  readonly node: Scalar;
  /** As it is written. */
  readonly raw: string;
  readonly role: 'key' | 'value' | 'item';
  /** Inside brackets or braces. */
  readonly flow: boolean;
  /** Whether only text may stand here, by the rules of its field. */
  readonly textual: boolean;
  /** What stands before it, for hints: `updated: `, `- ` or nothing. */
  readonly label: string;
  /** The whole frontmatter, and where in it the scalar begins. */
  readonly source: string;
  readonly at: number;
}
