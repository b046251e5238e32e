import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../command.ts';
import { commit, git, makeRepository } from '../sources/repository.ts';
import { makeTree, skillMd } from '../tree.ts';

const TREE = {
  'skills/notes/SKILL.md': skillMd('notes'),
  'skills/billing/refunds/SKILL.md': skillMd('refunds', 'Refunds.', 'See [it](a.md).\n'),
  'skills/billing/refunds/a.md': 'a',
};

/** All files below a folder, with their content. */
function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]));
}

test('writes a site, and the same again in its place', async () => {
  const cwd = makeTree(TREE);
  const wrote = { status: 0, stdout: 'wrote 16 files for 2 skills to out\n', stderr: '' };
  expect(await run(['site', 'skills', '--out', 'out'], { cwd })).toEqual(wrote);
  const first = readAll(join(cwd, 'out'));
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(['.mcp-server-skills-site', '.nojekyll', 'billing/refunds/index.html', 'index.html']),
  );
  expect(await run(['site', 'skills', '--out', 'out'], { cwd })).toEqual(wrote);
  expect(readAll(join(cwd, 'out'))).toEqual(first);
  expect(readdirSync(cwd).sort()).toEqual(['out', 'skills']);
});

test('what was published earlier and is no more is gone', async () => {
  const cwd = makeTree(TREE);
  await run(['site', 'skills', '--out', 'out'], { cwd });
  renameSync(join(cwd, 'skills', 'notes'), join(cwd, 'notes'));
  await run(['site', 'skills', '--out', 'out'], { cwd });
  expect(existsSync(join(cwd, 'out', 'notes'))).toBe(false);
  expect(existsSync(join(cwd, 'out', 'billing', 'refunds', 'index.html'))).toBe(true);
});

test('the page is of what list prints, and shows nothing of this machine', async () => {
  const cwd = makeTree(TREE);
  await run(['site', join(cwd, 'skills'), '--out', 'out'], { cwd });
  const files = readAll(join(cwd, 'out'));
  expect(files['catalog.json']).toBe((await run(['list', 'skills', '--json'], { cwd })).stdout);
  expect(Object.entries(files).filter(([, text]) => text.includes(cwd))).toEqual([]);
});

test('the lock is the one that lock writes, and a lock shows what changed since', async () => {
  const cwd = makeTree(TREE);
  await run(['lock', 'skills'], { cwd });
  await run(['site', 'skills', '--out', 'out', '--since', 'mcp-skills.lock.json'], { cwd });
  const unchanged = readAll(join(cwd, 'out'));
  expect(unchanged['mcp-skills.lock.json']).toBe(readFileSync(join(cwd, 'mcp-skills.lock.json'), 'utf8'));
  expect(unchanged['changes.html']).toContain(
    'Since <code>mcp-skills.lock.json</code>: no skill differs (2 compared).',
  );
  writeFileSync(join(cwd, 'skills', 'billing', 'refunds', 'a.md'), 'another text');
  renameSync(join(cwd, 'skills', 'notes'), join(cwd, 'notes'));
  await run(['site', 'skills', '--out', 'out', '--since', 'mcp-skills.lock.json'], { cwd });
  const { 'changes.html': changes = '', 'billing/refunds/index.html': refunds = '' } = readAll(join(cwd, 'out'));
  expect(changes).toContain('1 removed, 1 changed, 0 unchanged');
  expect(refunds).toContain('<td>a.md</td><td>changed</td><td>1 -&gt; 12 bytes, +11</td>');
  expect(refunds).toContain('Revokes approvals given to <code>sha256:');
  expect(await run(['site', 'skills', '--out', 'out', '--since', 'gone'], { cwd })).toMatchObject({ status: 3 });
});

