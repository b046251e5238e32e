import type { Findings, Note, Span } from './findings.ts';
import { findLineStart } from './lines.ts';
import type { Fault } from './parse.ts';
import { MAX_HINT, quoteText, showText } from './quote.ts';

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
  const indents = new Map<number, number>();
  const sorted = errors.filter(({ code }) => !REPORTED_ELSEWHERE.has(code)).sort((a, b) => a.pos[0] - b.pos[0]);
  for (const error of sorted) {
    const at = Math.min(error.pos[0], source.length);
    if (taken.some((span) => at + start >= span.start && at + start < span.end)) continue;
    const line = findLine(source, at);
    const { note, span } =
      describeLine(source.slice(line.start, line.end), line.start) ??
      describeIndent(error, sorted, source, indents) ??
      describeError(error, source, at);
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
  const value = cutComment(rest).trimEnd();
  const label = `${key.trimEnd()} `;
  const from = lineStart + before.length + key.length;
  const described = describeValue(label, value);
  const isCut = value.length < rest.trimEnd().length;
  const note =
    isCut && described?.hint !== undefined
      ? { ...described, hint: `${described.hint}; what stands behind " #" is a comment` }
      : described;
  return note === undefined ? undefined : { note, span: { start: from, end: from + value.length } };
}

/** A value without the comment behind it. A `#` right before a word may be meant as text, and so may one in quotes. */
function cutComment(rest: string): string {
  const from = /^["']/.test(rest) ? rest.lastIndexOf(rest[0] ?? '') : -1;
  const at = from === 0 ? -1 : rest.slice(from + 1).search(/[ \t]#(?: |$)/);
  return at === -1 ? rest : rest.slice(0, from + 1 + at);
}

function describeValue(label: string, value: string): Note | undefined {
  const first = value[0] ?? '';
  const hint =
    value.length <= MAX_HINT
      ? `quote it: ${label}${quoteText(value)}`
      : `write ${label}>- and the text indented below it`;
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
    const [message, how] =
      text !== undefined
        ? ['goes on after its closing quote', 'put the whole text in quotes']
        : ['is not well quoted', first === '"' ? 'close the quote' : 'put the whole text in quotes'];
    return {
      code: 'yaml-syntax',
      message: `${showText(value)} ${message}`,
      hint: `${how}: ${label}${quoteText(stripQuotes(value, text))}`,
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

/** The text that a badly quoted value is meant to hold; `quoted` is the part of it that is well quoted. */
function stripQuotes(value: string, quoted: string | undefined): string {
  const quote = value[0] ?? '';
  // Without a second one it is a forgotten quote, or an apostrophe.
  if (quoted === undefined) return quote === '"' ? value.slice(1) : value;
  // Quotes right beside text stand inside of the outer ones; beside a blank or a separator they are part of what is said.
  const isInner = value.endsWith(quote) && /[^\s,;:|/]/.test(value[quoted.length] ?? ' ');
  if (!isInner) return value;
  const inner = value.slice(1, -1);
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'");
}

/** A field that is indented below another whose value stands beside its key. `indents` holds where such lines belong. */
function describeIndent(
  error: Fault,
  errors: readonly Fault[],
  source: string,
  indents: Map<number, number>,
): { note: Note; span: Span } | undefined {
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined;
  // The parser takes the value and the key below it for one key over several lines.
  const whole = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === error.pos[0]);
  if (whole === undefined) return undefined;
  const end = whole.pos[1];
  const lineStart = findLineStart(source, end);
  const key = source.slice(lineStart, end).trim();
  const above = findLineStart(source, error.pos[0]);
  const before = source.slice(above, error.pos[0]);
  const indent = indents.get(above) ?? /^(?: *- )* */.exec(before)?.[0].length ?? 0;
  indents.set(lineStart, indent);
  const place = indent === 0 ? 'begin it in the first column' : `begin it in column ${indent + 1}`;
  const label = before.trim();
  // several words are more often the next line of the text above than a key
  const isText = /\s/.test(key) && label.endsWith(':');
  return {
    note: {
      code: 'yaml-syntax',
      message: `the key ${showText(key)} is indented below a field that has a value already`,
      hint: isText ? `write ${label} >- and all of the text indented below it, or if this is a field, ${place}` : place,
    },
    span: { start: end - key.length, end },
  };
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
