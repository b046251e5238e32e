import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSkills } from '../src/index.ts';
import { LOCK_FILE } from '../src/lock/filename.ts';
import { formatLock, toLock } from '../src/lock/lockfile.ts';
import { CODES } from '../src/problems.ts';
import { CHECKS } from '../src/verify/checks.ts';
import { BIN, run, start } from './command.ts';
import { makeTree, skillMd } from './tree.ts';

const ROOT = join(import.meta.dirname, '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** What people read, but for the page that is made of golden files. */
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'problems.md')
    .map((name) => `docs/${name}`),
];

/** The options of the command, and those of Claude Code, Gemini CLI, esbuild, npm, and what signs and comments. */
const OPTIONS = new Set([
  ...['serve', 'check', 'list', 'config', 'lock', 'diff', 'site', 'verify', 'pull', 'policy explain'].flatMap(
    (command) => {
      const help = execFileSync(process.execPath, [BIN, ...command.split(' '), '--help'], { encoding: 'utf8' });
      return [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
    },
  ),
  ...['--transport', '--skip-trust', '--bundle', '--platform', '--outfile', '--banner', '--global'],
  ...['--ref', '--root', '--link', '--period', '--one-time'],
  ...['--edit-last', '--create-if-none', '--body-file', '--repo'],
]);

test('is a page, not a book', () => {
  expect(README.split('\n').length).toBeLessThan(180);
});

test('shows the first run as text, as the picture shows it', () => {
  const run = readFileSync(join(ROOT, 'docs', 'first-run.txt'), 'utf8');
  expect(README.match(/^```console\n(.*?)^```$/ms)?.[1]).toBe(run);
});

test('docs/problems.md has a row for every problem code', () => {
  const rows = readFileSync(join(ROOT, 'docs', 'problems.md'), 'utf8').match(/^\| \[`[a-z0-9-]+`\].*$/gm);
  expect(rows).toEqual(
    Object.entries(CODES).map(([code, { severity, title }]) => `| [\`${code}\`](#${code}) | ${severity} | ${title} |`),
  );
});

test('docs/verify.md has a row for every code of verify', () => {
  const rows = readFileSync(join(ROOT, 'docs', 'verify.md'), 'utf8').match(/^\| `[a-z-]+` \| (?:error|warning) .*$/gm);
  expect(rows).toEqual(
    Object.entries(CHECKS).map(([code, { severity, title }]) => `| \`${code}\` | ${severity} | ${title} |`),
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

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  test('links to pages and headings that are there', () => {
    for (const [, path = '', anchor = ''] of text.matchAll(/\]\((?!https:)([^)#]*)#?([^)]*)\)/g)) {
      const target = path === '' ? page : join(dirname(page), path);
      const linked = readFileSync(join(ROOT, target), 'utf8');
      expect([target, linked.length > 0]).toEqual([target, true]);
      if (anchor !== '') expect([target, toAnchors(linked)]).toEqual([target, expect.arrayContaining([anchor])]);
    }
  });

  test('names options that the command has', () => {
    const named = [...text.matchAll(/(?<=[`\s])--[a-z]+(?:-[a-z]+)*/g)].map(([option]) => option);
    expect(named.filter((option) => !OPTIONS.has(option))).toEqual([]);
  });
});

/** The anchors of the headings of a page, as GitHub makes them. */
function toAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('every command runs', () => {
  const commands = ['README.md', 'docs/check.md', 'docs/config.md', 'docs/lock.md', 'docs/serve.md'].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ {4}(?:npx )?mcp-server-skills (.+?)(?: {2,}#.*)?$/gm)].map(
      ([, args = '']) => args,
    ),
  );

  test('there are some', () => {
    expect(commands.length).toBeGreaterThan(12);
  });

  test.each([...new Set(commands)])('mcp-server-skills %s', async (line) => {
    const root = makeTree({
      'project/skills/a/SKILL.md': skillMd('a'),
      'home/file': '',
      'project/tokens': 'alice:0123456789abcdef\n',
    });
    chmodSync(join(root, 'project', 'tokens'), 0o600);
    const locked = await loadSkills(join(root, 'project', 'skills'));
    writeFileSync(join(root, 'project', LOCK_FILE), formatLock(toLock(locked)));
    const home = join(root, 'home');
    const options = { cwd: join(root, 'project'), env: { HOME: home, USERPROFILE: home, APPDATA: home } };
    const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);
    if (!args.includes('--http')) {
      expect(await run(args, options)).toEqual({ status: 0, stdout: expect.any(String), stderr: expect.any(String) });
      return;
    }
    // another port than the one that may be taken
    const child = start(
      args.map((each) => each.replace(/3000$/, '0')),
      options,
    );
    const { stderr } = child;
    let said = '';
    for await (const chunk of stderr ?? []) {
      said += chunk;
      if (said.includes('/mcp')) child.kill();
    }
    expect(said).toMatch(/http:\/\/\S+\/mcp/);
  });
});
