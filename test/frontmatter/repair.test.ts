import { describe, expect, test } from 'vitest';
import { judgeFrontmatter } from '../../src/judge/document.ts';
import type { Problem } from '../../src/problems.ts';
import { editSkillFile } from '../../src/repair/edit.ts';
import { applyEdits } from '../../src/yaml/edits.ts';
import type { TextEdit } from '../../src/yaml/findings.ts';
import { generateFrontmatters } from './generate.ts';
import { readVectors } from './vectors.ts';

const SKILL = { uri: 'skill://x/SKILL.md', path: 'x', name: 'x', skillFile: 'SKILL.md', problems: [] };

/** Makes every repair that needs no side. */
function repair(text: string): string | undefined {
  return editSkillFile(SKILL, text, ({ side }) => side === undefined)?.text;
}

const HEAD = '---\nname: x\ndescription: d\n';

const REPAIRS: readonly (readonly [title: string, before: string, after: string])[] = [
  [
    'words, dates and numbers are quoted',
    `${HEAD}a: yes # c\nb: [2026-10-12, 1e3]\n---\n`,
    `${HEAD}a: "yes" # c\nb: ["2026-10-12", "1e3"]\n---\n`,
  ],
  [
    'CRLF stays',
    '---\r\nname: x\r\ndescription: d\r\na: off\r\n---\r\n',
    '---\r\nname: x\r\ndescription: d\r\na: "off"\r\n---\r\n',
  ],
  ['keys are quoted', `${HEAD}on: a\n1: b\n---\n`, `${HEAD}"on": a\n"1": b\n---\n`],
  [
    'blanks before the colon of a key that is quoted go',
    `${HEAD}true : a\n~\t: b\n-x  : c\nl:\n- d\n-y : e\n---\n`,
    `${HEAD}"true": a\n"~": b\n-x  : c\nl:\n- d\n"-y": e\n---\n`,
  ],
  [
    'text with quotes and backslashes is quoted',
    `${HEAD}k: [a\\b, a:"b", it's\\]\n---\n`,
    `${HEAD}k: ['a\\b', 'a:"b"', "it's\\\\"]\n---\n`,
  ],
  ['the last text loses its line end', `${HEAD}k: | # c\n  a\n\n  b\n---\n`, `${HEAD}k: |- # c\n  a\n\n  b\n---\n`],
  [
    'metadata becomes text',
    `${HEAD}metadata:\n  version: 1.0\n  day: 2026-03-05\n  ok: true\n---\n`,
    `${HEAD}metadata:\n  version: "1.0"\n  day: "2026-03-05"\n  ok: "true"\n---\n`,
  ],
  [
    'a list of tools becomes text',
    `${HEAD}allowed-tools: [Read, Bash(git *)] # c\n---\n`,
    `${HEAD}allowed-tools: "Read Bash(git *)" # c\n---\n`,
  ],
  [
    'lines of tools become text',
    `${HEAD}allowed-tools:\n  - Read\n  - Grep\nlicense: MIT\n---\n`,
    `${HEAD}allowed-tools: "Read Grep"\nlicense: MIT\n---\n`,
  ],
  ['a byte order mark goes', `\ufeff${HEAD}---\n`, `${HEAD}---\n`],
  ['blanks beside the fences go', '--- \nname: x\ndescription: d\n---\t \nText\n', `${HEAD}---\nText\n`],
  [
    'a byte order mark and a later repair',
    `\ufeff--- \nname: x\ndescription: d\nk: no\n---\n`,
    `${HEAD}k: "no"\n---\n`,
  ],
  [
    'a quote is closed, and what follows it is read',
    '---\nname: x\ndescription: "Ships it\nlicense: "MIT"\nday: 2026-01-01\n---\n',
    '---\nname: x\ndescription: "Ships it"\nlicense: "MIT"\nday: "2026-01-01"\n---\n',
  ],
  [
    'quotes over lines are joined as their parsers do',
    `---\r\nname: x\r\ndescription: 'Ships\r\n  it''s\r\n\r\n  here'\r\nk: "a\\tb\r\n  c"\r\n---\r\n`,
    `---\r\nname: x\r\ndescription: >-\r\n  Ships\r\n  it's\r\n\r\n  here\r\nk: "a\\tb c"\r\n---\r\n`,
  ],
  [
    'text over lines moves below its key',
    '---\nname: x\ndescription: d\nk: a\n  - b\n  c d\nm:\n  a\n  - b\n  c\n---\n',
    '---\nname: x\ndescription: d\nk: >-\n  a\n  - b\n  c d\nm: >-\n  a\n  - b\n  c\n---\n',
  ],
  [
    'prose with a colon moves below its key',
    '---\nname: x\ndescription: Use when: a\n  b: c\n\n  - d\nlicense: MIT\n---\n',
    '---\nname: x\ndescription: >-\n  Use when: a\n  b: c\n\n  - d\nlicense: MIT\n---\n',
  ],
  [
    'text is indented below its key',
    '---\nname: x\ndescription: >-\nDoes things: well.\n\nMore of it.\nlicense: MIT\n---\n',
    '---\nname: x\ndescription: >-\n  Does things: well.\n\n  More of it.\nlicense: MIT\n---\n',
  ],
  [
    'text is put below its key',
    '---\nname: x\ndescription:\nDoes things well.\nlicense: MIT\n---\n',
    '---\nname: x\ndescription: >-\n  Does things well.\nlicense: MIT\n---\n',
  ],
  [
    'fields begin in the first column',
    '---\n  name: x\n  description: d\n  k:\n    - a\n---\n',
    '---\nname: x\ndescription: d\nk:\n  - a\n---\n',
  ],
  [
    'a field that is indented too far goes back',
    '---\nname: x\ndescription: d\n k: a\n l: b\n---\n',
    '---\nname: x\ndescription: d\nk: a\nl: b\n---\n',
  ],
  [
    'a colon is put after its field',
    '---\nname x\ndescription:d\nlicense: MIT\n---\n',
    '---\nname: x\ndescription: d\nlicense: MIT\n---\n',
  ],
  ['a misspelled field is written right', '---\nnmae: x\nDescription: d\n---\n', '---\nname: x\ndescription: d\n---\n'],
  [
    'a fence that is glued to a field',
    '---name: x\r\ndescription: d\r\n---\r\n',
    '---\r\nname: x\r\ndescription: d\r\n---\r\n',
  ],
  [
    'a fence that is glued to the text',
    '---\nname: x\ndescription: d\n---# Text\n',
    '---\nname: x\ndescription: d\n---\n# Text\n',
  ],
  [
    'a fence of more dashes',
    '---\nname: x\ndescription: d\n-----\nText\n',
    '---\nname: x\ndescription: d\n---\nText\n',
  ],
  [
    'a fence that is missing at the top',
    'name: x\ndescription: d\n---\nText\n',
    '---\nname: x\ndescription: d\n---\nText\n',
  ],
  [
    'empty lines before the fence go',
    '\n \n---\nname: x\ndescription: d\n---\n',
    '---\nname: x\ndescription: d\n---\n',
  ],
  [
    'two carriage returns become a line feed',
    '---\r\r\nname: x\r\r\ndescription: d\r\r\n---\r\r\nText\r\r\n',
    '---\nname: x\ndescription: d\n---\nText\n',
  ],
  [
    'carriage returns alone become line feeds',
    '---\rname: x\rdescription: d\r---\rText\r',
    '---\nname: x\ndescription: d\n---\nText\n',
  ],
  [
    'blanks of a text below a header go',
    '---\nname: x\ndescription: d\nk: |\n  a\n    \n  b  \n---\n',
    '---\nname: x\ndescription: d\nk: |-\n  a\n\n  b\n---\n',
  ],
  [
    'surrogate pairs become characters',
    `${HEAD}k: "a \\ud83d\\ude80 \\/ b"\n---\n`,
    `${HEAD}k: "a \u{1f680} / b"\n---\n`,
  ],
];

