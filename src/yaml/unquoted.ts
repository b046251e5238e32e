import type { Rewrite } from '../messages/rewrite.ts';
import { type KeyTaking, say } from '../messages/say.ts';
import { findLineStart } from '../text/position.ts';
import { MAX_HINT, quoteText } from '../text/quote.ts';
import type { Findings, Note, TextEdit } from './findings.ts';
import { type PlainReading, readPlain } from './plain.ts';
import type { Spot } from './spot.ts';
import { findBlanks } from './value.ts';

// Blanks that YAML takes for text and some parser's own trimming does not.
const WIDE_BLANK = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const WIDE_BLANK_END = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]$/;

/** Judges text without quotes: what it is, and where its edges are. */
export function judgeUnquoted(spot: Spot, findings: Findings): void {
  const text = typeof spot.node.source === 'string' ? spot.node.source : spot.raw;
  // As a value "=" is special in YAML 1.1, as a key no parser minds it; what is wrong with "<<" for a key, quotes do not mend.
  const isText = spot.role === 'key' && (text === '=' || text === '<<');
  const reading: PlainReading = isText ? { kind: 'text' } : readPlain(text);
  if (reading.kind === 'refused') {
    const quoted = quoteText(text);
    const shared = { text, isKey: spot.role === 'key', repair: quoteWord(spot, text, quoted) };
    const said =
      reading.code === 'number-range'
        ? say('number-range', { ...shared, range: reading.range })
        : say('yaml-ambiguous/word', { ...shared, reading: reading.reading, number: reading.number });
    findings.add(spot, { ...said, edits: [quoteEdit(spot, quoted)] });
  } else if (spot.role === 'key' && reading.kind !== 'text') {
    findings.add(spot, describeKey(spot, text, reading.kind));
  } else if (spot.raw !== '') {
    const fault = findFault(spot);
    if (fault !== undefined) findings.add(spot, fault);
  }
  if (spot.role !== 'key' && typeof spot.node.value === 'string') judgeComment(spot, text, findings);
}

