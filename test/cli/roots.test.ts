import { delimiter } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { parseRoot } from '../../src/disk/roots.ts';
import { loadSkills } from '../../src/load.ts';
import { checkFixture, findCodes, makeInput, readFixtures, runIn } from '../fixtures.ts';
import { makeTree, type Node, skillMd } from '../tree.ts';

/** The URIs that `list` would publish. */
async function list(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await runIn(cwd, ['list', '--json', ...args]);
  return stdout === '' ? [] : JSON.parse(stdout).skills.map(({ uri }: { uri: string }) => uri);
}

describe('without a root', () => {
  const here = (folder: string) => `mcp-server-skills: no root is given: this takes "${folder}"\n`;

  test('check and list take the first folder of skills that is here, and name it', async () => {
    const nodes = {
      '.claude/skills/c/SKILL.md': skillMd('c'),
      '.agents/skills/b/SKILL.md': skillMd('b'),
      'skills/a/SKILL.md': skillMd('a'),
    };
    for (const [paths, folder, uri] of [
      [[0, 1, 2], 'skills', 'skill://a/SKILL.md'],
      [[0, 1], '.agents/skills', 'skill://b/SKILL.md'],
      [[0], '.claude/skills', 'skill://c/SKILL.md'],
    ] as const) {
      const cwd = makeTree(Object.fromEntries(paths.map((at) => Object.entries(nodes)[at] ?? ['x', ''])));
      const listed = await runIn(cwd, ['list', '--json']);
      expect([JSON.parse(listed.stdout).skills[0].uri, listed.stderr]).toEqual([uri, here(folder)]);
      const checked = await runIn(cwd, ['check', '--format', 'json']);
      expect([checked.status, JSON.parse(checked.stdout).roots, checked.stderr]).toEqual([
        0,
        [{ path: folder, prefix: '' }],
        here(folder),
      ]);
    }
  });

  test('and without such a folder, a line of CI that lost its argument does not pass', async () => {
    const cwd = makeTree({ skills: 'a file', 'other/a/SKILL.md': skillMd('a') });
    for (const command of ['check', 'list']) {
      expect(await runIn(cwd, [command])).toEqual({
        status: 2,
        stdout: '',
        stderr:
          'mcp-server-skills: no root is given, and none of skills, .agents/skills, .claude/skills exists here: pass the folder that contains skills\n',
      });
    }
    expect((await runIn(cwd, ['check'], { SKILLS_DIR: 'other' })).status).toBe(0);
    const one = await runIn(makeTree({ 'SKILL.md': skillMd('a') }), ['check']);
    expect([one.status, one.stderr]).toEqual([
      2,
      expect.stringMatching(/: pass "\.", because this folder is a skill\n$/),
    ]);
  });

  test.each([
    ['git:.#main', 'git:'],
    ['git+https://example.com/a', 'git+https:'],
    ['skills|p=npm:tools', 'p=npm:'],
  ])('and $SKILLS_DIR %s, which is cut at its colons, is refused', async (text, cut) => {
    if (delimiter !== ':') return;
    const cwd = makeTree({ 'skills/a/SKILL.md': skillMd('a') });
    for (const command of ['check', 'list', 'lock', 'serve']) {
      const { status, stderr } = await runIn(cwd, [command], { SKILLS_DIR: text.replace('|', delimiter) });
      expect([command, status, stderr]).toEqual([
        command,
        2,
        `mcp-server-skills: $SKILLS_DIR is split at ":", so it cannot contain a root that begins with "${cut}": pass that root as an argument\n`,
      ]);
    }
  });

  test('serve takes the example of the package, and says so', async () => {
    const { status, stderr } = await runIn(makeTree({}), ['serve'], {}, '');
    expect([status, stderr]).toEqual([
      0,
      'mcp-server-skills: no root is given: this serves the example skills of the package\n',
    ]);
  });
});

