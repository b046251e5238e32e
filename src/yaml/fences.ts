import { say } from '../messages/say.ts';
import type { Findings, Span } from './findings.ts';

/** Where the frontmatter is: `start` and `end` hold whole lines between the fences, `body` is where the Markdown begins. */
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
 * Finds the two `---` lines and reports what is wrong with them. Where a fence is only misspelled or misplaced, the block that its
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
      ...say('frontmatter-missing/spaces', { line: first.text }),
      edits: removeBlanks(first),
    });
    return requireMore(text, first, findings);
  }
  if (/^---\r/.test(first.text)) return openReturns(text, start, first, findings);
  const glued = /^---[ \t]*(?=["']?[A-Za-z][\w-]*["']?:(?:[ \t]|$))/.exec(first.text)?.[0];
  if (glued !== undefined) return openGlued(text, first, glued, findings);
  if (FIRST_FIELD.test(first.text) && /^---\r?$/m.test(text)) return openBare(text, first, findings);
  if (text.length === start) {
    findings.add(first, say('frontmatter-missing/empty'));
    return undefined;
  }
  const later = findLater(text, first);
  const before = later === undefined ? undefined : { start, end: later.start };
  const isBlank = before !== undefined && text.slice(before.start, before.end).trim() === '';
  findings.add(first, {
    ...say(later === undefined ? 'frontmatter-missing/none' : 'frontmatter-missing/late', { line: first.text }),
    ...(isBlank ? { edits: [{ ...before, text: '' }] } : {}),
  });
  return later === undefined ? undefined : requireMore(text, later, findings);
}

/** The fields begin on the line of the fence; what follows the dashes is judged as the first line. */
function openGlued(text: string, first: Line, dashes: string, findings: Findings): Line | undefined {
  const next = first.start + dashes.length;
  findings.add(first, {
    ...say('frontmatter-missing/glued', { line: first.text }),
    edits: [{ start: first.start + 3, end: next, text: text[first.end] === '\r' ? '\r\n' : '\n' }],
  });
  return { ...first, end: next, text: '---', next };
}

const FIRST_FIELD = /^(?:name|description):[ \t]+\S/;

/** The fields begin on the first line, and a fence ends them. */
function openBare(text: string, first: Line, findings: Findings): Line {
  const at = first.start;
  findings.add(first, {
    ...say('frontmatter-missing/bare', { line: first.text }),
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
      ...say(isLone ? 'frontmatter-missing/returns-alone' : 'frontmatter-missing/returns-twice'),
      edits: returns.map(({ index, 0: end }) => ({
        start: start + index,
        end: start + index + end.length,
        text: '\n',
      })),
    },
  );
  return undefined;
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
  findings.add(open, say('frontmatter-unclosed/none'));
  return undefined;
}

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
        ...say('frontmatter-unclosed/spaces', { line: line.text }),
        edits: removeBlanks(line),
      });
    } else {
      const isDashes = /^-+[ \t]*$/.test(line.text);
      const from = line.start + 3;
      const end = isDashes ? line.end : from + (/^[ \t]*/.exec(line.text.slice(3))?.[0].length ?? 0);
      findings.add(line, {
        ...say(isDashes ? 'frontmatter-unclosed/dashes' : 'frontmatter-unclosed/glued', { line: line.text }),
        edits: [{ start: from, end, text: isDashes ? '' : text[line.end] === '\r' ? '\r\n' : '\n' }],
      });
    }
    return { start: open.next, end: line.start, body: line.next };
  }
  findings.add(open, say('frontmatter-unclosed/none'));
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
