import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type ConfigContext, type ConfigOptions, runConfig } from '../../src/cli/config.ts';
import { HOSTS } from '../../src/config/hosts.ts';
import type { HostId } from '../../src/config/ids.ts';
import { writeFile as writeConfig } from '../../src/config/write.ts';
import { BIN, collect } from '../command.ts';

let home: string;
let cwd: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'config-')));
  cwd = join(home, 'shop');
  await mkdir(join(cwd, 'skills', 'a'), { recursive: true });
  await writeFile(join(cwd, 'skills', 'a', 'SKILL.md'), '---\nname: a\ndescription: d\n---\n');
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function run(
  options: Partial<ConfigOptions> & { host: string },
  more: Partial<Pick<ConfigContext, 'uid' | 'bin' | 'list' | 'platform' | 'env'>> = {},
) {
  const out = { stdout: '', stderr: '' };
  const context = {
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
    platform: 'linux' as const,
    home,
    cwd,
    env: {},
    execPath: '/usr/bin/node',
    bin: '/opt/mcp-server-skills/bin/mcp-server-skills.js',
    version: '1.2.3',
    uid: process.getuid?.(),
    list: (folder: string) => readdir(folder).catch(() => []),
    ...more,
  };
  const code = await runConfig({ roots: ['skills'], ...options }, context);
  return { code, ...out, stderr: out.stderr.replaceAll(home, '~') };
}

describe('printing', () => {
  test('the configuration alone is on stdout, where it goes on stderr', async () => {
    const { code, stdout, stderr } = await run({ host: 'claude-code' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: { skills: { type: 'stdio', command: 'npx', args: ['-y', 'mcp-server-skills', './skills'] } },
    });
    expect(stderr).toBe(
      `Claude Code: put this in ~/shop/.mcp.json (or let --write do it)
or run this command: claude mcp add --transport stdio --scope project skills -- npx -y mcp-server-skills ./skills
Claude Code asks once whether to trust the server; start it in this folder
npx keeps the version that it fetched first, and never updates it: --pin writes mcp-server-skills@1.2.3
a server that takes more than 2.5 seconds to start is spoken to in an older revision of MCP: --node starts an installed package at once
checked skills: 1 skill, no errors
`,
    );
    expect(await readdir(cwd)).toEqual(['skills']);
  });

  test('a file that is there is to be added to, and OpenCode has two names for it', async () => {
    await writeFile(join(cwd, 'opencode.jsonc'), '{}');
    expect((await run({ host: 'opencode' })).stderr).toMatch(/^OpenCode: add this to ~\/shop\/opencode\.jsonc /);
    expect((await run({ host: 'zed', file: 'my/settings.json' })).stderr).toMatch(/^Zed: put this in ~\/shop\/my\/set/);
  });

  test('a folder that is not there is warned of, and so is none', async () => {
    expect((await run({ host: 'zed', roots: ['team=nope'] })).stderr).toMatch(
      /^warning: the server will not start: nope: [^;]+; see: mcp-server-skills check team=nope\n/m,
    );
    expect((await run({ host: 'zed', roots: [] })).stderr).toMatch(/^no root: /m);
  });

  test('node instead of npx, unless npx brought us', async () => {
    expect(JSON.parse((await run({ host: 'cursor', node: true })).stdout)).toEqual({
      mcpServers: {
        skills: {
          command: '/usr/bin/node',
          args: ['/opt/mcp-server-skills/bin/mcp-server-skills.js', '$' + '{workspaceFolder}/skills'],
        },
      },
    });
    expect(await run({ host: 'cursor', node: true }, { bin: '/home/ann/.npm/_npx/1/x.js' })).toMatchObject({
      code: 2,
      stderr: 'config: --node needs an installed package: run "npm install -g mcp-server-skills", and its command\n',
    });
  });

  test('wrong usage is 2', async () => {
    expect(await run({ host: 'zed', name: 'a b' })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'config: "a b" is not a name for a server: use letters, digits, "-" and "_"\n',
    });
  });
});