describe('a first word that is no folder', () => {
  test('and nearly a command is taken for it', async () => {
    const cwd = makeTree({ 'skills/a/SKILL.md': skillMd('a') });
    for (const [typed, command] of [
      ['chek', 'check'],
      ['chekc', 'check'],
      ['CHECK', 'check'],
      ['lsit', 'list'],
      ['lists', 'list'],
      ['sreve', 'serve'],
      ['confg', 'config'],
    ] as const) {
      expect(await runIn(cwd, [typed, 'skills'])).toEqual({
        status: 2,
        stdout: '',
        stderr: `mcp-server-skills: there is no folder "${typed}": did you mean the command ${command}?\n`,
      });
    }
  });

  test('and like none, or in its place as a root, is a root that is missing', async () => {
    const cwd = makeTree({ 'chek/a/SKILL.md': skillMd('a') });
    expect((await runIn(cwd, ['my-skills'], {}, '')).stderr).toContain('there is no folder "my-skills"');
    expect((await runIn(cwd, ['serve', 'lsit'], {}, '')).stderr).toContain('[root-missing]');
    expect((await runIn(cwd, ['chek'], {}, '')).status).toBe(0);
  });
});

describe('a root that no shell has seen', () => {
  test('begins with "~/" for the home folder, unless there is such a folder', async () => {
    const cwd = makeTree({ 'my-skills/a/SKILL.md': skillMd('a') });
    expect(await list(cwd, '~/my-skills')).toEqual(['skill://a/SKILL.md']);
    expect(await list(cwd, 'acme=~/my-skills')).toEqual(['skill://acme/a/SKILL.md']);
    const literal = makeTree({ '~/my-skills/b/SKILL.md': skillMd('b'), 'my-skills/a/SKILL.md': skillMd('a') });
    expect(await list(literal, '~/my-skills')).toEqual(['skill://b/SKILL.md']);
  });

  test('with a variable in it is told that nothing replaced it', async () => {
    const hints = async (root: string) => {
      const { status, stdout } = await runIn(makeTree({}), ['check', root]);
      return [status, stdout.split('\n')[1]];
    };
    const passed = (variable: string) => [
      3,
      `  = hint: "${variable}" was passed as it is, and nothing replaces it here: write the absolute path`,
    ];
    const workspace = ['$', '{workspaceFolder}'].join('');
    expect(await hints(`${workspace}/skills`)).toEqual(passed(workspace));
    expect(await hints(`acme=${workspace}/*`)).toEqual(passed(workspace));
    expect(await hints('$HOME/skills')).toEqual(passed('$HOME'));
    expect(await hints('%USERPROFILE%/skills')).toEqual(passed('%USERPROFILE%'));
    expect(await hints('100%/skills')).toEqual([3, '  = hint: create it, or pass its absolute path']);
  });
});

