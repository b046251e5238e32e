import { rehint, type Said } from '../messages/say.ts';
import { CODES, compareProblems, type Problem, type ProblemCode, toProblem, type Whereabouts } from '../problems.ts';
import { countBelow, readLines } from '../text/position.ts';

/** A half-open range of UTF-16 offsets into the text of the file, a byte order mark included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One replacement in the text of the file; offsets as in {@link Span}. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** A problem, and where there is exactly one safe repair, the edits that make it. */
export interface Finding {
  readonly problem: Problem;
  readonly edits?: readonly TextEdit[];
  /** What the edits are made for alone, where they change more than how a value is written. */
  readonly side?: 'metadata';
}

/** A span with its 1-based line and column; `length` ends with the first line and is at least 1. */
export interface Place extends Span {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A finding without its place. */
export interface Note extends Said {
  readonly edits?: readonly TextEdit[];
  readonly side?: 'metadata';
}

/** Errors of the text or of its YAML: with one of them there is no frontmatter to publish. */
const UNREADABLE: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not-utf8',
  'bom',
  'frontmatter-missing',
  'frontmatter-unclosed',
  'frontmatter-not-mapping',
  'yaml-syntax',
  'duplicate-key',
  'non-string-key',
  'non-json-value',
  'number-range',
  'yaml-ambiguous',
  'yaml-unportable',
]);

/** Whether a problem of this code leaves no frontmatter to publish. */
export function isYamlError(code: ProblemCode): boolean {
  return UNREADABLE.has(code);
}

/** Collects what is found in one text. */
export interface Findings {
  /** Adds a finding; the same code at the same start twice counts once. */
  add(span: Span, note: Note): void;
  /** From now on makes no edit that touches the span: what is judged there is not what the file holds. */
  seal(span: Span): void;
  /** From now on drops what touches one of the spans. */
  mute(spans: readonly Span[]): void;
  /** Whether an error was found that begins inside the span. */
  hasErrorIn(span: Span): boolean;
  /** Whether an error was found that leaves no frontmatter to publish. */
  isUnreadable(): boolean;
  placeOf(span: Span): Place;
  /** Everything found, in the order of `compareProblems`. */
  toList(): readonly Finding[];
}

/** @param where - of the text, for its problems */
export function collectFindings(text: string, where: Whereabouts & { readonly path: string }): Findings {
  const found: (Span & { readonly note: Note })[] = [];
  const seen = new Set<string>();
  // In order, since it is asked about many spans.
  const errorStarts: number[] = [];
  let muted: readonly Span[] = [];
  const sealed: Span[] = [];
  const lines = readLines(text);
  const placeOf = ({ start, end }: Span): Place => ({ start, end, ...lines.placeOf(start, end) });

  return {
    add(span, note) {
      if (muted.some(({ start, end }) => span.start < end && Math.max(span.end, span.start + 1) > start)) return;
      const key = `${span.start} ${note.code}`;
      if (seen.has(key)) return;
      seen.add(key);
      const isSealed = note.edits?.some((edit) =>
        sealed.some(({ start, end }) => edit.start < end && edit.end > start),
      );
      const { edits: _, side: __, ...plain } = note;
      // a hint that shows a stand-in would have it written
      const hinted = plain.hint?.includes('\ufffd') ? rehint(plain, 'remove-control') : plain;
      found.push({ start: span.start, end: span.end, note: isSealed ? hinted : note });
      if (CODES[note.code].severity === 'error') {
        errorStarts.splice(countBelow(errorStarts, span.start), 0, span.start);
      }
    },
    seal(span) {
      sealed.push(span);
    },
    mute(spans) {
      muted = spans;
    },
    hasErrorIn(span) {
      const first = errorStarts[countBelow(errorStarts, span.start)];
      return first !== undefined && first < span.end;
    },
    isUnreadable() {
      return found.some(({ note }) => isYamlError(note.code));
    },
    placeOf,
    toList() {
      const list = found.map((item): Finding => {
        const { line, column, length } = placeOf(item);
        const { edits, side, ...said } = item.note;
        const problem = toProblem({ ...where, ...said, line, column, length });
        if (edits === undefined) return { problem };
        return side === undefined ? { problem, edits } : { problem, edits, side };
      });
      return list.sort((a, b) => compareProblems(a.problem, b.problem));
    },
  };
}