describe('what the server will make of the folder', () => {
  const last = async (options: Partial<ConfigOptions>, bin?: string) =>
    (await run({ host: 'zed', ...options }, bin === undefined ? {} : { bin })).stderr.split('\n').at(-2);
  const bad = '---\nname: b\ndescription: d\nday: 2026-10-12\n---\n';
  const message = 'skills/b/SKILL.md:4:6: "2026-10-12" is a date in YAML 1.1 and a string in YAML 1.2';

  test('a skill that is left out, with the first error and the command that shows all', async () => {
    await mkdir(join(cwd, 'skills', 'b'));
    await writeFile(join(cwd, 'skills', 'b', 'SKILL.md'), bad);
    const see = 'see: mcp-server-skills check';
    expect(await last({})).toBe(`warning: 1 of 2 skills left out: ${message}; ${see} skills`);
    expect(await last({ roots: ['x/y=./skills'] })).toBe(
      `warning: 1 of 2 skills left out: ./${message}; ${see} x/y=./skills`,
    );
    expect(await last({ invalid: 'fail' })).toBe(`warning: the server will not start: ${message}; ${see} skills`);
    expect(await last({}, '/home/ann/.npm/_npx/1/x.js')).toBe(
      `warning: 1 of 2 skills left out: ${message}; see: npx mcp-server-skills check skills`,
    );
    expect(await last({ exclude: ['b'] })).toBe('checked skills: 1 skill, no errors');
    await rm(join(cwd, 'skills', 'b'), { recursive: true });
    await writeFile(join(cwd, 'skills', 'a', 'SKILL.md'), '---\nname: a\ndescription: d\n---\n\n[x](missing.md)\n');
    expect(await last({})).toBe('checked skills: 1 skill, no errors');
    expect(await last({ isStrict: true, invalid: 'fail' })).toMatch(
      /^warning: the server will not start: skills\/a\/SKILL\.md:6:5: .*missing\.md.*; see: mcp-server-skills check skills --strict$/,
    );
    await mkdir(join(cwd, 'skills', 'b'));
    await writeFile(join(cwd, 'skills', 'b', 'SKILL.md'), bad);
    await writeFile(join(cwd, 'skills', 'a', 'SKILL.md'), bad.replace('name: b', 'name: a'));
    expect(await last({ exclude: ['*.t p'] })).toMatch(
      /^warning: the server will not start: .* \(2 errors\); see: .* skills --exclude '\*\.t p'$/,
    );
  });

  test('a folder without a skill, and none at all', async () => {
    await mkdir(join(cwd, 'empty'));
    expect(await last({ roots: ['empty'] })).toMatch(
      /^warning: the server will not start: empty: [^;]+; see: mcp-server-skills check empty$/,
    );
    expect(await last({ url: 'https://example.com/mcp', roots: [] })).not.toMatch(/root|skills:/);
  });
});

describe('a server over HTTP', () => {
  const header = ['Authorization: Bearer s3cret'];
  const url = 'https://example.com/mcp';

  test('is written into a file that others cannot read, if headers are in it', async () => {
    const path = join(home, '.factory', 'mcp.json');
    const first = await run({ host: 'droid', roots: [], url, header, write: true });
    expect(first.stderr).toBe('Droid: created ~/.factory/mcp.json\n/mcp in Droid shows it\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      mcpServers: { skills: { type: 'http', url, headers: { Authorization: 'Bearer s3cret' } } },
    });
    expect((await run({ host: 'droid', roots: [], url, header, write: true })).stderr).toMatch(/: unchanged /);
    // what is not named this time stays, and so does what is not about the address
    await writeFile(path, (await readFile(path, 'utf8')).replace('"type"', '"disabled": true,\n      "type"'));
    expect((await run({ host: 'droid', roots: [], url, write: true })).stderr).toMatch(/: unchanged /);
    await chmod(path, 0o644);
    expect((await run({ host: 'droid', roots: [], url, header: ['authorization: x'], write: true })).stderr).toBe(
      `Droid: changed ~/.factory/mcp.json
others on this machine can read the headers: chmod 600 ~/.factory/mcp.json
/mcp in Droid shows it
`,
    );
    expect(JSON.parse(await readFile(path, 'utf8')).mcpServers.skills).toEqual({
      disabled: true,
      type: 'http',
      url,
      headers: { authorization: 'x' },
    });
  });

  test('takes the place of one that was started, which is told, and of no other', async () => {
    await run({ host: 'claude-code', pin: '1.0.0', write: true });
    expect((await run({ host: 'claude-code', roots: [], url, header, write: true })).stderr).toBe(
      `Claude Code: changed ~/shop/.mcp.json
before, it was started with ./skills mcp-server-skills@1.0.0
Claude Code asks once whether to trust the server; start it in this folder
everyone who gets this project also gets the headers: keep secrets in --scope user, or in a variable of the host
`,
    );
    expect(JSON.parse(await readFile(join(cwd, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: { skills: { type: 'http', url, headers: { Authorization: 'Bearer s3cret' } } },
    });
    for (const options of [{ roots: [], url: 'https://other.example/mcp' }, {}]) {
      expect(await run({ host: 'claude-code', write: true, ...options })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('"skills" is another server there'),
      });
    }
  });
});

