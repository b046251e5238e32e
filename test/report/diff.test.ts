import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { afterAll, describe, expect, it } from 'vitest';
import { formatDiff } from '../../src/report/patch.ts';

const path = 'skills/a/SKILL.md';
const lines = [
  '---',
  'name: a',
  'description: d',
  'version: 1.10',
  'enabled: yes',
  '---',
  '# A',
  'text',
  'more',
  'end',
];
const before = `${lines.join('\n')}\n`;
const after = before.replace('enabled: yes', 'enabled: "yes"');

it('shows what changes with three lines around it', () => {
  expect(
    formatDiff({ path, text: before }, { path, text: after }),
  ).toBe(`diff --git a/skills/a/SKILL.md b/skills/a/SKILL.md
--- a/skills/a/SKILL.md
+++ b/skills/a/SKILL.md
@@ -2,7 +2,7 @@
 name: a
 description: d
 version: 1.10
-enabled: yes
+enabled: "yes"
 ---
 # A
 text
`);
});

it('is empty where nothing changes', () => {
  expect(formatDiff({ path, text: before }, { path, text: before })).toBe('');
});

it('keeps CRLF and says where the last line is open', () => {
  expect(formatDiff({ path, text: 'a: yes\r\nb' }, { path, text: 'a: "yes"\r\nb' })).toBe(
    'diff --git a/skills/a/SKILL.md b/skills/a/SKILL.md\n--- a/skills/a/SKILL.md\n+++ b/skills/a/SKILL.md\n@@ -1,2 +1,2 @@\n-a: yes\r\n+a: "yes"\r\n b\n\\ No newline at end of file\n',
  );
});

it('shows a new name as a rename', () => {
  expect(formatDiff({ path: 'a/skill.md', text: before }, { path: 'a/SKILL.md', text: before })).toBe(
    'diff --git a/a/skill.md b/a/SKILL.md\nrename from a/skill.md\nrename to a/SKILL.md\n',
  );
  expect(formatDiff({ path: 'a/skill.md', text: 'x\n' }, { path: 'a/SKILL.md', text: 'y\n' })).toBe(
    'diff --git a/a/skill.md b/a/SKILL.md\nrename from a/skill.md\nrename to a/SKILL.md\n' +
      '--- a/a/skill.md\n+++ b/a/SKILL.md\n@@ -1,1 +1,1 @@\n-x\n+y\n',
  );
});

it('closes a path with a space, and leaves such lines of the texts alone', () => {
  const side = { path: 'my skills/a.md' };
  expect(formatDiff({ ...side, text: '-- a b\n' }, { ...side, text: '++ a b\n' })).toBe(
    'diff --git a/my skills/a.md b/my skills/a.md\n--- a/my skills/a.md\t\n+++ b/my skills/a.md\t\n@@ -1,1 +1,1 @@\n--- a b\n+++ a b\n',
  );
});

it('escapes what is hidden when asked to', () => {
  const text = formatDiff(
    { path, text: '\ufeffa:\t\u001b[31myes\r\n' },
    { path, text: 'a:\t\u202eyes\r\n' },
    { escape: true },
  );
  expect(text).toBe(
    `diff --git a/skills/a/SKILL.md b/skills/a/SKILL.md\n--- a/skills/a/SKILL.md\n+++ b/skills/a/SKILL.md\n@@ -1,1 +1,1 @@\n${String.raw`-\u{feff}a:`}\t${String.raw`\u{1b}[31myes`}\r\n+a:\t${String.raw`\u{202e}yes`}\r\n`,
  );
});

const many = (text: string) => Array.from({ length: 1500 }, (_, at) => `${text}${at}`).join('\n');

describe('what is printed can be applied', () => {
  const folder = mkdtempSync(join(tmpdir(), 'skills-diff-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const tools = [
    { command: 'patch', args: ['--binary', '-p1'] },
    { command: 'git', args: ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn'] },
  ].filter(({ command }) => spawnSync(command, ['--version']).status === 0);
  const long = Array.from({ length: 400 }, (_, at) => `line ${at}`);
  const cases: [string, string, string][] = [
    ['one line', before, after],
    ['CRLF', before.replaceAll('\n', '\r\n'), after.replaceAll('\n', '\r\n')],
    ['an open last line', before.trimEnd(), after.trimEnd()],
    ['the last line closed', before.trimEnd(), before],
    ['a byte order mark removed', `\ufeff${before}`, before],
    ['two places far apart', long.join('\n'), long.with(3, 'x').with(390, 'y\u2028z').toSpliced(200, 2).join('\n')],
    ['an old Mac line break inside', 'a\rb\nc\n', 'a\rB\nc\n'],
    ['more lines than are compared', `${many('a')}\n`, many('b')],
  ];

  it.each(cases)('%s', (_, old, fresh) => {
    const side = { path: 'my skill.md' };
    const patch = formatDiff({ ...side, text: old }, { ...side, text: fresh });
    expect(applyPatch(old, patch, { autoConvertLineEndings: false })).toBe(fresh);
    for (const { command, args } of tools) {
      writeFileSync(join(folder, side.path), old);
      const run = spawnSync(command, args, { cwd: folder, input: patch, encoding: 'utf8' });
      expect({ command, status: run.status, error: run.stderr }).toEqual({ command, status: 0, error: '' });
      expect(readFileSync(join(folder, side.path), 'utf8')).toBe(fresh);
    }
  });

  it.each([
    ['one that is created', undefined, 'a\nb\n'],
    ['one that is created, of many lines', undefined, many('a')],
    ['one that is removed', 'a\nb', undefined],
    ['an empty one', undefined, ''],
  ])('%s', (_, old, fresh) => {
    const [before, after] = [old, fresh].map((text) => (text === undefined ? undefined : { path: 'new.md', text }));
    const patch = formatDiff(before, after);
    for (const { command, args } of tools) {
      const file = join(folder, 'new.md');
      rmSync(file, { force: true });
      if (old !== undefined) writeFileSync(file, old);
      const { status, stderr } = spawnSync(command, args, { cwd: folder, input: patch, encoding: 'utf8' });
      expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
      expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(fresh);
    }
  });
});