/** What follows ` #` may be meant as part of the text. */
function judgeComment({ source, at, raw, end, label }: Spot, text: string, findings: Findings): void {
  const from = at + raw.length;
  if (!/[ \t]/.test(source[from] ?? '')) return;
  const feed = source.indexOf('\n', from);
  const rest = source.slice(from, feed === -1 ? source.length : feed).trimEnd();
  if (!/^[ \t]+#/.test(rest)) return;
  findings.add(
    { start: end + rest.indexOf('#'), end: end + rest.length },
    say('comment-swallowed', { value: text, repair: { text: label + quoteText(text + rest) } }),
  );
}

function describeKey(spot: Spot, text: string, kind: 'null' | 'boolean' | 'number'): Note {
  if (text === '') return say('non-string-key/missing');
  const quoted = quoteText(text);
  const args = { text, kind: kind === 'null' ? 'null' : `a ${kind}` };
  const repair: Rewrite = { how: 'quote', text: `${quoted}:` };
  return { ...say('non-string-key/word', { ...args, repair }), edits: [quoteEdit(spot, quoted)] };
}

function quoteWord(spot: Spot, text: string, quoted: string): Rewrite {
  if (spot.role === 'key') return { how: 'quote', text: `${quoted}:` };
  if (text.length > MAX_HINT) return { how: 'quote' };
  const quote = { how: 'quote', text: spot.label + quoted } as const;
  if (spot.textual) return quote;
  if (/^(?:y|yes|on|true)$/i.test(text)) return { ...quote, or: `${spot.label}true` };
  if (/^(?:n|no|off|false)$/i.test(text)) return { ...quote, or: `${spot.label}false` };
  if (/^(?:~|null)$/i.test(text)) return { ...quote, or: `${spot.label}null` };
  return quote;
}

function findFault(spot: Spot): Note | undefined {
  const { raw, role, flow } = spot;
  // Nearly all text is on one line of ASCII, and begins and ends where no rule below asks anything.
  if (!flow && /^[A-Za-z0-9](?:[ -~]*[ -[\]-~])?$/.test(raw)) return undefined;
  const lines = raw.split(/\r?\n/).map((line) => line.replace(/^ +| +$/g, ''));
  const [first = ''] = lines;
  const begins = role !== 'key' && !flow && beginsLine(spot);
  // Only right after its key does a value begin where every parser looks for text.
  const beside = role === 'value' && !flow && !begins;
  if (raw.includes('\t')) return faultOf(spot, 'yaml-ambiguous/tab-in-plain');
  if (
    lines.some(
      (line, index) => WIDE_BLANK_END.test(line) || (WIDE_BLANK.test(line[0] ?? '') && !(beside && index === 0)),
    )
  ) {
    const key = raw.replace(/^[\s]+|[\s]+$/g, '');
    if (role !== 'key' || flow || readPlain(key).kind !== 'text' || key === '') {
      return faultOf(spot, 'yaml-ambiguous/wide-space-in-plain');
    }
    const edits = [{ start: spot.start, end: spot.end, text: key }];
    return { ...say('yaml-ambiguous/wide-space-after-key', { key }), edits };
  }
  if (/^[-?:][\s\u00a0]/.test(first)) {
    return faultOf(spot, INDICATORS[first[0] as keyof typeof INDICATORS]);
  }
  if (first.startsWith('?') && !beside) {
    return faultOf(spot, 'yaml-unportable/key-question-mark');
  }
  if (/^(?:---|\.\.\.)/.test(first) && !flow && (role !== 'value' || begins)) {
    return faultOf(spot, 'yaml-ambiguous/marker-in-plain');
  }
  if (flow) return findFlowFault(spot);
  if (lines.length > 1 || begins) return findLinesFault(spot, begins ? lines : lines.slice(1), lines);
  return undefined;
}

/** Text that begins with an indicator and a space. */
const INDICATORS = {
  '-': 'yaml-ambiguous/dash-in-plain',
  '?': 'yaml-ambiguous/question-mark-in-plain',
  ':': 'yaml-ambiguous/colon-in-plain',
} as const;

function findFlowFault(spot: Spot): Note | undefined {
  const { raw, role } = spot;
  if (raw.includes('\n')) return undefined;
  if (raw.includes('?')) return faultOf(spot, 'yaml-unportable/question-mark-in-brackets');
  if (raw.endsWith(' -')) return faultOf(spot, 'yaml-ambiguous/dash-in-brackets');
  if (raw.includes('  ')) return faultOf(spot, 'yaml-ambiguous/spaces-in-brackets');
  const colon = raw.indexOf(':');
  if (colon !== -1 && /["']/.test(raw.slice(colon))) return faultOf(spot, 'yaml-ambiguous/colon-in-brackets');
  if (raw.includes('\\')) return faultOf(spot, 'yaml-ambiguous/backslash-in-brackets');
  if (role === 'key' && /[\s:"'`,]/.test(raw)) return faultOf(spot, 'yaml-ambiguous/key-in-braces');
  return undefined;
}

/** Whether nothing but blanks precedes it on its line. */
function beginsLine({ source, at }: Spot): boolean {
  return source.slice(findLineStart(source, at), at).trim() === '';
}

/** Whether the text ends its line, and the next line contains something other than a comment, or nothing follows at all. */
function endsPlainly({ source, at, raw }: Spot): boolean {
  const rest = / *(?:\r?\n(?: *[^\s#]|$)|$)/y;
  rest.lastIndex = at + raw.length;
  return rest.test(source);
}

/** Text over several lines: `continued` are the lines that begin a line of the file. */
function findLinesFault(spot: Spot, continued: readonly string[], lines: readonly string[]): Note | undefined {
  if (spot.role === 'key') return faultOf(spot, 'yaml-unportable/key-over-lines');
  if (lines.includes('')) return faultOf(spot, 'yaml-ambiguous/empty-line-in-plain');
  // As the last line, with the next field or nothing right below it, every parser takes it for text.
  const judged = endsPlainly(spot) ? continued.slice(0, -1) : continued;
  if (/^[-?:]/.test(lines[0] ?? '') || judged.some((line) => /^(?:[-?:]|\.\.\.)/.test(line))) {
    return faultOf(spot, 'yaml-ambiguous/indicator-begins-line');
  }
  if (lines.some((line) => line.startsWith('\\') || line.endsWith('\\'))) {
    return faultOf(spot, 'yaml-ambiguous/backslash-at-line-edge');
  }
  return undefined;
}

/** A fault that putting the text in quotes, or below `>-`, repairs. */
function faultOf(spot: Spot, key: KeyTaking<{ readonly repair: Rewrite }>): Note {
  if (spot.raw.includes('\n')) {
    const { repair, ...edits } = writeLines(spot);
    return { ...say(key, { repair }), ...edits };
  }
  const quoted = quoteText(String(spot.node.source ?? spot.raw));
  const written = spot.role === 'key' ? `${quoted}:` : `${spot.label}${quoted}`;
  return { ...say(key, { repair: { how: 'quote', text: written } }), edits: [quoteEdit(spot, quoted)] };
}

/** Writes the quoted text in the place of what is unquoted. No blank may be between a quoted key and its colon. */
export function quoteEdit({ start, end, role, flow, source, at, raw }: Spot, quoted: string): TextEdit {
  if (role !== 'key' || flow) return { start, end, text: quoted };
  const from = at + raw.length;
  let to = from;
  while (source[to] === ' ' || source[to] === '\t') to += 1;
  return { start, end: source[to] === ':' ? end + to - from : end, text: quoted };
}

/** What to write instead of text over several lines, in quotes or not: the same text, in the lines that it has. */
export function writeLines(spot: Spot): { readonly repair: Rewrite; readonly edits?: readonly TextEdit[] } {
  const { label, node, raw, start, end } = spot;
  const value = typeof node.value === 'string' ? node.value : undefined;
  const inner = toLines(raw);
  const isSame = value !== undefined && inner !== undefined && foldLines(inner) === value && value !== '';
  if (spot.flow || spot.role === 'key' || !isSame) {
    if (value === undefined || spot.role === 'key') return { repair: { how: 'line' } };
    const text = quoteText(value);
    const isShown = !spot.flow && text.length <= MAX_HINT;
    return { repair: { how: 'line', ...(isShown ? { text: label + text } : {}) }, edits: [{ start, end, text }] };
  }
  const repair = { how: 'fold', label } as const;
  const head = findHead(spot);
  // a comment below, indented as the text is, would belong to it
  const isFollowed = /^[ \t]*\r?\n[ \t]+#/.test(spot.source.slice(spot.at + raw.length));
  if (head === undefined || isFollowed) return { repair };
  const feed = raw.includes('\r\n') ? '\r\n' : '\n';
  const lines = inner.map((line) => (line === '' ? feed : `${feed}${head.pad}${line}`)).join('');
  const blanks = findBlanks(spot.source, spot.at + raw.length, feed);
  const text = `${head.gap === 0 ? '' : ' '}>-${lines}${blanks.text}`;
  return { repair, edits: [{ start: start - head.gap, end: end + blanks.length, text }] };
}

/** The lines of a text as it is written, without its quotes; undefined where an escape would have to be read. */
function toLines(raw: string): readonly string[] | undefined {
  const quote = /^["']/.exec(raw)?.[0];
  if (quote === '"' && raw.includes('\\')) return undefined;
  const inner = quote === undefined ? raw : raw.slice(1, -1);
  return (quote === "'" ? inner.replaceAll("''", "'") : inner)
    .split(/\r?\n/)
    .map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''));
}

/** Lines as every parser joins them below `>`: with a space, and an empty line is a line end. */
function foldLines(lines: readonly string[]): string | undefined {
  const isPlain = lines.every(
    (line) => !/\t/.test(line) && !WIDE_BLANK.test(line[0] ?? '') && !WIDE_BLANK_END.test(line),
  );
  if (!isPlain || lines[0] === '' || lines.at(-1) === '') return undefined;
  return lines.reduce((text, line, at) => {
    if (at === 0) return line;
    if (line === '') return `${text}\n`;
    return text.endsWith('\n') ? text + line : `${text} ${line}`;
  }, '');
}

/** How far before a value its key or dash ends, where a line end is between the two, and how deep the lines of its text are indented. */
function findHead({ source, at }: Spot): { readonly gap: number; readonly pad: string } | undefined {
  const before = source.slice(0, at);
  const gap = /[:-]([ \t]*\r?\n\s*)$/.exec(before)?.[1]?.length ?? 0;
  const line = before.slice(findLineStart(source, at - gap), at - gap);
  if (line.trim() === '') return undefined;
  const indent = /^(?: *- )* */.exec(line)?.[0].length ?? 0;
  // a lone dash is as deep as what it begins
  return { gap, pad: ' '.repeat(/^ *-$/.test(line) ? line.length + 1 : indent + 2) };
}
