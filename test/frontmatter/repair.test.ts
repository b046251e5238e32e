import { describe, expect, test } from 'vitest';
import { isYamlError } from '../../src/frontmatter/findings.ts';
import { judgeFrontmatter } from '../../src/frontmatter/judge.ts';
import { applyEdits } from '../../src/repair/edit.ts';
import { generateFrontmatters } from './generate.ts';
import { readVectors } from './vectors.ts';

/** Makes every repair that a judgement offers. */
function repair(text: string): string {
  return applyEdits(
    text,
    judgeFrontmatter(text).findings.flatMap(({ edits }) => edits ?? []),
  );
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
      'k: a: b',
      'k: |+\n  a',
      'allowed-tools:\n  # why\n  - Read\n  # and\n  - Grep',
      'metadata:\n  a: [b]',
      'k: a\nk: b',
      'k: {a:b}',
      'k: {a: 1,000}',
      'k: {2026-10-12, draft: v}',
      '<<: v',
      'k:\n  0: v\n  1: w',
      'k: |\n  1',
      'k: |\n  # a',
    ]) {
      const text = `${HEAD}${yaml}\n---\n`;
      expect(repair(text)).toBe(text);
    }
  });

  test('each that is offered by itself leaves fewer errors, in every vector and 2,000 random frontmatters', () => {
    const next = generateFrontmatters(20_270_105);
    const useless: (readonly [before: string, after: string])[] = [];
    let offered = 0;
    for (const yaml of [...readVectors().map(({ text }) => text), ...Array.from({ length: 2000 }, next)]) {
      const before = `${HEAD}${yaml.replace(/\r*\n?$/, '')}\n---\n`;
      const { findings } = judgeFrontmatter(before);
      for (const { problem, edits } of findings) {
        if (edits === undefined) continue;
        offered += 1;
        const after = applyEdits(before, edits);
        // Once the YAML is read, the rules of the fields can find more.
        const count = (list: typeof findings) =>
          list.filter(({ problem: { code } }) => isYamlError(code) || code === problem.code).length;
        if (count(judgeFrontmatter(after).findings) >= count(findings)) useless.push([before, after]);
      }
    }
    expect(useless).toEqual([]);
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