test('Claude Desktop as a package of Windows: its own file, and of several none', async () => {
  const packages = 'C:\\L\\Packages';
  const toFolder = (name: string) => `${packages}\\${name}\\LocalCache\\Roaming\\Claude`;
  const listing = (names: readonly string[]) => async (folder: string) => {
    if (folder === packages) return ['Microsoft.Terminal', ...names];
    return names.map(toFolder).includes(folder) ? ['config.json'] : [];
  };
  const onWindows = (names: readonly string[], options: Partial<ConfigOptions> = {}) =>
    run(
      { host: 'claude-desktop', roots: [], ...options },
      { platform: 'win32', env: { APPDATA: 'C:\\R', LOCALAPPDATA: 'C:\\L' }, list: listing(names) },
    );
  const first = async (names: readonly string[]) => (await onWindows(names)).stderr.split('\n')[0];
  const file = (name: string) => `${toFolder(name)}\\claude_desktop_config.json`;
  expect(await first([])).toContain('put this in C:\\R\\Claude\\claude_desktop_config.json (');
  expect(await first(['Claude_1'])).toContain(`put this in ${file('Claude_1')} (`);
  expect(await first(['Claude_2', 'Claude_1'])).toContain(`put this in ${file('Claude_1')} or ${file('Claude_2')} (`);
  expect(await onWindows(['Claude_1', 'Claude_2'], { write: true })).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'config: Claude Desktop is installed more than once: say which file is meant, with ' +
      `--file "${file('Claude_1')}" or --file "${file('Claude_2')}"\n`,
  });
});

describe.skipIf(process.platform === 'win32')('what a file or a folder says to the terminal', () => {
  const PARSERS: Record<string, (text: string) => unknown> = {
    json: JSON.parse,
    jsonc: JSON.parse,
    toml: (text) => parseToml(text),
    yaml: (text) => parseYaml(text),
  };
  const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]/;
  const evil = '\u001b]0;owned\u0007\u009b31m\u202e';

  test('is escaped where an entry of a cloned project is told of', async () => {
    const entry = { command: 'npx', args: ['-y', 'mcp-server-skills', `./${evil}`, '--exclude', evil] };
    await writeFile(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { skills: entry } }));
    const { code, stderr } = await run({ host: 'claude-code', write: true });
    expect([code, CONTROL.test(stderr)]).toEqual([0, false]);
    expect(stderr).toContain(String.raw`it published ./\u{1b}]0;owned\u{7}\u{9b}31m\u{202e} before`);
  });

  test.each(Object.keys(HOSTS))('is escaped in what is printed for %s, which stays what it was', async (host) => {
    await mkdir(join(cwd, evil));
    const { code, stdout, stderr } = await run({ host, roots: [evil] });
    expect([code, CONTROL.test(stdout + stderr)]).toEqual([0, false]);
    const read = PARSERS[HOSTS[host as HostId].format];
    expect(JSON.stringify(read?.(stdout))).toContain(JSON.stringify(evil).slice(1, -1));
  });
});