describe('with a revision of the repository that holds the roots', () => {
  function makeHistory(): string {
    const cwd = makeRepository(TREE);
    git(cwd, 'tag', 'v1.2');
    writeFileSync(join(cwd, 'skills', 'billing', 'refunds', 'a.md'), 'another text');
    rmSync(join(cwd, 'skills', 'notes'), { recursive: true });
    commit(cwd);
    return cwd;
  }

  test.each([
    ['a folder', ['skills']],
    ['a prefix', ['team=skills']],
    ['a source', ['git:.#HEAD:skills']],
  ])('%s shows what changed since', async (_, roots) => {
    const cwd = makeHistory();
    const wrote = await run(['site', ...roots, '--out', 'out', '--since', 'v1.2'], { cwd });
    expect(wrote).toMatchObject({ status: 0, stderr: '' });
    const { 'changes.html': changes } = readAll(join(cwd, 'out'));
    expect(changes).toContain('Since <code>v1.2</code>: skills: 1 removed, 1 changed, 0 unchanged.');
  });

  test('a root of one skill, and a folder with the name of a tag, are as they are without', async () => {
    const cwd = makeHistory();
    await run(['site', 'skills/billing/refunds', '--out', 'out', '--since', 'HEAD~1'], { cwd });
    expect(readAll(join(cwd, 'out'))['changes.html']).toContain('skill: 1 changed, 0 unchanged.');
    cpSync(join(cwd, 'skills'), join(cwd, 'v1.2'), { recursive: true });
    await run(['site', 'skills', '--out', 'out', '--since', 'v1.2'], { cwd });
    expect(readAll(join(cwd, 'out'))['changes.html']).toContain('no skill differs');
  });

  test.each([
    ['gone', ['skills'], 'the root "skills": the repository has no commit "gone"'],
    ['HEAD:skills', ['skills'], 'the root "skills": the repository has no commit "HEAD:skills"'],
    ['v1.2', ['skill*'], 'the root "skill*" is a glob, and matches what is there now'],
  ])('"%s" of %o is refused', async (revision, roots, why) => {
    const stderr = `mcp-server-skills: --since "${revision}" is not a file or folder here, and is read as a Git revision, but ${why}\n`;
    const wrote = await run(['site', ...roots, '--out', 'out', '--since', revision], { cwd: makeHistory() });
    expect(wrote).toEqual({ status: 3, stdout: '', stderr });
  });
});

test('what has a secret, or is empty, is refused with what to change', async () => {
  const cwd = makeTree(TREE);
  const site = async (...options: string[]) =>
    (await run(['site', 'skills', '--out', 'out', ...options], { cwd })).stderr;
  expect(await site('--server', 'https://user:secret@skills.example.com/mcp')).toBe(
    'mcp-server-skills: --server: everybody reads the page, so leave the user out of the address\n',
  );
  expect(await site('--since', '')).toBe('mcp-server-skills: --since is empty: is a variable unset?\n');
  expect(existsSync(join(cwd, 'out'))).toBe(false);
});

test('a repository is what a site is compared with, and no page has its place on this machine', async () => {
  const cwd = makeRepository(TREE);
  writeFileSync(join(cwd, 'skills', 'billing', 'refunds', 'a.md'), 'another text');
  await run(['site', 'skills', '--out', 'out', '--since', `git:${cwd}#main:skills`], { cwd });
  const files = readAll(join(cwd, 'out'));
  expect(files['changes.html']).toContain(`Since <code>git:${basename(cwd)}#main:skills</code>: skills: 1 changed, `);
  expect(Object.entries(files).filter(([, text]) => text.includes(cwd))).toEqual([]);
});

test('with the address of a server, hosts are connected to it', async () => {
  const cwd = makeTree(TREE);
  const address = ['--server', 'https://skills.example.com/mcp', '--base-url', 'https://pages.example.com/team'];
  await run(['site', 'skills', '--out', 'out', '--title', 'Team "A" & B', ...address], { cwd });
  const {
    'install.html': install = '',
    'index.html': home = '',
    'notes/index.html': notes = '',
  } = readAll(join(cwd, 'out'));
  const config = Buffer.from('{"url":"https://skills.example.com/mcp"}').toString('base64');
  expect(install).toContain(
    `href="cursor://anysphere.cursor-deeplink/mcp/install?name=skills&amp;config=${encodeURIComponent(config)}"`,
  );
  expect(install).toContain('href="vscode:mcp/install?%7B%22name%22%3A%22skills%22%2C%22type%22%3A%22http%22');
  expect(install).toContain('npx mcp-server-skills config codex --url https://skills.example.com/mcp --write');
  expect(home).toContain('npx skills add https://pages.example.com/team\n'.trim());
  expect(home).toContain('<title>Team &quot;A&quot; &amp; B</title>');
  expect(notes).toContain('npx skills add https://pages.example.com/team --skill notes');
  expect(notes).toContain('<link rel="canonical" href="https://pages.example.com/team/notes/">');
});

