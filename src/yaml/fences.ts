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
      message: `the first line is "${first.text}", not "---": there are spaces around the dashes`,
      hint: 'write --- as the whole first line',
      edits: removeBlanks(first),
    });
    return requireMore(text, first, findings);
  }
  if (/^---\r/.test(first.text)) return openReturns(text, start, first, findings);
  const glued = /^---[ \t]*(?=["']?[A-Za-z][\w-]*["']?:(?:[ \t]|$))/.exec(first.text)?.[0];
  if (glued !== undefined) return openGlued(text, first, glued, findings);
  if (FIRST_FIELD.test(first.text) && /^---\r?$/m.test(text)) return openBare(text, first, findings);
  if (text.length === start) {
    findings.add(first, { code: 'frontmatter-missing', message: 'the file is empty', hint: OPENING_HINT });
    return undefined;
  }
  const later = findLater(text, first);
  const before = later === undefined ? undefined : { start, end: later.start };
  const isBlank = before !== undefined && text.slice(before.start, before.end).trim() === '';
  findings.add(first, {
    code: 'frontmatter-missing',
    message:
      later === undefined
        ? describeFirst(first)
        : `the frontmatter does not start on the first line, but after ${describeBefore(first)}`,
    hint: later === undefined ? OPENING_HINT : 'move --- to the very start of the file',
    ...(isBlank ? { edits: [{ ...before, text: '' }] } : {}),
  });
  return later === undefined ? undefined : requireMore(text, later, findings);
}

const OPENING_HINT = 'start the file with a line ---, then name: and description:, then a line ---';

/** The fields begin on the line of the fence; what follows the dashes is judged as the first line. */
function openGlued(text: string, first: Line, dashes: string, findings: Findings): Line | undefined {
  const next = first.start + dashes.length;
  findings.add(first, {
    code: 'frontmatter-missing',
    message: `the first line is ${showText(first.text)}, not "---": a field follows the dashes`,
    hint: 'put a line break after ---',
    edits: [{ start: first.start + 3, end: next, text: text[first.end] === '\r' ? '\r\n' : '\n' }],
  });
  return { ...first, end: next, text: '---', next };
}

const FIRST_FIELD = /^(?:name|description):[ \t]+\S/;

/** The fields begin on the first line, and a fence ends them. */
function openBare(text: string, first: Line, findings: Findings): Line {
  const at = first.start;
  findings.add(first, {
    code: 'frontmatter-missing',
    message: `${describeFirst(first)}: the frontmatter has no opening fence`,
    hint: 'add a line --- above it',
    edits: [{ start: at, end: at, text: text[first.end] === '\r' ? '---\r\n' : '---\n' }],
  });
  return { start: at, end: at, text: '---', next: at };
}

/** Lines that end with a carriage return alone, or with one too many. */
function openReturns(text: string, start: number, first: Line, findings: Findings): undefined {
  const at = first.start + first.text.indexOf('\r');
  const isLone = !/\r\r\n/.test(text.slice(at, at + 3));
  const returns = [...text.slice(start).matchAll(/\r+\n|\r/g)];
  findings.add(
    { start: at, end: at + 1 },
    {
      code: 'frontmatter-missing',
      message: isLone
        ? 'lines end with a carriage return (U+000D) alone, which ends no line for most hosts'
        : 'lines end with two carriage returns (U+000D) and a line feed, so the first line is not exactly "---"',
      hint: 'end every line with a line feed (U+000A) alone',
      edits: returns.map(({ index, 0: end }) => ({
        start: start + index,
        end: start + index + end.length,
        text: '\n',
      })),
    },
  );
  return undefined;
}

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
        message: `the closing fence is "${line.text}", not "---": there are spaces after the dashes`,
        hint: 'write --- as the whole line',
        edits: removeBlanks(line),
      });
    } else {
      const isDashes = /^-+[ \t]*$/.test(line.text);
      const from = line.start + 3;
      const end = isDashes ? line.end : from + (/^[ \t]*/.exec(line.text.slice(3))?.[0].length ?? 0);
      findings.add(line, {
        code: 'frontmatter-unclosed',
        message: `the frontmatter is not closed: ${showText(line.text)} begins with "---", but a fence is exactly "---"`,
        hint: isDashes
          ? 'write --- as the whole line'
          : 'write --- on a line of its own, and the text on the next line',
        edits: [{ start: from, end, text: isDashes ? '' : text[line.end] === '\r' ? '\r\n' : '\n' }],
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
