import type { Rewrite } from '../messages/rewrite.ts';
import { type Said, say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import type { Described } from './described.ts';
import { applyEdits, shiftEdits } from './edits.ts';
import type { Findings, Span, TextEdit } from './findings.ts';
import { type Fault, type Parsed, parseYaml } from './parse.ts';
import { findSlips } from './slips.ts';
import { describeLine, foldValue } from './value.ts';

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

/** A frontmatter without what no parser can read. */
export interface Mended {
  /** As long as the frontmatter, so that offsets hold. */
  readonly source: string;
  readonly parsed: Parsed;
  /** The lines of the faults, as offsets into the file: what else is found there is a consequence. */
  readonly taken: readonly Span[];
}

/** One fault can set off an error on every line after it. */
const MOST_FAULTS = 20;

/** How many characters are parsed again to try repairs: many times the frontmatter of a skill, and no time to speak of. */
const MOST_TRIED = 250_000;

/** Parses what a repair would make of the frontmatter, until it has parsed enough. */
interface Trial {
  /** The errors that are left, in order; undefined where nothing is tried any more. */
  parse(source: string): { parsed: Parsed; errors: readonly Fault[] } | undefined;
}

function createTrial(): Trial {
  let left = MOST_TRIED;
  return {
    parse(source) {
      if (source.length > left) return undefined;
      left -= source.length;
      const parsed = parseYaml(source);
      return { parsed, errors: sortErrors(parsed) };
    },
  };
}

/**
 * Reports what no parser can read, once per line, in the words of the line where that is possible. Each fault is then masked, so that
 * one never hides the next, and the rest can be judged.
 */
export function judgeSyntax(
  source: string,
  start: number,
  first: Parsed,
  fields: readonly string[],
  findings: Findings,
): Mended {
  const taken: Span[] = [];
  const trial = createTrial();
  let mended = { source, parsed: first };
  while (taken.length < MOST_FAULTS) {
    const errors = sortErrors(mended.parsed);
    if (errors.length === 0) break;
    const described = describe(mended.source, errors, fields, trial);
    report(described, start, findings);
    const lines = findLines(mended.source, described.masked ?? described.span);
    const next = mask(mended.source, described.masked, lines, trial);
    const from = next?.from ?? lines.start;
    taken.push({ start: start + from, end: start + lines.end });
    findings.seal({ start: start + from, end: start + lines.end });
    if (next === undefined) {
      reportRest(mended.source, start, errors, taken, findings);
      break;
    }
    mended = next;
  }
  return { ...mended, taken };
}

function sortErrors({ errors }: Parsed): readonly Fault[] {
  return errors.filter(({ code }) => !REPORTED_ELSEWHERE.has(code)).sort((a, b) => a.pos[0] - b.pos[0]);
}

function report(described: Described, start: number, findings: Findings): void {
  const { said, span, edits } = described;
  findings.add(
    { start: start + span.start, end: start + span.end },
    { ...said, ...(edits === undefined ? {} : { edits: shiftEdits(edits, start) }) },
  );
}

/** The first fault: a slip that explains it, or what is wrong with its line. */
function describe(source: string, errors: readonly Fault[], fields: readonly string[], trial: Trial): Described {
  for (const slip of findSlips(source, findPlace(errors))) {
    if (isMended(source, errors, slip.edits ?? [], trial)) return slip;
  }
  const [error] = errors as [Fault];
  const at = Math.min(error.pos[0], source.length);
  const line = findLine(source, at);
  const candidates = [
    ...describeLine(source, line, fields),
    describeIndent(error, errors, source),
    describeError(error, source, at),
  ];
  const found = candidates.filter((each) => each !== undefined);
  // the exact text of a hint is only given where it helps
  return (
    found.find(({ edits }) => edits === undefined || isMended(source, errors, edits, trial)) ??
    describeError(error, source, at)
  );
}

/** Whether a text has fewer errors after the edits, or its first one further down. */
function isMended(source: string, errors: readonly Fault[], edits: readonly TextEdit[], trial: Trial): boolean {
  const after = edits.length === 0 ? undefined : trial.parse(applyEdits(source, edits))?.errors;
  if (after === undefined) return false;
  const end = Math.max(...edits.map((edit) => edit.end));
  const grown = edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0);
  const isPast = findPlace(after) > end + grown;
  return isPast && (after.length < errors.length || findPlace(errors) <= end);
}

/** Where the first error is: a key that the parser takes for more than one line begins on its last. */
function findPlace(errors: readonly Fault[]): number {
  const [first] = errors;
  if (first === undefined) return Number.POSITIVE_INFINITY;
  const whole = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === first.pos[0]);
  return first.code === 'BLOCK_AS_IMPLICIT_KEY' && whole !== undefined ? whole.pos[1] : first.pos[0];
}