describe('repairs', () => {
  test.each(REPAIRS)('%s', (_, before, after) => {
    expect(repair(before)).toBe(after);
    const { findings, frontmatter } = judgeFrontmatter(after);
    expect(findings).toEqual([]);
    expect(frontmatter).toBeDefined();
  });

  test('what has no single repair offers none', () => {
    for (const yaml of [
      'allowed-tools:\n  # why\n  - Read\n  # and\n  - Grep',
      'metadata:\n  a: [b]',
      'k: a\nk: b',
      'k: - a',
      'k: {a: 1,000}',
      'k: {2026-10-12, draft: v}',
      '<<: v',
      'k:\n  0: v\n  1: w',
      'k: |-\n  # a\n  # b',
      'k: |-\n  a\tb',
      'k: |2\n   a\nz: b',
      'k: &a b',
      'description:',
    ]) {
      const text = `${HEAD}${yaml}\n---\n`;
      expect(repair(text)).toBe(text);
    }
  });

  test('each that is offered by itself mends its problem, in every vector and 2,000 random frontmatters, and makes no other in the vectors', () => {
    const next = generateFrontmatters(20_270_105);
    const useless: (readonly [before: string, after: string, problem: string, others: readonly string[]])[] = [];
    let offered = 0;
    const vectors = readVectors().map(({ text }) => text);
    for (const [at, yaml] of [...vectors, ...Array.from({ length: 2000 }, next)].entries()) {
      const before = `${HEAD}${yaml.replace(/\r*\n?$/, '')}\n---\n`;
      const { findings } = judgeFrontmatter(before);
      const known = findings.map(({ problem }) => toText(problem));
      for (const { problem, edits } of findings) {
        if (edits === undefined) continue;
        offered += 1;
        const after = applyEdits(before, edits);
        const left = judgeFrontmatter(after).findings.map((finding) => finding.problem);
        // in the field itself, one fault can hide another
        const lines = findEditedFields(before, after, edits);
        const others = left.filter(({ line = 0 }) => !lines.has(line)).map(toText);
        // a quote that a random text never closes hides all that follows
        const fresh = at < vectors.length ? others.filter((text) => !known.includes(text)) : [];
        const isLeft = count(left.map(toText), toText(problem)) >= count(known, toText(problem));
        if (isLeft || fresh.length > 0) useless.push([before, after, toText(problem), fresh]);
      }
    }
    expect(useless.slice(0, 5)).toEqual([]);
    expect(offered).toBeGreaterThan(2500);
  });

  test('bytes that do not decode offer none', () => {
    const { findings, text } = judgeFrontmatter(
      Buffer.concat([Buffer.from(`${HEAD}k: yes\nl: `), Buffer.of(0xe9), Buffer.from('\n---\n')]),
    );
    expect(text).toBeUndefined();
    expect(findings.map(({ problem, edits }) => [problem.code, edits])).toEqual([
      ['yaml-ambiguous', undefined],
      ['not-utf8', undefined],
    ]);
  });
});

function count(list: readonly string[], text: string): number {
  return list.filter((each) => each === text).length;
}

/** A problem without its place, which a repair further up can move. */
function toText({ code, message }: Problem): string {
  return `${code}: ${message.replace(/on line \d+/g, 'on line N')}`;
}

/** The lines of the repaired text, from 1, of the top-level fields that its edits touch. */
function findEditedFields(before: string, after: string, edits: readonly TextEdit[]): ReadonlySet<number> {
  const edited = findEditedLines(before, edits);
  const fields = new Set<number>();
  let field: number[] = [];
  after.split('\n').forEach((line, at) => {
    if (/^[^\s#-]/.test(line)) field = [];
    field.push(at + 1);
    if (field.some((number) => edited.has(number))) for (const number of field) fields.add(number);
  });
  return fields;
}

function findEditedLines(before: string, edits: readonly TextEdit[]): ReadonlySet<number> {
  const lines = new Set<number>();
  let grown = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    const first = before.slice(0, start).split('\n').length + grown;
    const added = text.split('\n').length - 1;
    for (let line = first; line <= first + added; line += 1) lines.add(line);
    grown += added - (before.slice(start, end).split('\n').length - 1);
  }
  return lines;
}
