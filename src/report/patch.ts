import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import { escapeText } from '../text/escape.ts';

/** A file before or after a repair. */
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
 */
export function formatDiff(before: DiffSide, after: DiffSide, options: DiffOptions = {}): string {
  if (before.path === after.path && before.text === after.text) return '';
  const patch = structuredPatch(`a/${before.path}`, `b/${after.path}`, before.text, after.text, undefined, undefined, {
    context: 3,
  });
  const isRename = before.path !== after.path;
  const text = formatPatch({ ...patch, isGit: true, isRename }, FILE_HEADERS_ONLY);
  // A name with a space ends at a tab, or `patch` cuts it at the space.
  const closed = text.replace(/^(?:---|\+\+\+) [^"].* .*$/gm, (line, at: number) =>
    isHeader(text, at) ? `${line}\t` : line,
  );
  return options.escape ? escapeLines(closed) : closed;
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
