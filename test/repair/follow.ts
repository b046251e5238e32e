import type { Problem } from '../../src/problems.ts';

/**
 * Follows a hint of SKILL.md as a person would who only has the message: every text that it says to write is written where it says. Empty
 * where it holds no exact text.
 */
export function followText(text: string, { line = 0, column = 1, length = 1, hint = '' }: Problem): readonly string[] {
  const lines = text.split('\n');
  const shown = lines[line - 1];
  if (shown === undefined) return [];
  const place = { lines, at: line - 1, start: column - 1, end: column - 1 + length };
  return hint.split(', or ').flatMap((part, index, parts) => {
    // what follows after "or" is a way of its own
    if (index > 0 && !/^(?:write|quote it)/.test(part)) return [];
    const ways = followPart(place, parts.length === 1 ? hint : part);
    return ways === undefined ? [] : [ways];
  });
}

interface Place {
  readonly lines: readonly string[];
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

function followPart(place: Place, hint: string): string | undefined {
  const below = /^write (.*) >- and (?:all of )?the text indented below it(, without the quote)?$/.exec(hint);
  if (below !== null) return fold(place, below[1] ?? '', below[2] !== undefined);
  const [, exact] =
    /^(?:quote it|close the quote|put the whole text in quotes|write it on one line, in quotes): (.*?)(?:; what follows " #" is a comment)?$/.exec(
      hint,
    ) ??
    /^write "(name: (?:[a-z0-9-]+|'[^']+'))"$/.exec(hint) ??
    /^write '(name: "[a-z0-9-]+")'$/.exec(hint) ??
    /^write ((?:- |[^\s:]+: )(?:[|>][-+]?|"[^"]*"|'[^']*'|true|false|null))$/.exec(hint) ??
    [];
  return exact === undefined ? undefined : write(place, exact, /^write ["']name: /.test(hint));
}

/** The label at the start of an exact text: `k: ` or `- `. */
function findLabel(exact: string): string {
  return /^(?:- |(?:"[^"]*"|'[^']*'|[^\s"':[{][^:]*): (?=\S))/.exec(exact)?.[0] ?? '';
}

function write({ lines, at, start, end }: Place, exact: string, isWhole: boolean): string | undefined {
  const shown = lines[at] ?? '';
  const label = findLabel(exact);
  if (label !== '' && /^---\r?$/.test(shown))
    return [...lines.slice(0, at + 1), exact, ...lines.slice(at + 1)].join('\n');
  if (isWhole) return writeField(lines, at, exact);
  const found = label === '' ? -1 : shown.lastIndexOf(label.trimEnd(), start);
  const above = label !== '' && found === -1 && lines[at - 1]?.trimEnd().endsWith(label.trimEnd());
  if (above) return undefined;
  const from = found === -1 ? start : found;
  // where the value is written as nothing, the place is that of the key
  let to = found === start ? shown.trimEnd().length : end;
  if (/:$/.test(exact)) to += /^[ \t]*:/.exec(shown.slice(end))?.[0].length ?? 0;
  // the text below a header goes with it
  const isHeader = /^[|>]/.test(shown.slice(start)) && !/[|>][-+]?$/.test(exact);
  const isMore = isHeader || /^(["'])(?:(?!\1).)*$/.test(shown.slice(start, end));
  const next = isMore ? findNext(lines, at) : at + 1;
  return [...lines.slice(0, at), shown.slice(0, from) + exact + shown.slice(to), ...lines.slice(next)].join('\n');
}

/** The whole field, whatever its value is. */
function writeField(lines: readonly string[], at: number, exact: string): string | undefined {
  let first = at;
  while (first > 0 && !/^["']?name["']?[ \t]*:/.test(lines[first] ?? '')) first -= 1;
  if (first === 0) return undefined;
  const next = lines.findIndex((line, index) => index > first && (/^[^\s#-]/.test(line) || line.trim() === '---'));
  return next === -1 ? undefined : [...lines.slice(0, first), exact, ...lines.slice(next)].join('\n');
}

/** The first line after the text that begins on a line: not indented deeper than its key. */
function findNext(lines: readonly string[], at: number): number {
  const indent = /^(?: *- )* */.exec(lines[at] ?? '')?.[0].length ?? 0;
  let next = at + 1;
  while (next < lines.length && (lines[next]?.trim() === '' || /^ */.exec(lines[next] ?? '')![0].length > indent))
    next += 1;
  while (next > at + 1 && lines[next - 1]?.trim() === '') next -= 1;
  return next;
}

function fold({ lines, at, start }: Place, label: string, isWithoutQuote: boolean): string | undefined {
  let first = at;
  while (first > 0 && !(lines[first] ?? '').includes(label)) first -= 1;
  const shown = lines[first] ?? '';
  const from = shown.lastIndexOf(label, first === at ? Math.max(start, 0) : undefined);
  if (from === -1) return undefined;
  const next = findNext(lines, first);
  const raw = [shown.slice(from + label.length), ...lines.slice(first + 1, next)].join('\n').trim();
  const quote = /^(["'])[\s\S]*\1$/.exec(raw)?.[1];
  const bare = isWithoutQuote ? raw.slice(1) : quote === undefined ? raw : raw.slice(1, -1);
  if (quote === '"' && bare.includes('\\')) return undefined;
  const indent = ' '.repeat((/^(?: *- )* */.exec(shown)?.[0].length ?? 0) + 2);
  const texts = (quote === "'" ? bare.replaceAll("''", "'") : bare).split('\n').map((line) => line.trim());
  const below = texts.map((line) => (line === '' ? '' : indent + line));
  return [...lines.slice(0, first), `${shown.slice(0, from)}${label} >-`, ...below, ...lines.slice(next)].join('\n');
}
