import { type Said, say } from '../messages/say.ts';
import { blankWorking, INVISIBLE, isHiding } from '../text/invisible.ts';
import { nameCharacter } from '../text/quote.ts';
import type { Findings, Span } from './findings.ts';

// Parsers refuse controls, the byte order mark and two noncharacters; they break lines in different places at the separators.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\r(?!\n)/g;

const NOT_ASCII = /[\u0080-\uffff]/;

/**
 * Reports the characters of the frontmatter that parsers refuse or read differently.
 * Returns the text of the span with a harmless character in the place of each, so that the rest can be judged at the same offsets.
 */
export function judgeCharacters(text: string, span: Span, findings: Findings): string {
  const source = text.slice(span.start, span.end);
  if (source.search(FORBIDDEN) === -1) return source;
  const seen = new Set<string>();
  return source.replace(FORBIDDEN, (char, at: number) => {
    findings.seal({ start: span.start + at, end: span.start + at + 1 });
    if (!seen.has(char)) {
      seen.add(char);
      const start = span.start + at;
      findings.add({ start, end: start + 1 }, describeForbidden(char));
    }
    return char === '\r' ? ' ' : '\ufffd';
  });
}

function describeForbidden(char: string): Said {
  const character = nameCharacter(char);
  if (char === '\r') return say('yaml-ambiguous/carriage-return', { character });
  if (/[\u0085\u2028\u2029]/.test(char)) return say('yaml-ambiguous/separator', { character, escaped: toEscape(char) });
  return say(char === '\ufeff' ? 'yaml-unportable/byte-order-mark' : 'yaml-unportable/control', { character });
}

function toEscape(char: string): string {
  return char === '\u0085' ? '\\N' : char === '\u2028' ? '\\L' : '\\P';
}

/**
 * Reports characters that a reader of the text does not see: once per character and part of the file. Inside the frontmatter,
 * tag characters and bidirectional controls are errors, since they hide or reorder what a host shows.
 */
export function judgeInvisible(text: string, frontmatter: Span | undefined, findings: Findings): void {
  if (!NOT_ASCII.test(text)) return;
  // The byte order mark at the start has a problem of its own.
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const first = text.slice(start).search(INVISIBLE);
  if (first === -1) return;
  const parts =
    frontmatter === undefined
      ? [{ start, end: text.length, inside: false }]
      : [
          { start: frontmatter.start, end: frontmatter.end, inside: true },
          { start: frontmatter.end, end: text.length, inside: false },
        ];
  for (const { inside, ...part } of parts) judgePart(text, part, inside, findings);
}

function judgePart(text: string, part: Span, inside: boolean, findings: Findings): void {
  const kinds = new Map<string, { start: number; count: number; char: string }>();
  const slice = blankWorking(text.slice(part.start, part.end));
  for (const match of slice.matchAll(new RegExp(INVISIBLE, 'gu'))) {
    const [char] = match;
    // YAML parsers refuse it in the frontmatter, which is a problem of its own.
    if (inside && char === '\ufeff') continue;
    const kind = isTag(char) ? 'tag' : char;
    const known = kinds.get(kind);
    if (known !== undefined) known.count += 1;
    else kinds.set(kind, { start: part.start + match.index, count: 1, char });
  }
  for (const { start, count, char } of kinds.values()) {
    const key = inside && isHiding(char) ? 'hidden-text/written' : 'invisible-character/written';
    const said = say(key, { character: nameCharacter(char), kind: kindOf(char), count });
    findings.add({ start, end: start + char.length }, said);
  }
}

/** The characters of a value that nobody sees, each once. */
export function findInvisible(value: string): ReadonlySet<string> {
  return new Set(blankWorking(value).match(new RegExp(INVISIBLE, 'gu')));
}

function isTag(char: string): boolean {
  return (char.codePointAt(0) ?? 0) >= 0xe0000;
}

function kindOf(char: string) {
  if (isTag(char)) return 'tag';
  if (isHiding(char)) return 'bidirectional';
  return char === '\u200b' ? 'zero-width' : 'other';
}
