import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CODES, type ProblemCode } from '../../src/problems.ts';
import { type Example, formatDocs, listTree } from '../docs.ts';
import {
  checkFixture,
  type Fixture,
  findCodes,
  makeInput,
  readFixtures,
  readGolden,
  runIn,
  writeGolden,
} from '../fixtures.ts';
import { makeTree } from '../tree.ts';

/** `npm run golden` writes what is expected anew: read the difference before it is committed. */
const IS_UPDATE = process.env['UPDATE'] === '1';

const HOME = fileURLToPath(new URL('../..', import.meta.url));
const DOCS = join(HOME, 'docs', 'problems.md');

const fixtures = readFixtures();
const examples = new Map<ProblemCode, Example>();

/** Compares with the file of the fixture, or writes it. */
function expectGolden(fixture: Fixture, name: string, text: string): void {
  if (IS_UPDATE) writeGolden(fixture, name, text);
  expect(text).toBe(readGolden(fixture, name));
}

/** What --fix has to be asked for beside what is always safe. */
const SIDES = ['name', 'folder', 'metadata'] as const;

describe.skipIf(process.platform === 'win32')('every golden folder', () => {
  test.each(fixtures)('$id', async (fixture) => {
    const folder = makeTree({});
    makeInput(fixture, folder);
    if (!examples.has(fixture.code)) examples.set(fixture.code, { fixture, folder, tree: listTree(folder) });
    const { status, stdout, stderr } = await checkFixture(fixture, folder);
    expect(findCodes(stdout)).toContain(fixture.code);
    expect([status === 0, stderr]).toEqual([!stdout.includes(': error: '), '']);
    expectGolden(fixture, 'check.txt', stdout);
    if (fixture.setting.removes !== undefined || fixture.setting.fails !== undefined) return;

    const diff = (await checkFixture(fixture, folder, ['--fix', '--dry-run'])).stdout;
    expectGolden(fixture, 'fix.diff', diff);
    expect((await checkFixture(fixture, folder)).stdout).toBe(stdout);
    for (const side of SIDES) {
      const other = (await checkFixture(fixture, folder, [`--fix=${side}`, '--dry-run'])).stdout;
      expectGolden(fixture, `fix-${side}.diff`, other === diff ? '' : other);
    }
    if (diff === '') return;
    const fixed = makeTree({});
    makeInput(fixture, fixed);
    await checkFixture(fixture, fixed, ['--fix']);
    const again = await checkFixture(fixture, fixed, ['--fix']);
    expect(again.stderr).toBe('nothing to repair\n');
    expect(findCodes(again.stdout)).not.toContain(fixture.code);
  });
});

describe('every code', () => {
  const codes = Object.keys(CODES) as ProblemCode[];

  test('has a golden folder with an explanation, and no folder has another', () => {
    expect([...new Set(fixtures.map(({ code }) => code))].sort()).toEqual([...codes].sort());
    const bare = codes.filter((code) => {
      const first = fixtures.find((fixture) => fixture.code === code);
      return first === undefined || !/^\S[\s\S]+\n\nRepair: \S/.test(readGolden(first, 'explain.md'));
    });
    expect(bare).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')(
    'has its section in docs/problems.md, which is made of the golden folders',
    () => {
      const docs = formatDocs(examples);
      if (IS_UPDATE) {
        mkdirSync(join(HOME, 'docs'), { recursive: true });
        writeFileSync(DOCS, docs);
      }
      expect(readFileSync(DOCS, 'utf8')).toBe(docs);
    },
  );

  test('is explained by check --explain', async () => {
    for (const code of codes) {
      const { status, stdout, stderr } = await runIn(HOME, ['check', '--explain', code]);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout.split('\n')[0]).toBe(code);
      expect(stdout).toContain('**Repair.** ');
      // an input, as a text or as a list of files
      expect(stdout).toMatch(/^(?:`skills\/\S+`|In a folder with|In an empty folder):$/m);
      expect(stdout).not.toMatch(/^##+ /m);
    }
  });
});
