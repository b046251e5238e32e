import { say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import { MAX_HINT } from '../text/quote.ts';
import type { Findings } from './findings.ts';
import type { Mark, Survey } from './survey.ts';

/** Judges what is between the values: tabs, comments, anchors, tags and markers. */
export function judgeLayout(source: string, start: number, survey: Survey, findings: Findings): void {
  const comments: Mark[] = [];
  for (const mark of survey.marks) {
    if (mark.type === 'comment') comments.push(mark);
    else judgeMark(source, start, mark, findings);
  }
  judgeComments(source, start, comments, survey.blockEnds, findings);
}

function judgeMark(source: string, start: number, mark: Mark, findings: Findings): void {
  const span = { start: start + mark.offset, end: start + mark.offset + mark.source.length };
  switch (mark.type) {
    case 'space': {
      const tab = span.start + mark.source.indexOf('\t');
      const isIndent = source.slice(findLineStart(source, mark.offset), mark.offset).trim() === '';
      findings.add(
        { start: tab, end: tab + 1 },
        {
          ...say('yaml-unportable/tab'),
          ...(isIndent ? {} : { edits: [{ start: span.start, end: span.end, text: ' ' }] }),
        },
      );
      return;
    }
    case 'anchor':
    case 'alias':
    case 'tag': {
      const repair = { text: findMarked(source, mark.offset) };
      findings.add(span, say(`yaml-unportable/${mark.type}`, { mark: mark.source, repair }));
      return;
    }
    case 'explicit-key-ind':
      findings.add(span, say('yaml-unportable/key-explicit'));
      return;
    case 'directive':
      findings.add(span, say('yaml-unportable/directive', { mark: mark.source }));
      return;
    default:
      findings.add(span, say('yaml-unportable/marker', { mark: mark.source }));
  }
}

/** The text that a mark begins, where it is short: up to the end of its line, or of its place in brackets or braces. */
function findMarked(source: string, offset: number): string | undefined {
  const before = source.slice(Math.max(0, offset - MAX_HINT), offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const rest = `${source.slice(offset, offset + MAX_HINT)}${offset + MAX_HINT < source.length ? '' : '\n'}`;
  const end = rest.search(/[[{]/.test(line) ? /[,\]}\r\n]|[ \t]+#/ : /[\r\n]|[ \t]+#/);
  const text = rest.slice(0, Math.max(end, 0)).trimEnd();
  // a comma at the end of a line belongs to brackets that begin further up
  return text === '' || /,$|:(?: |$)/.test(text) ? undefined : text;
}

/**
 * A comment on a line of its own begins in the first column, or is indented like the line that follows it; otherwise only
 * directly below a line that is no empty one and no nested text below `|` or `>`: some parsers take it for text there.
 */
function judgeComments(
  source: string,
  start: number,
  comments: readonly Mark[],
  blockEnds: ReadonlyMap<number, number>,
  findings: Findings,
): void {
  let indents: ReadonlyMap<number, number> | undefined;
  for (const { offset, source: comment } of comments) {
    const lineStart = findLineStart(source, offset);
    const indent = offset - lineStart;
    if (indent === 0 || source.slice(lineStart, offset).trim() !== '') continue;
    const before = source.slice(findLineStart(source, lineStart - 1), lineStart).trim();
    const block = blockEnds.get(lineStart);
    const isNested = block !== undefined && /[ -]/.test(source[findLineStart(source, block)] ?? '');
    if (before !== '' && !before.startsWith('#') && !isNested) continue;
    indents ??= findIndents(source);
    if (indents.get(lineStart) === indent) continue;
    findings.add({ start: start + offset, end: start + offset + comment.length }, say('yaml-ambiguous/comment-indent'));
  }
}

/** For the start of each line, the indentation of the first line from there on that is neither blank nor a comment. */
function findIndents(source: string): ReadonlyMap<number, number> {
  const indents = new Map<number, number>();
  let next = -1;
  for (let end = source.length; end > 0; ) {
    const start = findLineStart(source, end - 1);
    const line = source.slice(start, end);
    const text = line.trimStart();
    if (text !== '' && !text.startsWith('#')) next = line.length - text.length;
    indents.set(start, next);
    end = start;
  }
  return indents;
}