describe('a glob as a root', () => {
  const plugins = {
    'plugins/a/skills/x/SKILL.md': skillMd('x'),
    'plugins/b/skills/x/SKILL.md': skillMd('x'),
    'plugins/b/skills/z/SKILL.md': skillMd('z'),
    'plugins/README.md': '',
  };

  test('gives each match the prefix that tells it apart where names meet', async () => {
    const cwd = makeTree(plugins);
    const prefixed = ['skill://a/x/SKILL.md', 'skill://b/x/SKILL.md', 'skill://b/z/SKILL.md'];
    expect(await list(cwd, 'plugins/*/skills')).toEqual(prefixed);
    expect(await list(cwd, './plugins/*/skills/')).toEqual(prefixed);
    expect(await list(cwd, `${cwd}/plugins/{a,b}/skills`)).toEqual(prefixed);
    expect(await list(cwd, '**/skills')).toEqual(prefixed);
    expect(await list(cwd, 'acme=plugins/*/skills')).toEqual(
      prefixed.map((uri) => uri.replace('skill://', 'skill://acme/')),
    );
    // the folder above has other paths already
    expect(await list(cwd, 'plugins')).toEqual(prefixed.map((uri) => uri.replace(/(\w)\/(\w)\/S/, '$1/skills/$2/S')));
  });

  test('gives none where no names meet, and takes folders that are one skill', async () => {
    const cwd = makeTree(plugins);
    expect(await list(cwd, 'plugins/?/skills', '--exclude', './x')).toEqual([]);
    const apart = makeTree({ 'p/a/skills/x/SKILL.md': skillMd('x'), 'p/b/skills/z/SKILL.md': skillMd('z') });
    expect(await list(apart, 'p/*/skills')).toEqual(['skill://x/SKILL.md', 'skill://z/SKILL.md']);
    expect(await list(cwd, 'plugins/b/skills/*')).toEqual(['skill://x/SKILL.md', 'skill://z/SKILL.md']);
    expect(await list(cwd, 'plugins/*/skills/*')).toEqual([
      'skill://a/skills/x/SKILL.md',
      'skill://b/skills/x/SKILL.md',
      'skill://b/skills/z/SKILL.md',
    ]);
  });

  test('ignores a match without a skill, and is an error without a match or without a skill at all', async () => {
    const cwd = makeTree({ ...plugins, 'plugins/c/skills/notes.md': '', 'empty/d/a.md': '' });
    const check = async (root: string) => {
      const { status, stdout } = await runIn(cwd, ['check', root]);
      return [status, stdout.split('\n').filter((line) => line.endsWith(']'))];
    };
    expect(await check('plugins/*/skills')).toEqual([
      0,
      [
        'plugins/c/skills: warning: the root contains no skill, and is ignored: no folder below it has a SKILL.md [folder-ignored]',
      ],
    ]);
    expect(await check('empty/*')).toEqual([
      1,
      ['empty/d: error: the root contains no skill: no folder below it has a SKILL.md [root-empty]'],
    ]);
    expect(await check('nothing/*/skills')).toEqual([
      3,
      ['nothing/*/skills: error: no folder matches "nothing/*/skills" [root-missing]'],
    ]);
  });

  test('is a folder where one has that very name', async () => {
    const cwd = makeTree({ '[a]/b/SKILL.md': skillMd('b'), 'a/c/SKILL.md': skillMd('c') });
    expect(await list(cwd, '[a]')).toEqual(['skill://b/SKILL.md']);
  });

  test.each([
    'git:.#main',
    'npm:tools',
    'git+https://example.com/a',
    `https://example.com/a.zip#sha256=${'a'.repeat(64)}`,
  ])('that is the source %s is none for loadSkills, which says what to do', async (root) => {
    const quoted = /[#]/.test(root) ? `'${root}'` : root;
    const { problems } = await loadSkills(root).catch((error) => error);
    expect(problems).toEqual([
      {
        code: 'root-missing',
        severity: 'error',
        path: '.',
        root,
        args: { given: root, variant: 'library' },
        message: `"${root}" is a source, and loadSkills takes folders`,
        hint: `write what "mcp-server-skills list ${quoted} --json --bytes" prints into a file, and give its content to loadCatalog of mcp-server-skills/catalog`,
      },
    ]);
  });

  test('is one for loadSkills as well, from a module upwards', async () => {
    const root = makeTree({ ...plugins, 'src/deep/module.js': '' });
    const { skills } = await loadSkills('plugins/*/skills', { from: `${root}/src/deep/module.js` });
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://a/x/SKILL.md',
      'skill://b/x/SKILL.md',
      'skill://b/z/SKILL.md',
    ]);
  });
});

describe('work that takes long', () => {
  const run = (isTTY: boolean, env: Record<string, string> = {}) => {
    let time = 0;
    let text = '';
    const error = Object.assign(
      new Writable({
        write(chunk, _, done) {
          text += chunk;
          done();
        },
      }),
      { isTTY },
    );
    const { show, end } = createProgress({ error, env }, () => time);
    return {
      at(next: number, skills: number): string {
        time = next;
        show(skills);
        return text;
      },
      end(): string {
        end();
        return text;
      },
    };
  };

  test('shows one line on a terminal after half a second, and erases it', () => {
    const erase = '\r\u001b[K';
    const progress = run(true);
    expect(progress.at(499, 0)).toBe('');
    const first = `${erase}looking for skills`;
    expect(progress.at(500, 0)).toBe(first);
    expect(progress.at(599, 13)).toBe(first);
    expect(progress.at(600, 14)).toBe(`${first}${erase}reading skills: 14 so far`);
    const all = `${first}${erase}reading skills: 14 so far${erase}`;
    expect(progress.end()).toBe(all);
    expect(progress.end()).toBe(all);
  });

  test('that is done in less shows nothing, nor does a stderr that is no terminal', () => {
    const quick = run(true);
    quick.at(400, 1);
    expect(quick.end()).toBe('');
    for (const silent of [run(false), run(true, { TERM: 'dumb' })]) {
      silent.at(10_000, 1);
      expect(silent.end()).toBe('');
    }
  });
});

test('--nested and --path-from are options of all commands that read a root', async () => {
  const cwd = makeTree({ 's/Outer_1/SKILL.md': skillMd('outer'), 's/Outer_1/inner/SKILL.md': skillMd('inner') });
  const options = ['--nested', 'files', '--path-from', 'name'];
  expect((await runIn(cwd, ['check', 's', ...options])).status).toBe(0);
  expect(await list(cwd, 's', ...options)).toEqual(['skill://outer/SKILL.md']);
  expect(await serve(cwd, ['s', ...options])).toEqual(['skill://outer/SKILL.md']);
  expect((await runIn(cwd, ['check', 's'])).status).toBe(1);
  for (const wrong of [
    ['--nested', 'yes'],
    ['--path-from', 'uri'],
  ]) {
    expect((await runIn(cwd, ['check', 's', ...wrong])).status).toBe(2);
  }
});

