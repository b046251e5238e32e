import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect, type Outcome, start } from '../command.ts';
import { runIn } from '../fixtures.ts';
import { makeTree, skillMd } from '../tree.ts';
import { commit, GIT_ENV, git, makeRepository } from './repository.ts';

const run = (cwd: string, ...args: string[]): Promise<Outcome> => runIn(cwd, args, GIT_ENV as Record<string, string>);

/** The skills that a root has, by URI with the content of each file. */
async function read(cwd: string, root: string, ...more: string[]): Promise<Record<string, string>> {
  const { status, stdout, stderr } = await run(cwd, 'list', root, '--bytes', ...more);
  expect([status, stderr]).toEqual([0, '']);
  const { files } = JSON.parse(stdout) as { files: Record<string, string> };
  return Object.fromEntries(
    Object.entries(files).map(([uri, content]) => [uri, Buffer.from(content, 'base64').toString('latin1')]),
  );
}

describe('a repository', () => {
  test('gives the bytes of its objects, not those of a checkout', async () => {
    const repo = makeRepository({
      '.gitattributes': '* text=auto eol=crlf\n*.raw -text\n*.id ident\n',
      'skills/a/SKILL.md': skillMd('a'),
      'skills/a/x.id': '$Id$\n',
      'skills/a/x.raw': 'one\r\ntwo\n',
    });
    rmSync(join(repo, 'skills'), { recursive: true });
    git(repo, 'checkout', '--', '.');
    // the checkout has other bytes, and half-written ones
    expect(readFileSync(join(repo, 'skills/a/SKILL.md'), 'utf8')).toContain('\r\n');
    expect(readFileSync(join(repo, 'skills/a/x.id'), 'utf8')).toMatch(/^\$Id: /);
    writeFileSync(join(repo, 'skills/a/SKILL.md'), 'half');
    expect(await read(repo, 'git:.')).toEqual({
      'skill://a/SKILL.md': skillMd('a'),
      'skill://a/x.id': '$Id$\n',
      'skill://a/x.raw': 'one\r\ntwo\n',
    });
    expect(git(repo, 'status', '--porcelain')).toBe('M skills/a/SKILL.md');
  });

  test('is served at a branch, a tag, a hash, and what git makes of one', async () => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a', 'One.') });
    const first = git(repo, 'rev-parse', 'HEAD');
    git(repo, 'tag', '--annotate', '--message', 'x', 'v1');
    commit(repo, { 'a/SKILL.md': skillMd('a', 'Two.') });
    const [one, two] = ['One.', 'Two.'].map((text) => ({ 'skill://a/SKILL.md': skillMd('a', text) }));
    for (const [root, skills] of [
      ['git:.', two],
      ['git:.#main', two],
      ['git:.#v1', one],
      [`git:.#${first}`, one],
      [`git:.#${first.slice(0, 8)}`, one],
      ['git:.#HEAD~1', one],
      [`git:${repo}`, two],
    ] as const) {
      expect(await read(repo, root)).toEqual(skills);
    }
    const { stdout } = await run(repo, 'list', 'x=git:.#v1', '--json');
    expect(JSON.parse(stdout).sources).toEqual([{ root: 'git:.#v1', revision: first }]);
    expect((await run(repo, 'list', 'git:.#v1')).stdout).toContain(`\nfrom git:.#v1 (${first})\n`);
  });

  test('may be bare, shallow, another work tree, or around the working directory', async () => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a'), 'deep/er/x': 'x' });
    const outside = makeTree({});
    git(outside, 'clone', '--quiet', '--bare', repo, 'bare.git');
    git(outside, 'clone', '--quiet', '--depth=1', `file://${repo}`, 'shallow');
    git(repo, 'worktree', 'add', '--quiet', '--detach', join(outside, 'tree'));
    for (const root of ['git:bare.git', 'git:shallow', 'git:tree']) {
      expect(await read(outside, root)).toEqual({ 'skill://a/SKILL.md': skillMd('a') });
    }
    expect(await read(join(repo, 'deep/er'), 'git:.')).toEqual({ 'skill://a/SKILL.md': skillMd('a') });
  });

  test('has the folder that is named, else skills, where the top has none', async () => {
    const top = makeRepository({ 'a/SKILL.md': skillMd('a'), 'skills/b/SKILL.md': skillMd('b') });
    expect(Object.keys(await read(top, 'git:.'))).toEqual(['skill://a/SKILL.md', 'skill://skills/b/SKILL.md']);
    expect(Object.keys(await read(top, 'git:.:skills'))).toEqual(['skill://b/SKILL.md']);
    const below = makeRepository({ 'docs/x.md': 'x', 'skills/g/b/SKILL.md': skillMd('b') });
    expect(Object.keys(await read(below, 'git:.'))).toEqual(['skill://g/b/SKILL.md']);
    const one = makeRepository({ 'SKILL.md': skillMd('whole'), 'x.md': 'x' });
    expect(Object.keys(await read(one, 'git:.'))).toEqual(['skill://whole/SKILL.md', 'skill://whole/x.md']);
  });

  test('is judged by the rules of a folder, and problems point into it', async () => {
    const repo = makeRepository({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/a/link.md': { link: 'SKILL.md' },
      'skills/a/model.bin': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 5\n`,
      'skills/b/SKILL.md': skillMd('c'),
      'skills/d/SKILL.md': skillMd('d'),
      'skills/d/x y.md': 'x',
      'skills/d/.env': 'hidden',
      'skills/e/SKILL.md': skillMd('e'),
      'skills/e/new\nline.md': 'x',
    });
    git(repo, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},skills/e/vendor`);
    git(repo, 'commit', '--quiet', '--message', 'b');
    const { status, stdout } = await run(repo, 'check', 'git:.', '--format', 'json');
    const { problems } = JSON.parse(stdout) as { problems: { code: string; path: string; severity: string }[] };
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect([status, errors.map(({ code, path }) => `${code} ${path}`)]).toEqual([
      1,
      [
        'symlink a/link.md',
        'lfs-pointer a/model.bin',
        'name-mismatch b/SKILL.md',
        'path-characters d/x y.md',
        'path-characters e/new\nline.md',
        'submodule e/vendor',
      ],
    ]);
    const pretty = (await run(repo, 'check', 'git:.#main')).stdout;
    expect(pretty).toMatch(/^git:\.#main:skills:b\/SKILL\.md:2:7: error: /m);
    expect(pretty).not.toContain('--fix');
    const fixed = await run(repo, 'check', 'git:.', '--fix');
    expect([fixed.status, fixed.stderr]).toEqual([
      2,
      'mcp-server-skills: --fix repairs folders, and "git:.:skills" is not one\n',
    ]);
    expect(
      await read(
        repo,
        'git:.',
        '--exclude',
        'link.md',
        '--exclude',
        'model.bin',
        '--exclude',
        'b',
        '--exclude',
        '[de]',
      ),
    ).toEqual({
      'skill://a/SKILL.md': skillMd('a'),
    });
  });

  test('reads thousands of files, of any size, in one go', async () => {
    const big = Buffer.alloc(3 * 1024 * 1024, 'x');
    const many = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`s-${at}/SKILL.md`, skillMd(`s-${at}`)]));
    const repo = makeRepository({
      ...many,
      's-1/big.bin': big,
      's-1/empty': '',
      's-2/nul.bin': Buffer.from([0, 10, 0]),
    });
    const files = await read(repo, 'git:.');
    expect(Object.keys(files)).toHaveLength(403);
    expect([files['skill://s-1/big.bin']?.length, files['skill://s-1/empty'], files['skill://s-2/nul.bin']]).toEqual([
      big.length,
      '',
      '\0\n\0',
    ]);
  });

  test.each([
    ['git:.#nope', 'root-missing', 'the repository has no commit "nope"'],
    ['git:.#--upload-pack=touch hacked', 'root-missing', 'the repository has no commit "--upload-pack=touch hacked"'],
    ['git:.#--output=hacked', 'root-missing', 'the repository has no commit "--output=hacked"'],
    ['git:.#main:nope', 'root-missing', 'has no folder "nope"'],
    ['git:.#main:--help', 'root-missing', 'has no folder "--help"'],
    ['git:.:a/SKILL.md', 'root-missing', 'has no folder "a/SKILL.md"'],
    ['git:nowhere', 'root-missing', 'there is no folder "/home/me/nowhere"'],
    ['git:..', 'root-unreadable', 'not a git repository'],
  ])('that is not there, %s, is a root that cannot be read', async (root, code, message) => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a') });
    const { status, stdout } = await run(repo, 'check', root);
    expect([status, stdout]).toEqual([3, expect.stringContaining(message)]);
    expect(stdout).toContain(`[${code}]`);
    expect(git(repo, 'status', '--porcelain')).toBe('');
    expect((await run(repo, 'list', root)).status).toBe(3);
  });

  test('cannot be read without git, and a client is told so', async () => {
    const cwd = makeTree({});
    const { status, stdout, stderr } = await runIn(
      cwd,
      ['git:.'],
      { PATH: cwd },
      '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n',
    );
    expect([status, JSON.parse(stdout).error.message]).toEqual([
      3,
      'no skills are served: git:.: git is not installed, or not on the PATH',
    ]);
    expect(stderr).toContain('git:.: error: git is not installed, or not on the PATH [root-unreadable]');
  });

  test('without a commit has none', async () => {
    const cwd = makeTree({});
    git(cwd, 'init', '--quiet');
    expect((await run(cwd, 'check', 'git:.')).stdout).toContain('the repository has no commit [root-missing]');
  });

  test.skipIf(process.platform === 'win32')('executes nothing of itself, and nothing that it names', async () => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a'), '.gitattributes': '* filter=evil diff=evil\n' });
    const hacked = join(makeTree({}), 'hacked');
    const script = join(repo, 'evil.sh');
    writeFileSync(script, `#!/bin/sh\ntouch ${hacked}\ncat\n`);
    chmodSync(script, 0o755);
    for (const setting of [
      'core.fsmonitor',
      'filter.evil.smudge',
      'filter.evil.process',
      'diff.evil.textconv',
      'core.pager',
      'core.editor',
      'core.askPass',
      'core.sshCommand',
      'uploadpack.packObjectsHook',
    ]) {
      git(repo, 'config', setting, script);
    }
    mkdirSync(join(repo, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
      writeFileSync(join(repo, '.git/hooks', hook), `#!/bin/sh\ntouch ${hacked}\n`, { mode: 0o755 });
    }
    expect(await read(repo, 'git:.')).toEqual({ 'skill://a/SKILL.md': skillMd('a') });
    expect(spawnSync('test', ['-e', hacked]).status).toBe(1);
  });

  test('is the one that is named, whatever the environment says, and its objects are not replaced', async () => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a') });
    const other = makeRepository({ 'b/SKILL.md': skillMd('b') });
    const [blob, evil] = [skillMd('a'), skillMd('a', 'Replaced.')].map((text) => {
      writeFileSync(join(repo, '.git/blob'), text);
      return git(repo, 'hash-object', '-w', '.git/blob');
    });
    git(repo, 'replace', blob ?? '', evil ?? '');
    const env = {
      ...GIT_ENV,
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
    };
    const { stdout } = await runIn(repo, ['list', 'git:.', '--json'], env as Record<string, string>);
    expect(JSON.parse(stdout).skills.map(({ frontmatter }: { frontmatter: object }) => frontmatter)).toEqual([
      { name: 'a', description: 'What a does, and when to use it.' },
    ]);
  });

  test('with a tree that leads elsewhere is refused', async () => {
    const repo = makeRepository({ 'a/SKILL.md': skillMd('a') });
    const blob = git(repo, 'rev-parse', 'HEAD:a/SKILL.md');
    const tree = spawnSync('git', ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], {
      cwd: repo,
      env: GIT_ENV,
      input: Buffer.concat([Buffer.from('100644 ..\0'), Buffer.from(blob, 'hex')]),
      encoding: 'utf8',
    }).stdout.trim();
    const hash = git(repo, 'commit-tree', '-m', 'x', tree);
    const { status, stdout } = await run(repo, 'check', `git:.#${hash}`);
    expect([status, stdout]).toEqual([3, expect.stringContaining('".." is not a path below a root [root-unreadable]')]);
  });

  test('is compared with a folder, a lock, and another state of itself', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a', 'One.') });
    git(repo, 'tag', 'v1');
    commit(repo, { 'skills/a/SKILL.md': skillMd('a', 'Two.') });
    expect((await run(repo, 'lock', 'git:.#v1')).status).toBe(0);
    for (const old of ['git:.#v1', 'git:.#v1:skills', 'mcp-skills.lock.json']) {
      for (const now of ['skills', 'git:.']) {
        const { stdout } = await run(repo, 'diff', old, now);
        expect(stdout).toContain('changed skill://a/SKILL.md\n');
      }
    }
    expect((await run(repo, 'diff', 'git:.', 'skills', '--exit-code')).status).toBe(0);
  });

  test('is in the start line and in /healthz, in the state that is served', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a') });
    const revision = git(repo, 'rev-parse', 'HEAD');
    const child = start(['x=git:.', '--http', '0'], { cwd: repo, env: GIT_ENV as Record<string, string> });
    const output = collect(child);
    await expect.poll(() => output.stderr).toMatch(/at http/);
    const [, url = ''] = /^Serving 1 skill from git:\.:skills \([0-9a-f]{40}\) at (\S+)$/m.exec(output.stderr) ?? [];
    const health = (await (await fetch(new URL('/healthz', url))).json()) as { sources: unknown };
    child.kill();
    expect(health.sources).toEqual([{ root: 'git:.:skills', revision }]);
    expect(output.stderr).toContain(revision);
  });

  test('is written into the configuration of a host so that it is found from any folder', async () => {
    const repo = makeRepository({ 'skills/a/SKILL.md': skillMd('a') });
    const args = async (root: string) => {
      const { status, stdout, stderr } = await run(repo, 'config', 'zed', root);
      return status === 0 ? JSON.parse(stdout).context_servers.skills.args[2] : stderr;
    };
    expect(await args('git:.#main:skills')).toBe('git:/home/me#main:skills');
    expect(await args('x=git+https://example.com/a#v1')).toBe('x=git+https://example.com/a#v1');
    expect(await args('a.tgz')).toBe('/home/me/a.tgz');
    expect(await args('npm:a')).toBe(
      'config: "npm:a" is looked for from the working directory, which the host chooses: pass the folder of node_modules/a/skills\n',
    );
    expect(await args('git+https://TOKEN@example.com/a')).toMatch(
      /^config: "git\+https:\/\/\*\*\*@example\.com\/a" has a secret/,
    );
  });
});
