import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../src/catalog/problems.ts';
import { run } from './command.ts';
import { makeTree, skillMd } from './tree.ts';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

test('has no hole left to fill', () => {
  expect(README).not.toMatch(/^[A-Z]{4,}$/m);
});

test('is a page, not a book', () => {
  expect(README.split('\n').length).toBeLessThan(250);
});

test('names every problem code, as the table of codes has it', () => {
  const rows = README.match(/^\| \[`[a-z0-9-]+`\].*$/gm);
  expect(rows).toEqual(
    Object.entries(CODES).map(
      ([code, { severity, title }]) => `| [\`${code}\`](docs/problems.md#${code}) | ${severity} | ${title} |`,
    ),
  );
});

test('shows what check prints', async () => {
  const root = makeTree({
    'skills/code-review/SKILL.md': skillMd('code-review'),
    'skills/release-notes/SKILL.md':
      '---\nname: release-notes\ndescription: Write notes in two passes: gather, then edit.\nupdated: 2026-10-12\n---\n',
  });
  const { stdout } = await run(['check', './skills'], { cwd: root });
  expect(README).toContain(`$ npx mcp-server-skills check ./skills\n${stdout}\`\`\`\n`);
});

test('links to pages that are there', () => {
  for (const [, path] of README.matchAll(/\]\((?!https:)([^)#]+)/g)) {
    expect([path, readFileSync(join(ROOT, path ?? ''), 'utf8').length > 0]).toEqual([path, true]);
  }
});

test('names options that the command has', () => {
  const help = ['serve', 'check', 'list', 'config']
    .map((command) =>
      execFileSync(process.execPath, [join(ROOT, 'bin/mcp-server-skills.js'), command, '--help'], { encoding: 'utf8' }),
    )
    .join('\n');
  for (const [option] of README.matchAll(/(?<=[`\s])--[a-z]+(?:-[a-z]+)*/g)) {
    if (option === '--transport') continue; // of Claude Code
    expect(help).toContain(option);
  }
});
