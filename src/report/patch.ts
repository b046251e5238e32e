import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { escapeText } from '../text/escape.ts';

/** Lines that two files may differ in before all of them are shown as replaced: the search takes the square of that. */
const MAX_EDITS = 2000;

/** A file before or after a change. */
export interface DiffSide {
  /** `/`-separated, without `a/` or `b/`. */
  readonly path: string;
  /** Decoded without dropping a byte order mark. */
  readonly text: string;
}

export interface DiffOptions {
  /**
   * Whether hidden characters of the texts are written as `\u{202e}`: for a terminal. False by default, since an escaped
   * diff cannot be applied.
   */
  readonly escape?: boolean | undefined;
}

/**
 * The diff from one file to another as git writes it, with three lines of context, for `git apply` and `patch -p1`; a file that changes
 * its path is a rename. Without a header of its own, a file after a rename would be taken for a part of it. Empty where nothing changes.
 *
 * @param before - undefined for a file that is created; `after`, for one that is removed
 */
export function formatDiff(
  before: DiffSide | undefined,
  after: DiffSide | undefined,
  options: DiffOptions = {},
): string {
  if (before?.path === after?.path && before?.text === after?.text) return '';
  const patch = {
    ...comparePaths(before, after),
    hunks: compareTexts(before?.text ?? '', after?.text ?? ''),
    isGit: true,
  };
  const text = formatPatch({ oldHeader: undefined, newHeader: undefined, ...patch }, FILE_HEADERS_ONLY);
  // A name with a space ends at a tab, or `patch` cuts it at the space.
  const closed = text.replace(/^(?:---|\+\+\+) [^"].* .*$/gm, (line, at: number) =>
    isHeader(text, at) ? `${line}\t` : line,
  );
  return options.escape ? escapeLines(closed) : closed;
}

function comparePaths(
  before: DiffSide | undefined,
  after: DiffSide | undefined,
): Pick<StructuredPatch, 'oldFileName' | 'newFileName' | 'isCreate' | 'isDelete' | 'isRename'> {
  return {
    oldFileName: before === undefined ? '/dev/null' : `a/${before.path}`,
    newFileName: after === undefined ? '/dev/null' : `b/${after.path}`,
    isCreate: before === undefined,
    isDelete: after === undefined,
    isRename: before !== undefined && after !== undefined && before.path !== after.path,
  };
}

function compareTexts(before: string, after: string): StructuredPatch['hunks'] {
  const compare = (a: string, b: string, limits = {}) =>
    structuredPatch('a', 'b', a, b, undefined, undefined, { context: 3, ...limits })?.hunks;
  const found = compare(before, after, { maxEditLength: MAX_EDITS });
  if (found !== undefined) return found;
  const [old] = compare(before, '') ?? [];
  const [now] = compare('', after) ?? [];
  const lines = [...(old?.lines ?? []), ...(now?.lines ?? [])];
  const [oldLines = 0, newLines = 0] = [old?.oldLines, now?.newLines];
  return [{ oldStart: Math.min(oldLines, 1), oldLines, newStart: Math.min(newLines, 1), newLines, lines }];
}

function isHeader(text: string, at: number): boolean {
  const hunks = text.indexOf('\n@@ ');
  return hunks < 0 || at < hunks;
}

function escapeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const end = /\r?$/.exec(line)?.[0] ?? '';
      const body = line.slice(0, line.length - end.length);
      return body.split('\t').map(escapeText).join('\t') + end;
    })
    .join('\n');
}