describe('several at once, and one that is killed', () => {
  const start = (name: string) =>
    spawn(process.execPath, [BIN, 'config', 'cursor', 'skills', '--name', name, '--write'], {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const file = () => join(cwd, '.cursor', 'mcp.json');
  const servers = async () => Object.keys(JSON.parse(await readFile(file(), 'utf8')).mcpServers).sort();

  test('every writer that says so has its entry in the file', async () => {
    for (let round = 0; round < 6; round++) {
      await rm(join(cwd, '.cursor'), { recursive: true, force: true });
      const names = ['a', 'b', 'c', 'd'];
      const outcomes = await Promise.all(
        names.map(async (name) => {
          const child = start(name);
          const output = collect(child);
          const status = await new Promise((resolve) => child.once('close', resolve));
          return [status, /^Cursor: (?:created|changed) /.test(output.stderr)];
        }),
      );
      expect([round, outcomes, await servers(), await readdir(join(cwd, '.cursor'))]).toEqual([
        round,
        names.map(() => [0, true]),
        names,
        ['mcp.json'],
      ]);
    }
  });

  test('the file is whole at any time, and what a killed writer leaves goes later', async () => {
    await mkdir(join(cwd, '.cursor'));
    await writeFile(file(), JSON.stringify({ pad: 'x'.repeat(4_000_000), mcpServers: {} }));
    const list = () => readdirSync(join(cwd, '.cursor')).filter((name) => name.endsWith('.tmp'));
    let left = 0;
    for (let round = 0; round < 40 && left < 2; round++) {
      const child = start(`n${round}`);
      const closed = new Promise((resolve) => child.once('close', resolve));
      // killed as soon as it writes
      const timer = setInterval(() => list().length > left && child.kill('SIGKILL'), 1);
      await closed;
      clearInterval(timer);
      left = list().length;
      expect(JSON.parse(await readFile(file(), 'utf8')).pad).toHaveLength(4_000_000);
    }
    expect(left).toBeGreaterThan(0);
    const old = new Date(Date.now() - 61_000);
    for (const name of list()) await utimes(join(cwd, '.cursor', name), old, old);
    // the lock of a process that has ended holds nobody up
    const last = start('last');
    expect(await new Promise((resolve) => last.once('close', resolve))).toBe(0);
    expect([(await servers()).includes('last'), await readdir(join(cwd, '.cursor'))]).toEqual([true, ['mcp.json']]);
  });
});

describe('writing', () => {
  const write = (options: Partial<ConfigOptions> & { host: string }) => run({ write: true, ...options });
  const file = () => join(cwd, '.cursor', 'mcp.json');

  test.each(Object.keys(HOSTS))(
    '%s: the file is made with what is printed, and a second time nothing changes',
    async (host) => {
      const printed = await run({ host });
      const first = await write({ host });
      expect([first.code, first.stdout]).toEqual([0, '']);
      const path = /: created (.*)\n/.exec(first.stderr)?.[1]?.replace('~', home) ?? '';
      expect(await readFile(path, 'utf8')).toBe(printed.stdout);
      const before = await stat(path);
      expect((await write({ host })).stderr).toMatch(/: unchanged /);
      expect(await stat(path)).toEqual(before);
    },
  );

  test('the mode is kept, and nothing is left beside', async () => {
    await mkdir(join(cwd, '.cursor'));
    await writeFile(file(), '{ "mcpServers": {} }\n');
    await chmod(file(), 0o640);
    expect(await write({ host: 'cursor' })).toEqual({
      code: 0,
      stdout: '',
      stderr: `Cursor: changed ~/shop/.cursor/mcp.json
then enable it in Cursor Settings > Tools & MCP
npx keeps the version that it fetched first, and never updates it: --pin writes mcp-server-skills@1.2.3
checked skills: 1 skill, no errors
`,
    });
    expect((await stat(file())).mode & 0o777).toBe(0o640);
    expect(await readdir(join(cwd, '.cursor'))).toEqual(['mcp.json']);
  });

  test.each([
    [
      '{\n  "mcpServers": {},\n  oops\n}\n',
      '.cursor/mcp.json:3:3: not valid JSON with comments: invalid symbol; nothing was changed\n',
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), '.cursor/mcp.json: not UTF-8; nothing was changed\n'],
    [
      '{"mcpServers":{"skills":{"command":"x"}}}',
      '.cursor/mcp.json: "skills" is another server there: choose a name with --name, or replace it with --force; nothing was changed\n',
    ],
  ])('what is not understood is left alone: %j', async (content, message) => {
    await mkdir(join(cwd, '.cursor'));
    await writeFile(file(), content);
    expect(await write({ host: 'cursor' })).toEqual({ code: 3, stdout: '', stderr: message });
    expect(await readFile(file())).toEqual(Buffer.from(content));
    expect(await readdir(join(cwd, '.cursor'))).toEqual(['mcp.json']);
  });

  test('an entry that only a person can change is printed, so that it can be pasted', async () => {
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex', 'config.toml'), '[mcp_servers.skills]\ncommand = "other"\n');
    const printed = await run({ host: 'codex' });
    expect(await write({ host: 'codex', force: true })).toEqual({
      code: 3,
      stdout: printed.stdout,
      stderr:
        '~/.codex/config.toml: "skills" is there and differs: choose another name with --name, or paste the entry in its place; nothing was changed\n',
    });
  });

  test('with force, another server is replaced', async () => {
    await mkdir(join(cwd, '.cursor'));
    await writeFile(file(), '{"mcpServers":{"skills":{"command":"x"}}}');
    expect((await write({ host: 'cursor', force: true })).code).toBe(0);
    expect(JSON.parse(await readFile(file(), 'utf8')).mcpServers.skills.command).toBe('npx');
  });

  test('what was there before and will not be is told', async () => {
    await write({ host: 'cursor', roots: ['skills', 'team=..'], extra: ['--exclude', '*.tmp'], pin: '1.0.0' });
    expect((await write({ host: 'cursor' })).stderr).toBe(
      `Cursor: changed ~/shop/.cursor/mcp.json
it published team=~ before: name that as a root, too, to keep it
it was started with mcp-server-skills@1.0.0 --exclude *.tmp before: write that after "--" (or use --pin) to keep it
then enable it in Cursor Settings > Tools & MCP
npx keeps the version that it fetched first, and never updates it: --pin writes mcp-server-skills@1.2.3
checked skills: 1 skill, no errors
`,
    );
  });

  test('a link to a dotfile is followed, and stays a link', async () => {
    await mkdir(join(home, 'dotfiles'));
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, 'dotfiles', 'codex.toml'), 'model = "gpt-6"\n');
    await symlink('../dotfiles/codex.toml', join(home, '.codex', 'config.toml'));
    expect((await write({ host: 'codex' })).stderr.split('\n')[0]).toBe(
      'Codex: changed ~/.codex/config.toml (a link to ~/dotfiles/codex.toml)',
    );
    expect(await readlink(join(home, '.codex', 'config.toml'))).toBe('../dotfiles/codex.toml');
    expect(await readFile(join(home, 'dotfiles', 'codex.toml'), 'utf8')).toMatch(/^model = "gpt-6"\n\n\[mcp_servers/);
  });

  test('a link that leads nowhere is refused', async () => {
    await mkdir(join(home, '.codex'));
    await symlink('gone.toml', join(home, '.codex', 'config.toml'));
    expect(await write({ host: 'codex' })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/: a link to a file that does not exist; nothing was changed\n$/),
    });
  });

  test.each(['the file', 'its folder'])("a project's link may not lead out of the project: %s", async (what) => {
    await mkdir(join(home, 'out'));
    await writeFile(join(home, 'out', 'mcp.json'), '{}');
    if (what === 'the file') {
      await mkdir(join(cwd, '.cursor'));
      await symlink('../../out/mcp.json', file());
    } else await symlink('../out', join(cwd, '.cursor'));
    expect(await write({ host: 'cursor' })).toEqual({
      code: 3,
      stdout: '',
      stderr:
        '.cursor/mcp.json: a link leads out of the project, to ~/out/mcp.json: change that file yourself; nothing was changed\n',
    });
    expect(await readFile(join(home, 'out', 'mcp.json'), 'utf8')).toBe('{}');
    expect((await write({ host: 'cursor', file: '../out/mcp.json' })).code).toBe(0);
  });

  test("another user's file is left alone", async () => {
    await mkdir(join(cwd, '.cursor'));
    await writeFile(file(), '{}');
    expect(await run({ host: 'cursor', write: true }, { uid: 12_345 })).toMatchObject({
      code: 3,
      stderr: '.cursor/mcp.json: belongs to another user: change it as that user; nothing was changed\n',
    });
  });

  test('a folder in the place of the file, or a file in the place of its folder', async () => {
    await mkdir(file(), { recursive: true });
    expect(await write({ host: 'cursor' })).toMatchObject({
      code: 3,
      stderr: '.cursor/mcp.json: not a file; nothing was changed\n',
    });
    await writeFile(join(cwd, '.vscode'), '');
    expect((await write({ host: 'vscode' })).code).toBe(3);
  });

  test('a file that changes meanwhile is not overwritten', async () => {
    const path = join(cwd, 'settings.json');
    await writeFile(path, '{}');
    const { writeFileSync } = await import('node:fs');
    let count = 0;
    const merge = () => {
      count += 1;
      writeFileSync(path, `{"new": ${count}}`);
      return '{"ours": 1}';
    };
    await expect(writeConfig(path, merge, { scope: 'project', cwd, uid: undefined })).rejects.toThrow(
      'changed by another program just now: try again',
    );
    expect(await readFile(path, 'utf8')).toBe(`{"new": ${count}}`);
    expect((await readdir(cwd)).sort()).toEqual(['settings.json', 'skills']);
  });

  test('a hard link keeps its other name as it was', async () => {
    const path = join(cwd, '.mcp.json');
    await writeFile(path, '{}');
    await link(path, join(cwd, 'other.json'));
    expect((await write({ host: 'claude-code' })).code).toBe(0);
    expect(await readFile(join(cwd, 'other.json'), 'utf8')).toBe('{}');
    expect((await lstat(path)).nlink).toBe(1);
  });
});
