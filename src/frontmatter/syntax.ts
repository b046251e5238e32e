import type { Findings, Note, Span } from './findings.ts';
import { findLineStart } from './lines.ts';
import type { Fault } from './parse.ts';
import { closeQuote, quoteText, showText } from './quote.ts';

type ErrorCode = Fault['code'];

/** Faults that a token shows better than the parser's message does; `judgeLayout` and `judgeTree` report them. */
const REPORTED_ELSEWHERE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ALIAS_PROPS',
  'BAD_DIRECTIVE',
  'BAD_PROP_ORDER',
  'MULTIPLE_ANCHORS',
  'MULTIPLE_TAGS',
  'MULTIPLE_DOCS',
  'TAG_RESOLVE_FAILED',
]);

const STARTERS: Readonly<Record<string, string>> = {
  '*': 'an alias',
  '&': 'an anchor',
  '!': 'a tag',
  '%': 'a directive',
  '@': 'a reserved character',
  '`': 'a reserved character',
  '|': 'a block of text',
  '>': 'a block of text',
  ']': 'the end of a list',
  '}': 'the end of a mapping',
  ',': 'a separator',
};

/**
 * Reports what no reader can read, once per line, in the words of the line where that is possible.
 * Returns the spans of those lines: what else is found there is a consequence.
 */
export function judgeSyntax(
  source: string,
  start: number,
  errors: readonly Fault[],
  findings: Findings,
): readonly Span[] {
  const taken: Span[] = [];
  const sorted = errors.filter(({ code }) => !REPORTED_ELSEWHERE.has(code)).sort((a, b) => a.pos[0] - b.pos[0]);
  for (const error of sorted) {
    const at = Math.min(error.pos[0], source.length);
    if (taken.some((span) => at + start >= span.start && at + start < span.end)) continue;
    const line = findLine(source, at);
    const { note, span } =
      describeLine(source.slice(line.start, line.end), line.start) ?? describeError(error, source, at);
    findings.add({ start: start + span.start, end: start + span.end }, note);
    taken.push({ start: start + line.start, end: start + line.next });
    // One fault can set off an error on every line after it.
    if (taken.length >= 20) break;
  }
  return taken;
}

function findLine(source: string, at: number): Span & { readonly next: number } {
  // At the end of the text the last line that holds something is meant.
  const from = at >= source.length ? source.trimEnd().length : at;
  const lineStart = findLineStart(source, from);
  const feed = source.indexOf('\n', from);
  const end = feed === -1 ? source.length : source[feed - 1] === '\r' ? feed - 1 : feed;
  return { start: lineStart, end, next: Math.max(feed === -1 ? source.length : feed + 1, at + 1) };
}

function describeLine(line: string, lineStart: number): { note: Note; span: Span } | undefined {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  if (indent.includes('\t')) {
    const at = lineStart + indent.indexOf('\t');
    return {
      note: { code: 'yaml-syntax', message: 'a tab cannot indent a line', hint: 'indent with spaces' },
      span: { start: at, end: at + 1 },
    };
  }
  const field = /^((?: *- )* *)([^\s:#"'[\]{}&*!|>%@`,-][^:]*:[ \t]+|- )(.*)$/.exec(line);
  if (field === null) return undefined;
  const [, before = '', key = '', rest = ''] = field;
  const value = rest.trimEnd();
  const label = `${key.trimEnd()} `;
  const from = lineStart + before.length + key.length;
  const note = describeValue(label, value);
  return note === undefined ? undefined : { note, span: { start: from, end: from + value.length } };
}

function describeValue(label: string, value: string): Note | undefined {
  const first = value[0] ?? '';
  const hint =
    value.length <= 200 ? `quote it: ${label}${quoteText(value)}` : `write ${label}>- and the text indented below it`;
  const starter = STARTERS[first];
  if (starter !== undefined) {
    return {
      code: 'yaml-syntax',
      message: `${showText(value)} begins with "${first}", which is ${starter} in YAML: a value must not start with * & ! % @ | > ] } , or \` unless quoted`,
      hint,
    };
  }
  if (/^[-?](?:[ \t]|$)/.test(value)) {
    const isItem = first === '-';
    return {
      code: 'yaml-syntax',
      message: `${showText(value)} begins with "${first}", which is the mark of a ${isItem ? 'list item' : 'key'} in YAML`,
      hint: isItem ? `${hint}, or begin the list on the line below` : hint,
    };
  }
  if (first === '"' || first === "'") {
    const text = (first === '"' ? /^"(?:[^"\\]|\\.)*"/ : /^'(?:[^']|'')*'/).exec(value)?.[0];
    // Well quoted, so that something else is wrong, such as an escape.
    if (text === value) return undefined;
    return text === undefined
      ? {
          code: 'yaml-syntax',
          message: `${showText(value)} is not well quoted`,
          hint: `close the quote: ${label}${closeQuote(value)}`,
        }
      : {
          code: 'yaml-syntax',
          message: `${showText(value)} goes on after its closing quote`,
          hint: `put the whole text in quotes: ${label}${quoteText(value)}`,
        };
  }
  if (first === '[' || first === '{') {
    return {
      code: 'yaml-syntax',
      message: `${showText(value)} begins with "${first}" but is no ${first === '[' ? 'list' : 'mapping'}`,
      hint,
    };
  }
  if (/:(?:[ \t]|$)/.test(value)) {
    return {
      code: 'yaml-syntax',
      message: `the unquoted text ${showText(value)} holds ": ", which begins a new key in YAML`,
      hint,
    };
  }
  return undefined;
}

const MESSAGES: { readonly [code in ErrorCode]?: readonly [message: string, hint: string] } = {
  BAD_ALIAS: ['an alias has no anchor', 'put text that begins with * in quotes'],
  BAD_DQ_ESCAPE: ['an escape that YAML does not know', 'write the backslash twice, or use single quotes'],
  BAD_INDENT: ['the line is not indented as its neighbours are', 'indent all fields of a mapping alike'],
  BAD_SCALAR_START: ['a value begins with a reserved character', 'put the value in quotes'],
  BLOCK_AS_IMPLICIT_KEY: [
    'a key stands inside the value of another',
    'put the value in quotes, or the key on a line of its own',
  ],
  BLOCK_IN_FLOW: ['an indented list or mapping stands inside brackets', 'write it on one line, or without brackets'],
  KEY_OVER_1024_CHARS: ['a key of more than 1024 characters is refused by many YAML readers', 'write a shorter key'],
  MISSING_CHAR: [
    'something is missing, such as a colon or a closing quote or bracket',
    'write each field as key: value',
  ],
  MULTILINE_IMPLICIT_KEY: [
    'a line has no colon, so it runs on into the next',
    'write each field as key: value on a line of its own',
  ],
  TAB_AS_INDENT: ['a tab cannot indent a line', 'indent with spaces'],
};

function describeError(error: Fault, source: string, at: number): { note: Note; span: Span } {
  const end = Math.min(Math.max(error.pos[1], at + 1), source.length);
  const from = at < source.length ? at : source.trimEnd().length;
  const [message, hint] = MESSAGES[error.code] ?? [
    `${showText(source.slice(from, end))} cannot stand here`,
    'write each field as key: value on a line of its own, and put text that holds other marks in quotes',
  ];
  return {
    note: {
      code: error.code === 'KEY_OVER_1024_CHARS' ? 'yaml-unportable' : 'yaml-syntax',
      message,
      hint,
    },
    span: { start: from, end: Math.max(end, from) },
  };
}