test('a root that is one skill is repaired in its place, and keeps the name of its folder', async () => {
  const cwd = makeTree({ 'skills/foo/SKILL.md': skillMd('bar').replace('---\n\n', 'day: 2026-01-01\n---\n\n') });
  const diff = (await runIn(cwd, ['check', 'skills/foo', '--fix=name', '--dry-run'])).stdout;
  expect(diff).toContain('skills/foo/SKILL.md\n');
  expect(diff).not.toContain('/./');
  const { status, stderr } = await runIn(cwd, ['check', 'skills/foo', '--fix=name']);
  expect([status, stderr]).toEqual([
    0,
    'repaired: skills/foo/SKILL.md: yaml-ambiguous, name-mismatch\nrepaired 2 problems in 1 skill\n',
  ]);
  expect(await list(cwd, 'skills/foo')).toEqual(['skill://foo/SKILL.md']);
});

/** The URIs that a server of these roots lists, over stdio. */
async function serve(cwd: string, args: readonly string[]): Promise<string[]> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'skills/list', params: {} },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { stdout } = await runIn(cwd, ['serve', ...args, '--page-size', '1000'], {}, input);
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  const listed = answers.find(({ id }) => id === 2)?.result?.skills ?? [];
  return listed.map(({ uri }: { uri: string }) => uri);
}

describe.skipIf(process.platform === 'win32')('check, list, serve and loadSkills agree', () => {
  /** What each of them publishes, where errors cost only themselves. */
  async function publish(cwd: string, roots: readonly string[], options: readonly string[] = []) {
    const checked = JSON.parse((await runIn(cwd, ['check', ...roots, ...options, '--format', 'json'])).stdout);
    const skills = checked.skills.filter(({ published }: { published: boolean }) => published);
    const isFatal = checked.problems.some(({ code }: { code: string }) => code.startsWith('root-'));
    const before = process.cwd();
    process.chdir(cwd);
    const loaded = await loadSkills(roots.map(parseRoot), { invalid: 'skip' })
      .then(({ skills }) => skills.map(({ uri }) => uri))
      .catch(() => [])
      .finally(() => process.chdir(before));
    return {
      check: isFatal ? [] : skills.map(({ uri }: { uri: string }) => uri),
      list: await list(cwd, ...roots, '--invalid', 'skip'),
      serve: await serve(cwd, [...roots, '--invalid', 'skip']),
      loadSkills: loaded,
    };
  }

  const fixtures = readFixtures().filter(({ setting }) => setting.removes === undefined);

  test.each(fixtures)('on $id', async (fixture) => {
    const folder = makeTree({});
    makeInput(fixture, folder);
    expect(findCodes((await checkFixture(fixture, folder)).stdout)).toContain(fixture.code);
    const { check, ...others } = await publish(folder, fixture.setting.roots ?? ['skills']);
    expect(others).toEqual({ list: check, serve: check, loadSkills: check });
  });

  const trees: [string, Record<string, Node>, string[]][] = [
    ['a root that is one skill', { 'r/SKILL.md': skillMd('one') }, ['r']],
    ['a root that is one skill with a prefix', { 'r/SKILL.md': skillMd('one') }, ['acme=r']],
    ['a repository', { 'docs/a.md': '', 'skills/a/SKILL.md': skillMd('a'), 'x/agents/a.md': '' }, ['.']],
    ['a glob', { 'p/a/s/x/SKILL.md': skillMd('x'), 'p/b/s/x/SKILL.md': skillMd('x') }, ['p/*/s']],
    ['a prefix that is taken', { 'v/a/x/SKILL.md': skillMd('x'), 't/x/SKILL.md': skillMd('x') }, ['v', 'a=t']],
    ['links to folders', { '.a/x/SKILL.md': skillMd('x'), 's/x': { link: '../.a/x' } }, ['s']],
  ];

  test.each(trees)('on %s', async (_, nodes, roots) => {
    const { check, ...others } = await publish(makeTree(nodes), roots);
    expect(others).toEqual({ list: check, serve: check, loadSkills: check });
  });
});
