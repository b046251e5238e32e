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
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigOptions, runConfig } from '../../src/cli/config.ts';
import { HOSTS } from '../../src/config/hosts.ts';
import { writeFile as writeConfig } from '../../src/config/write.ts';

let home: string;
let cwd: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'config-')));
  cwd = join(home, 'shop');
  await mkdir(join(cwd, 'skills'), { recursive: true });
});

afterEach(() => rm(home, { recursive: true, force: true }));

async function run(options: Partial<ConfigOptions> & { host: string }, more: { uid?: number; bin?: string } = {}) {
  const out = { stdout: '', stderr: '' };
  const context = {
    stdout: { write: (text: string) => (out.stdout += text) },
    stderr: { write: (text: string) => (out.stderr += text) },
    platform: 'linux' as const,
    home,
    cwd,
    env: {},
    execPath: '/usr/bin/node',
    bin: more.bin ?? '/opt/mcp-server-skills/bin/mcp-server-skills.js',
    uid: more.uid ?? process.getuid?.(),
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
      /^warning: "~\/shop\/nope" is no folder now: the server will not start without it\n/,
    );
    expect((await run({ host: 'zed', roots: [] })).stderr).toMatch(/^no root: /);
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
      stderr: 'config: "a b" is no name for a server: use letters, digits, "-" and "_"\n',
    });
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
      stderr: 'Cursor: changed ~/shop/.cursor/mcp.json\nthen enable it in Cursor Settings > Tools & MCP\n',
    });
    expect((await stat(file())).mode & 0o777).toBe(0o640);
    expect(await readdir(join(cwd, '.cursor'))).toEqual(['mcp.json']);
  });

  test.each([
    ['{\n  "mcpServers": {},\n  oops\n}\n', '.cursor/mcp.json:3:3: not JSON with comments here; nothing was changed\n'],
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
it was started with mcp-server-skills@1.0.0 --exclude *.tmp before: say that behind "--" (or with --pin) to keep it
then enable it in Cursor Settings > Tools & MCP
`,
    );
  });

  test('a link to a dotfile is followed, and stays a link', async () => {
    await mkdir(join(home, 'dotfiles'));
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, 'dotfiles', 'codex.toml'), 'model = "gpt-6"\n');
    await symlink('../dotfiles/codex.toml', join(home, '.codex', 'config.toml'));
    expect((await write({ host: 'codex' })).stderr).toBe(
      'Codex: changed ~/.codex/config.toml (a link to ~/dotfiles/codex.toml)\n',
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