test('shows what is wrong, and what is left out', async () => {
  const cwd = makeTree({
    ...TREE,
    'skills/bad/SKILL.md': skillMd('other'),
    'skills/notes/SKILL.md': skillMd('notes', 'N.', '[x](gone.md)\n'),
  });
  expect((await run(['site', 'skills', '--out', 'out'], { cwd })).status).toBe(1);
  expect(existsSync(join(cwd, 'out'))).toBe(false);
  expect((await run(['site', 'skills', '--out', 'out', '--invalid', 'skip'], { cwd })).status).toBe(0);
  const { 'problems.html': problems = '', 'notes/index.html': notes = '' } = readAll(join(cwd, 'out'));
  expect(problems).toContain('name-mismatch');
  expect(problems).toContain('broken-link');
  expect(notes).toContain('the link &quot;gone.md&quot; does not lead to a file of the skill');
});

describe('a folder that a site cannot take the place of stays as it was', () => {
  test.each<[string, (cwd: string) => void, RegExp]>([
    [
      'holds something else',
      (cwd) => writeFileSync(join(cwd, 'out', 'mine.txt'), 'x'),
      /"out" is not empty, and no site was written there before/,
    ],
    ['is a file', (cwd) => renameSync(join(cwd, 'skills', 'notes', 'SKILL.md'), join(cwd, 'out', 'x')), /is not empty/],
  ])('%s', async (_, prepare, message) => {
    const cwd = makeTree({ ...TREE, out: { folder: true } });
    prepare(cwd);
    const before = readAll(cwd);
    const { status, stderr } = await run(['site', 'skills', '--out', 'out'], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
    expect(readAll(cwd)).toEqual(before);
  });

  test('a file that somebody added to an earlier site', async () => {
    const cwd = makeTree(TREE);
    await run(['site', 'skills', '--out', 'out'], { cwd });
    writeFileSync(join(cwd, 'out', 'notes', 'CNAME'), 'skills.example.com');
    const before = readAll(cwd);
    const { status, stderr } = await run(['site', 'skills', '--out', 'out'], { cwd });
    expect([status, stderr]).toEqual([
      2,
      'mcp-server-skills: "out" holds "notes/CNAME", which no earlier run wrote, and which would be lost: move it out\n',
    ]);
    expect(readAll(cwd)).toEqual(before);
  });

  test.each([
    ['inside a root', 'skills/site'],
    ['a root itself', 'skills'],
    ['around a root', '.'],
  ])('%s', async (_, out) => {
    const cwd = makeTree(TREE);
    const { status } = await run(['site', 'skills', '--out', out], { cwd });
    expect([status, Object.keys(readAll(cwd))]).toEqual([2, Object.keys(TREE).sort()]);
  });

  test('a folder that cannot be made', async () => {
    const cwd = makeTree({ ...TREE, file: '' });
    const { status, stderr } = await run(['site', 'skills', '--out', 'file/out'], { cwd });
    expect([status, stderr]).toEqual([3, 'mcp-server-skills: "file/out" cannot be written: ENOTDIR\n']);
  });
});

test('a link to a folder is followed, and stays', async () => {
  const cwd = makeTree(TREE);
  mkdirSync(join(cwd, 'real'));
  symlinkSync('real', join(cwd, 'out'));
  expect((await run(['site', 'skills', '--out', 'out'], { cwd })).status).toBe(0);
  expect(existsSync(join(cwd, 'real', 'index.html'))).toBe(true);
});

describe('refuses', () => {
  test.each([
    ['no folder', ['site', 'skills'], "required option '--out <dir>' not specified"],
    [
      'an address that is none',
      ['--server', 'skills.example.com'],
      '"skills.example.com" is not the address of a server',
    ],
    ['a token in an address', ['--server', 'https://x:y@skills.example.com/mcp'], 'leave the user out of the address'],
    ['a query', ['--server', 'https://skills.example.com/mcp?key=x'], 'everybody reads the page'],
    ['an empty title', ['--title', ' '], '--title is empty'],
  ])('%s', async (_, args, message) => {
    const cwd = makeTree(TREE);
    const full = args[0] === 'site' ? args : ['site', 'skills', '--out', 'out', ...args];
    const { status, stderr } = await run(full, { cwd });
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
