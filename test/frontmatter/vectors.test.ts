import { describe, expect, test } from 'vitest';
import { readFrontmatter } from '../../src/frontmatter.ts';
import { judgeBlock } from '../../src/judge/document.ts';
import type { JsonObject } from '../../src/text/jsonvalue.ts';
import { collectFindings, isYamlError } from '../../src/yaml/findings.ts';
import { readVectors, toCanonical, type Vector } from './vectors.ts';

/**
 * Why the profile refuses documents that every reader of the vectors reads alike, by the message of the refusal. The count is the
 * most that is allowed, so that a change that refuses more is seen.
 */
const REFUSED_ALIKE: readonly (readonly [message: RegExp, most: number, reason: string])[] = [
  [/ends the frontmatter: whether/, 14, 'an empty line below protects the line end only from hosts that do not trim'],
  [/ends a list or mapping inside another/, 15, 'one reader drops the line end there, depending on comments far away'],
  [/^an empty list item/, 3, 'comments, empty lines and the next key below it change the reading'],
  [/list item that begins below an empty line/, 1, 'two readers refuse it, depending on what stands below'],
  [/begins with "-", "\?" or ":"/, 1, 'a comment or another line behind it changes the reading'],
  [/byte order mark/, 9, 'some readers refuse it, and no author means it'],
  [/a space character other than/, 9, 'trimming differs from language to language'],
  [/keep or print differently/, 2, 'past 2^53 readers print and hold other digits'],
  [/empty lines in unquoted text/, 6, 'one reader refuses it, and two empty lines are read differently'],
  [/ends the line in YAML 1.1/, 6, 'a line separator is not worth a rule for each kind of quotes'],
  [/indented deeper/, 1, 'one reader folds it otherwise when the text is kept with "+"'],
  [/negative zero/, 4, 'JSON and some readers lose the sign'],
  [/an empty "[|>]" block/, 4, 'null for one reader in most places'],
  [/merges mappings/, 4, '"<<" in quotes is refused by one reader'],
  [/the fields are indented/, 4, 'some hosts refuse it'],
  [/is an indicator/, 3, '"-" alone is special in most places'],
  [/tab/, 6, 'tabs are kept, dropped or refused in most places'],
  [/do not keep exactly/, 2, 'at the border of what a double holds'],
  [/^"-.* is a date for some/, 2, 'a date with a sign is one for some readers in other places'],
  [/symbol in Ruby/, 2, 'a colon first is a symbol in most places'],
  [/inside (?:brackets|braces)/, 6, 'flow keys and quotes are read differently in most places'],
  [/backslash at the edge/, 2, 'read differently when it begins a line'],
  [/spaces on an empty line/, 2, 'folded differently in most places'],
  [/document marker/, 4, 'taken for a marker by some readers in most places'],
];

interface Reading {
  readonly value?: JsonObject;
  readonly message?: string;
}

/** Reads the frontmatter by itself: a vector may hold lines that would be fences in a file. */
function readBlock(text: string): Reading {
  const findings = collectFindings(text, { path: 'SKILL.md' });
  const tree = judgeBlock(text, { start: 0, end: text.length, body: text.length }, findings);
  if (tree !== undefined && !findings.isUnreadable()) return { value: tree.json };
  const first = findings.toList().find(({ problem }) => isYamlError(problem.code));
  return first === undefined ? {} : { message: first.problem.message };
}

const vectors = readVectors();

describe('the vectors', () => {
  const readings = vectors.map((vector) => ({ vector, reading: readBlock(vector.text) }));

  test('no document that readers part over is accepted', () => {
    const accepted = readings.filter(
      ({ vector, reading }) => vector.verdict !== 'alike' && reading.value !== undefined,
    );
    expect(accepted.map(({ vector }) => vector.text)).toEqual([]);
  });

  test('at least 95 % of the others are accepted', () => {
    const alike = readings.filter(({ vector }) => vector.verdict === 'alike');
    const accepted = alike.filter(({ reading }) => reading.value !== undefined);
    console.log(
      `accepted ${accepted.length} of ${alike.length} alike documents (${((100 * accepted.length) / alike.length).toFixed(2)} %)`,
    );
    expect(accepted.length / alike.length).toBeGreaterThan(0.95);
  });

  test('what is accepted is read as the readers read it', () => {
    const wrong = readings.filter(
      ({ vector, reading }) =>
        vector.value !== undefined &&
        reading.value !== undefined &&
        toCanonical(reading.value) !== toCanonical(vector.value),
    );
    expect(wrong.map(({ vector, reading }) => [vector.text, reading.value])).toEqual([]);
  });

  test('every refusal of a document that is read alike has a reason', () => {
    const counts = new Map<RegExp, number>();
    const unexplained: (readonly [string, string | undefined])[] = [];
    for (const { vector, reading } of readings) {
      if (vector.verdict !== 'alike' || reading.value !== undefined) continue;
      const row = REFUSED_ALIKE.find(([message]) => message.test(reading.message ?? ''));
      if (row === undefined) unexplained.push([vector.text, reading.message]);
      else counts.set(row[0], (counts.get(row[0]) ?? 0) + 1);
    }
    expect(unexplained).toEqual([]);
    expect(REFUSED_ALIKE.filter(([message, most]) => (counts.get(message) ?? 0) > most)).toEqual([]);
    expect(REFUSED_ALIKE.filter(([message]) => !counts.has(message))).toEqual([]);
  });

  test.each([
    ['LF', '\n', true],
    ['LF, no last line end', '\n', false],
    ['CRLF', '\r\n', true],
  ] as const)('as files with %s: none is accepted that readers part over', (_, feed, last) => {
    const accepted: string[] = [];
    for (const vector of vectors) {
      if (vector.verdict === 'alike' || !canStandInFile(vector)) continue;
      const text = vector.text.replace(/(?:\r?\n)?$/, '').replace(/\r?\n/g, feed);
      const { frontmatter } = readFrontmatter(`---${feed}${text}${feed}---${last ? feed : ''}`);
      // Text that already mixes line ends is another document with one kind of them.
      if (frontmatter !== undefined && !vector.text.includes('\r')) accepted.push(vector.text);
    }
    expect(accepted).toEqual([]);
  });
});

test.each(["k: 'a''", 'k: "a\\"'])('a quote that only the end of the text closes: %s', (text) => {
  expect(readBlock(text).message).toMatch(/is not quoted correctly$/);
});

/** A line that begins with `---` ends the frontmatter of a file. */
function canStandInFile(vector: Vector): boolean {
  return !/^---/m.test(vector.text);
}
