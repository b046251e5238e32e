import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judgeSkillFile } from '../../src/judge/skill.ts';
import type { Problem } from '../../src/problems.ts';
import { makeInput, readFixtures, runIn } from '../fixtures.ts';
import { readVectors } from '../frontmatter/vectors.ts';
import { makeTree } from '../tree.ts';
import { followText } from './follow.ts';

/** A problem without its place, which a change further up can move. */
function toText({ code, path, message }: Problem): string {
  return `${code} ${path}: ${message.replace(/on line \d+/g, 'on line N')}`;
}

function count(problems: readonly Problem[], problem: Problem): number {
  return problems.filter((each) => toText(each) === toText(problem)).length;
}

describe('a hint that is followed literally mends its problem and makes no new one', () => {
  const skill = { uri: 'skill://x/SKILL.md', path: 'x', name: 'x', skillFile: 'SKILL.md', problems: [] };

  test('in every vector', () => {
    const wrong: unknown[] = [];
    let followed = 0;
    for (const { text } of readVectors()) {
      const before = `---\nname: x\ndescription: d\n${text.replace(/\r*\n?$/, '')}\n---\n`;
      const { problems } = judgeSkillFile(skill, Buffer.from(before));
      for (const problem of problems) {
        for (const after of followText(before, problem)) {
          followed += 1;
          const left = judgeSkillFile(skill, Buffer.from(after)).problems;
          // in the field itself, one fault can hide another
          const fields = findField(after, problem.line ?? 0);
          const fresh = left.filter((each) => count(problems, each) === 0 && !fields.has(each.line ?? 0));
          if (count(left, problem) >= count(problems, problem) || fresh.length > 0) {
            wrong.push([before, problem.hint, after, fresh.map(toText)]);
          }
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(followed).toBeGreaterThan(2500);
  });

  describe.skipIf(process.platform === 'win32')('in the golden folders', () => {
    // what vanishes while it is read is not there again
    const fixtures = readFixtures().filter(({ setting }) => setting.removes === undefined);
    test.each(fixtures)('$id', async (fixture) => {
      const check = async (folder: string, options: readonly string[] = []) => {
        const { roots = ['skills'], options: own = [] } = fixture.setting;
        const { stdout } = await runIn(folder, ['check', ...roots, ...own, ...options, '--format', 'json']);
        return (JSON.parse(stdout) as { problems: Problem[] }).problems;
      };
      const make = () => {
        const folder = makeTree({});
        makeInput(fixture, folder);
        return folder;
      };
      const problems = await check(make());
      for (const problem of problems) {
        const { hint = '' } = problem;
        const after: (readonly Problem[])[] = [];
        for (const [, option = ''] of hint.matchAll(/--exclude '((?:[^']|'\\'')+)'/g)) {
          after.push(await check(make(), ['--exclude', option.replaceAll("'\\''", "'")]));
        }
        const [root = 'skills'] = fixture.setting.roots ?? [];
        const toRoot = (folder: string) => join(folder, root.replace(/^[^=]*=/, ''));
        for (const change of toChanges(problem, () => toRoot(make()))) {
          const folder = make();
          change(toRoot(folder));
          after.push(await check(folder));
        }
        for (const left of after) {
          expect([hint, left.filter((each) => toText(each) === toText(problem)).map(toText)]).toEqual([hint, []]);
          const fresh = left.filter((each) => count(problems, each) === 0);
          expect([hint, fresh.map(toText)]).toEqual([hint, []]);
        }
      }
    });
  });
});

/** The changes of a folder that a hint asks for: a new name, a text in SKILL.md. */
function toChanges(problem: Problem, make: () => string): readonly ((root: string) => void)[] {
  const { path, hint = '', line } = problem;
  const [, name] =
    /(?:rename it|rename the folder|rename it to|or rename the folder) to "?([A-Za-z0-9._-]+)"?/.exec(hint) ?? [];
  const [, field] = /write "(name: [^"]+)" into its SKILL\.md/.exec(hint) ?? [];
  const changes: ((root: string) => void)[] = [];
  const toPaths = (root: string, to: string) => {
    const from = join(root, line === undefined ? path : dirname(path));
    return [from, join(dirname(from), to)] as const;
  };
  if (name !== undefined) {
    changes.push((root) => {
      const [from, to] = toPaths(root, name);
      renameSync(from, to);
      if (field !== undefined) writeName(join(to, 'SKILL.md'), field);
    });
  }
  if (line !== undefined && /skill\.md$/i.test(path)) {
    const file = join(make(), path);
    const ways = existsSync(file) && statSync(file).isFile() ? followText(readFileSync(file, 'utf8'), problem) : [];
    for (const after of ways) changes.push((root) => writeFileSync(join(root, path), after));
  }
  return changes;
}

function writeName(file: string, field: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^name:.*$/m, field));
}

/** The lines, from 1, of the top-level field that a line belongs to. */
function findField(text: string, line: number): ReadonlySet<number> {
  const lines = text.split('\n');
  const isStart = (at: number) => /^[^\s#-]/.test(lines[at - 1] ?? '');
  let from = line;
  while (from > 1 && !isStart(from)) from -= 1;
  let to = line;
  while (to < lines.length && !isStart(to + 1)) to += 1;
  return new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
}
