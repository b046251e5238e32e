import type { TextEdit } from './findings.ts';

/** Replaces spans that do not overlap; everything between them stays as it is. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return result + text.slice(from);
}

/** The edits of a part of its file as edits of the whole. */
export function shiftEdits(edits: readonly TextEdit[], start: number): readonly TextEdit[] {
  return edits.map((edit) => ({ start: edit.start + start, end: edit.end + start, text: edit.text }));
}