/** Puts something harmless in the place of a fault; undefined where the parser minds as much as before. */
function mask(
  source: string,
  masked: Span | undefined,
  lines: Span,
  trial: Trial,
): { source: string; parsed: Parsed; from: number } | undefined {
  const whole = source
    .slice(lines.start, lines.end)
    .replace(/^[^\r\n]+/gm, (line) => `#${'x'.repeat(line.length - 1)}`);
  const texts: [text: string, from: number][] = [
    [source.slice(0, lines.start) + whole + source.slice(lines.end), lines.start],
  ];
  if (masked !== undefined) {
    const value = source.slice(masked.start, masked.end).replace(/[^ \r\n]/g, 'x');
    texts.unshift([source.slice(0, masked.start) + value + source.slice(masked.end), masked.start]);
  }
  for (const [text, from] of texts) {
    const tried = trial.parse(text);
    if (tried === undefined) return undefined;
    // an error further up would be a consequence
    if (findPlace(tried.errors) >= lines.end) return { source: text, parsed: tried.parsed, from };
  }
  return undefined;
}

function reportRest(source: string, start: number, errors: readonly Fault[], taken: Span[], findings: Findings): void {
  for (const error of errors) {
    const at = Math.min(error.pos[0], source.length);
    if (taken.some((span) => at + start >= span.start && at + start < span.end)) continue;
    const line = findLine(source, at);
    const described = describeIndent(error, errors, source) ?? describeError(error, source, at);
    report(described, start, findings);
    taken.push({ start: start + line.start, end: start + line.next });
    if (taken.length >= MOST_FAULTS) return;
  }
}

function findLine(source: string, at: number): Span & { readonly next: number } {
  // At the end of the text the last line that holds something is meant.
  const from = at >= source.length ? source.trimEnd().length : at;
  const lineStart = findLineStart(source, from);
  const feed = source.indexOf('\n', from);
  const end = feed === -1 ? source.length : source[feed - 1] === '\r' ? feed - 1 : feed;
  return { start: lineStart, end, next: Math.max(feed === -1 ? source.length : feed + 1, at + 1) };
}

/** The whole lines that a span touches. */
function findLines(source: string, span: Span): Span {
  return { start: findLineStart(source, span.start), end: findLine(source, Math.max(span.start, span.end - 1)).next };
}

/** A field that is indented below another whose value is beside its key. */
function describeIndent(error: Fault, errors: readonly Fault[], source: string): Described | undefined {
  if (error.code !== 'BLOCK_AS_IMPLICIT_KEY') return undefined;
  // The parser takes the value and the key below it for one key over several lines.
  const whole = errors.find(({ code, pos }) => code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === error.pos[0]);
  if (whole === undefined) return undefined;
  const end = whole.pos[1];
  const lineStart = findLineStart(source, end);
  const key = source.slice(lineStart, end).trim();
  const above = findLineStart(source, error.pos[0]);
  const before = source.slice(above, error.pos[0]);
  const indent = /^(?: *- )* */.exec(before)?.[0].length ?? 0;
  const label = before.trim();
  // several words are the next line of the text above, not a key
  const fold = /\s/.test(key) && label.endsWith(':') ? foldValue(source, error.pos[0], indent) : undefined;
  const span = { start: end - key.length, end };
  if (fold !== undefined) {
    const repair: Rewrite = { how: 'fold', label: `${label} `, isLong: true };
    return { said: say('yaml-syntax/key-indented', { key, repair }), span, edits: [fold], masked: fold };
  }
  const count = end - key.length - lineStart - indent;
  return {
    said: say('yaml-syntax/key-indented', { key, repair: { column: indent + 1 } }),
    span,
    masked: { start: error.pos[0], end: findLine(source, end).end },
    ...(count > 0 ? { edits: shiftLeft(source, lineStart, count) } : {}),
  };
}

/** Takes blanks away from a line and from those right below it that have at least as many. */
function shiftLeft(source: string, start: number, count: number): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  const blanks = ' '.repeat(count);
  for (let at = start; at < source.length; at = findLine(source, at).next) {
    const line = source.slice(at, findLine(source, at).end);
    if (line.trim() === '') continue;
    const depth = line.length - line.trimStart().length;
    if (!line.startsWith(blanks) || (edits.length > 0 && depth < (edits[0]?.end ?? 0) - start)) break;
    edits.push({ start: at, end: at + count, text: '' });
  }
  return edits;
}

/** The parser's own errors that need no argument. */
const SAID: { readonly [code in ErrorCode]?: Said } = {
  BAD_ALIAS: say('yaml-syntax/alias'),
  BAD_DQ_ESCAPE: say('yaml-syntax/escape'),
  BAD_INDENT: say('yaml-syntax/indent'),
  BAD_SCALAR_START: say('yaml-syntax/reserved'),
  BLOCK_AS_IMPLICIT_KEY: say('yaml-syntax/key-in-value'),
  BLOCK_IN_FLOW: say('yaml-syntax/block-in-brackets'),
  KEY_OVER_1024_CHARS: say('yaml-unportable/key-long', { most: 1024, unit: 'characters' }),
  MISSING_CHAR: say('yaml-syntax/missing'),
  MULTILINE_IMPLICIT_KEY: say('yaml-syntax/line-without-colon'),
  TAB_AS_INDENT: say('yaml-syntax/tab-indent'),
};

function describeError(error: Fault, source: string, at: number): Described {
  const end = Math.min(Math.max(error.pos[1], at + 1), source.length);
  const from = at < source.length ? at : source.trimEnd().length;
  const said = SAID[error.code] ?? say('yaml-syntax/unexpected', { text: source.slice(from, end) });
  return { said, span: { start: from, end: Math.max(end, from) } };
}
