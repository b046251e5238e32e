import type { Findings, Span } from './findings.ts';
import { showText } from './quote.ts';

/** Where the frontmatter stands: `start` and `end` hold whole lines between the fences, `body` is where the Markdown begins. */
export interface Block extends Span {
  readonly body: number;
}

interface Line extends Span {
  readonly text: string;
  /** Where the next line begins. */
  readonly next: number;
}

/** Lines before the opening fence that are looked through for it. */
const LOOKAHEAD = 20;

/**
 * Finds the two `---` lines and says what is wrong with them. Where a fence is only misspelled or misplaced, the block that its
 * author meant is still returned, so that the rest can be judged.
 */
export function cutFences(text: string, findings: Findings): Block | undefined {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const open = findOpening(text, start, findings);
  return open === undefined ? undefined : findClosing(text, open, findings);
}

function findOpening(text: string, start: number, findings: Findings): Line | undefined {
  const first = readLine(text, start);
  if (first.text === '---') return requireMore(text, first, findings);
  if (/^[ \t]*---[ \t]*$/.test(first.text)) {
    findings.add(first, {
      code: 'frontmatter-missing',
      message: `the first line is "${first.text}", not "---": blanks stand beside the dashes`,
      hint: 'write --- as the whole first line',
      edits: removeBlanks(first),
    });
    return requireMore(text, first, findings);
  }
  if (text.length === start) {
    findings.add(first, { code: 'frontmatter-missing', message: 'the file is empty', hint: OPENING_HINT });
    return undefined;
  }
  const later = findLater(text, first);
  findings.add(first, {
    code: 'frontmatter-missing',
    message:
      later === undefined
        ? describeFirst(first)
        : `the frontmatter does not start on the first line, but after ${describeBefore(first)}`,
    hint: later === undefined ? OPENING_HINT : 'move --- to the very start of the file',
  });
  return later === undefined ? undefined : requireMore(text, later, findings);
}

const OPENING_HINT = 'start the file with a line ---, then name: and description:, then a line ---';

function describeFirst(line: Line): string {
  if (line.text.trim() === '') return 'the first line is empty, not "---"';
  return `the first line is ${showText(line.text)}, not "---"`;
}

function describeBefore(line: Line): string {
  if (line.text.trim() === '') return 'an empty line';
  return line.text.startsWith('```') || line.text.startsWith('~~~')
    ? `the code fence ${showText(line.text)}`
    : showText(line.text);
}

/** The fence after blank lines, HTML comments or the opening of a code fence; anything else is text, not misplaced frontmatter. */
function findLater(text: string, first: Line): Line | undefined {
  let comment = false;
  let line = first;
  for (let count = 0; count < LOOKAHEAD; count += 1) {
    const trimmed = line.text.trim();
    if (comment) comment = !trimmed.endsWith('-->');
    else if (line.text === '---') return line;
    else if (trimmed.startsWith('<!--')) comment = !trimmed.endsWith('-->');
    else if (trimmed !== '' && !(count === 0 && /^(?:```|~~~)/.test(trimmed))) return undefined;
    if (line.next >= text.length) return undefined;
    line = readLine(text, line.next);
  }
  return undefined;
}

function requireMore(text: string, open: Line, findings: Findings): Line | undefined {
  if (open.next < text.length || text[open.next - 1] === '\n') return open;
  findings.add(open, UNCLOSED);
  return undefined;
}

const UNCLOSED = {
  code: 'frontmatter-unclosed',
  message: 'the frontmatter is never closed: no later line is exactly "---"',
  hint: 'write --- on a line of its own after the last field',
} as const;

function findClosing(text: string, open: Line, findings: Findings): Block | undefined {
  for (let at = open.next; at < text.length; ) {
    if (!text.startsWith('---', at)) {
      const end = text.indexOf('\n', at);
      at = end === -1 ? text.length : end + 1;
      continue;
    }
    const line = readLine(text, at);
    if (line.text === '---') return { start: open.next, end: line.start, body: line.next };
    if (/^---[ \t]+$/.test(line.text)) {
      findings.add(line, {
        code: 'frontmatter-unclosed',
        message: `the closing fence is "${line.text}", not "---": blanks stand after the dashes`,
        hint: 'write --- as the whole line',
        edits: removeBlanks(line),
      });
    } else {
      findings.add(line, {
        code: 'frontmatter-unclosed',
        message: `the frontmatter is not closed: ${showText(line.text)} begins with "---", but a fence is exactly "---"`,
        hint: 'write --- on a line of its own, and the text on the next line',
      });
    }
    return { start: open.next, end: line.start, body: line.next };
  }
  findings.add(open, UNCLOSED);
  return undefined;
}

function removeBlanks(line: Line): { start: number; end: number; text: string }[] {
  const from = line.start + line.text.indexOf('---');
  const edits = [];
  if (from > line.start) edits.push({ start: line.start, end: from, text: '' });
  if (from + 3 < line.end) edits.push({ start: from + 3, end: line.end, text: '' });
  return edits;
}

function readLine(text: string, start: number): Line {
  const feed = text.indexOf('\n', start);
  const next = feed === -1 ? text.length : feed + 1;
  const end = feed === -1 ? text.length : text[feed - 1] === '\r' && feed > start ? feed - 1 : feed;
  return { start, end, next, text: text.slice(start, end) };
}
