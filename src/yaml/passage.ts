import { isScalar, type Scalar } from 'yaml';
import type { Findings, Span } from './findings.ts';
import type { Spot } from './spot.ts';

/** The frontmatter as a part of its file, and what is found in it. */
export interface Passage {
  readonly source: string;
  /** The offset of `source` in the file. */
  readonly start: number;
  readonly findings: Findings;
}

/** A node of the document; its range counts from the start of the frontmatter. */
export interface Ranged {
  readonly range?: readonly [number, number, number] | null;
}

export function isNode(value: unknown): value is Ranged {
  return typeof value === 'object' && value !== null && 'range' in value;
}

/** Whether a value is written as nothing at all. */
export function isEmpty(node: unknown): boolean {
  return !isNode(node) || (isScalar(node) && node.type === 'PLAIN' && node.source === '');
}

export function spanOf(node: Ranged, { start }: Passage): Span {
  const [from, to] = node.range ?? [0, 0];
  return { start: start + from, end: start + to };
}

/** The text of a span, as it is written. */
export function textOf(span: Span, { source, start }: Passage): string {
  return source.slice(span.start - start, span.end - start);
}

export function toSpot(
  node: Scalar,
  span: Span,
  { role, flow, textual, label }: Pick<Spot, 'role' | 'flow' | 'textual' | 'label'>,
  passage: Passage,
): Spot {
  const { source } = passage;
  const at = span.start - passage.start;
  const raw = textOf(span, passage);
  return { start: span.start, end: span.end, role, flow, textual, label, node, raw, source, at };
}
