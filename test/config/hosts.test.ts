import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type ConfigRequest, toConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/error.ts';
import { HOSTS, type Where } from '../../src/config/hosts.ts';

const linux: Where = { platform: 'linux', home: '/home/ann', cwd: '/code/shop', env: {} };
const darwin: Where = { platform: 'darwin', home: '/Users/ann', cwd: '/Users/ann/shop', env: {} };
const windows: Where = {
  platform: 'win32',
  home: 'C:\\Users\\ann',
  cwd: 'C:\\shop',
  env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
};

const PARSERS: Record<string, (text: string) => unknown> = {
  json: JSON.parse,
  jsonc: JSON.parse,
  toml: (text) => parseToml(text),
  yaml: (text) => parseYaml(text),
};

function print(request: ConfigRequest, where = linux): unknown {
  const config = toConfig(request, where);
  const value = PARSERS[config.host.format]?.(config.text);
  // Parsers differ in prototypes; the data is what is compared.
  return JSON.parse(JSON.stringify(value));
}

function refusal(request: ConfigRequest, where = linux): string {
  try {
    toConfig(request, where);
  } catch (error) {
    if (error instanceof ConfigError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const WORKSPACE = '$' + '{workspaceFolder}';
const npx = (...roots: string[]) => ({ command: 'npx', args: ['-y', 'mcp-server-skills', ...roots] });
const skills = { roots: ['skills'] };

describe('what each host is given', () => {
  const absolute = npx('/code/shop/skills');
  const expected: Record<keyof typeof HOSTS, unknown> = {
    vscode: { servers: { skills: { type: 'stdio', ...npx(`${WORKSPACE}/skills`) } } },
    cursor: { mcpServers: { skills: npx(`${WORKSPACE}/skills`) } },
    'claude-code': { mcpServers: { skills: { type: 'stdio', ...npx('./skills') } } },
    'claude-desktop': { mcpServers: { skills: absolute } },
    windsurf: { mcpServers: { skills: absolute } },
    zed: { context_servers: { skills: absolute } },
    jetbrains: { mcpServers: { skills: absolute } },
    codex: { mcp_servers: { skills: { ...absolute, startup_timeout_sec: 60 } } },
    gemini: { mcpServers: { skills: npx('./skills') } },
    opencode: {
      mcp: { skills: { type: 'local', command: ['npx', '-y', 'mcp-server-skills', './skills'], timeout: 60_000 } },
    },
    goose: {
      extensions: {
        skills: {
          enabled: true,
          type: 'stdio',
          name: 'skills',
          description: 'Agent Skills over MCP',
          cmd: 'npx',
          args: ['-y', 'mcp-server-skills', '/code/shop/skills'],
          envs: {},
          env_keys: [],
          timeout: 300,
        },
      },
    },
  };
  test.each(Object.entries(expected))('%s', (host, value) => {
    expect(print({ host, ...skills })).toEqual(value);
  });

  test('the exact text, once for each format', () => {
    expect(toConfig({ host: 'vscode', ...skills }, linux).text).toMatchInlineSnapshot(`
      "{
        "servers": {
          "skills": {
            "type": "stdio",
            "command": "npx",
            "args": [
              "-y",
              "mcp-server-skills",
              "\${workspaceFolder}/skills"
            ]
          }
        }
      }
      "
    `);
    expect(toConfig({ host: 'codex', ...skills }, linux).text).toMatchInlineSnapshot(`
      "[mcp_servers.skills]
      command = "npx"
      args = ["-y", "mcp-server-skills", "/code/shop/skills"]
      startup_timeout_sec = 60
      "
    `);
    expect(toConfig({ host: 'goose', ...skills }, linux).text).toMatchInlineSnapshot(`
      "extensions:
        skills:
          enabled: true
          type: stdio
          name: skills
          description: "Agent Skills over MCP"
          cmd: npx
          args:
            - "-y"
            - "mcp-server-skills"
            - "/code/shop/skills"
          envs: {}
          env_keys: []
          timeout: 300
      "
    `);
  });
});

describe('where it goes', () => {
  const files = (where: Where) =>
    Object.entries(HOSTS).flatMap(([host, { places }]) =>
      Object.keys(places).map((scope) => [host, scope, ...toConfig({ host, scope, ...skills }, where).files].join(' ')),
    );

  test('on Linux', () => {
    expect(files(linux)).toEqual([
      'vscode project /code/shop/.vscode/mcp.json',
      'vscode user /home/ann/.config/Code/User/mcp.json',
      'cursor project /code/shop/.cursor/mcp.json',
      'cursor user /home/ann/.cursor/mcp.json',
      'claude-code project /code/shop/.mcp.json',
      'claude-code user /home/ann/.claude.json',
      'claude-desktop user /home/ann/.config/Claude/claude_desktop_config.json',
      'windsurf user /home/ann/.codeium/windsurf/mcp_config.json',
      'zed project /code/shop/.zed/settings.json',
      'zed user /home/ann/.config/zed/settings.json',
      'jetbrains project /code/shop/.junie/mcp/mcp.json',
      'jetbrains user /home/ann/.junie/mcp/mcp.json',
      'codex project /code/shop/.codex/config.toml',
      'codex user /home/ann/.codex/config.toml',
      'gemini project /code/shop/.gemini/settings.json',
      'gemini user /home/ann/.gemini/settings.json',
      'opencode project /code/shop/opencode.json /code/shop/opencode.jsonc',
      'opencode user /home/ann/.config/opencode/opencode.json /home/ann/.config/opencode/opencode.jsonc',
      'goose user /home/ann/.config/goose/config.yaml',
    ]);
  });

  test('on macOS, where it differs', () => {
    expect(files(darwin).filter((line) => line.includes('Library'))).toEqual([
      'vscode user /Users/ann/Library/Application Support/Code/User/mcp.json',
      'claude-desktop user /Users/ann/Library/Application Support/Claude/claude_desktop_config.json',
    ]);
    expect(files(darwin)).toContain('zed user /Users/ann/.config/zed/settings.json');
    expect(files(darwin)).toContain('goose user /Users/ann/.config/goose/config.yaml');
  });

  test('on Windows', () => {
    expect(files(windows).filter((line) => line.includes('user'))).toEqual([
      'vscode user C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\mcp.json',
      'cursor user C:\\Users\\ann\\.cursor\\mcp.json',
      'claude-code user C:\\Users\\ann\\.claude.json',
      'claude-desktop user C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'windsurf user C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json',
      'zed user C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json',
      'jetbrains user C:\\Users\\ann\\.junie\\mcp\\mcp.json',
      'codex user C:\\Users\\ann\\.codex\\config.toml',
      'gemini user C:\\Users\\ann\\.gemini\\settings.json',
      'opencode user C:\\Users\\ann\\.config\\opencode\\opencode.json C:\\Users\\ann\\.config\\opencode\\opencode.jsonc',
      'goose user C:\\Users\\ann\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
    ]);
  });

  test('the variables that move them are heeded', () => {
    const env = { XDG_CONFIG_HOME: '/x', CODEX_HOME: '/c', CLAUDE_CONFIG_DIR: '/k' };
    const moved = files({ ...linux, env }).filter((line) => line.includes('user'));
    expect(moved.filter((line) => !line.includes('/home/ann'))).toEqual([
      'vscode user /x/Code/User/mcp.json',
      'claude-code user /k/.claude.json',
      'claude-desktop user /x/Claude/claude_desktop_config.json',
      'zed user /x/zed/settings.json',
      'codex user /c/config.toml',
      'opencode user /x/opencode/opencode.json /x/opencode/opencode.jsonc',
      'goose user /x/goose/config.yaml',
    ]);
    expect(files({ ...linux, env: { XDG_CONFIG_HOME: 'not/absolute' } })).toEqual(files(linux));
  });
});

describe('roots', () => {
  const roots = (host: string, given: string[], where = linux, scope?: string) => {
    const { wanted } = toConfig({ host, scope, roots: given }, where);
    return (wanted.entry['args'] as string[]).slice(where.platform === 'win32' ? 4 : 2);
  };

  test('inside the working directory, outside of it, and itself', () => {
    const given = ['skills', './a/../b', '/code/shop/c', '.', '..', '../other', '/opt/skills', '..skills'];
    expect(roots('vscode', given)).toEqual([
      `${WORKSPACE}/skills`,
      `${WORKSPACE}/b`,
      `${WORKSPACE}/c`,
      WORKSPACE,
      '/code',
      '/code/other',
      '/opt/skills',
      `${WORKSPACE}/..skills`,
    ]);
    expect(roots('gemini', ['skills', '.', '../other'])).toEqual(['./skills', '.', '/code/other']);
    expect(roots('zed', ['skills'], linux, 'project')).toEqual(['./skills']);
    expect(roots('vscode', ['skills'], linux, 'user')).toEqual(['/code/shop/skills']);
  });

  test('a prefix is kept, and what is none is part of the name', () => {
    expect(
      roots('cursor', ['team=skills', 'a/b-1=../x', 'Team=x', 'a//b=x', '-a=x', 'a=', `${'n'.repeat(65)}=x`]),
    ).toEqual([
      `team=${WORKSPACE}/skills`,
      'a/b-1=/code/x',
      `${WORKSPACE}/Team=x`,
      `${WORKSPACE}/a/b=x`,
      `${WORKSPACE}/-a=x`,
      `${WORKSPACE}/a=`,
      `${WORKSPACE}/${'n'.repeat(65)}=x`,
    ]);
  });

  test('on Windows', () => {
    expect(roots('vscode', ['skills\\a', 'D:\\s', 'team=..\\x', 'a=b=c'], windows)).toEqual([
      `${WORKSPACE}/skills/a`,
      'D:\\s',
      'team=C:\\x',
      `a=${WORKSPACE}/b=c`,
    ]);
  });

  test('a name that the host would read as a variable is refused', () => {
    const dollar = '$' + '{HOME}';
    expect(refusal({ host: 'vscode', roots: [`a${dollar}`] })).toBe(
      `usage: "./a${dollar}": VS Code reads "${dollar}" as a variable; rename the folder`,
    );
    expect(refusal({ host: 'gemini', roots: ['a$HOME'] })).toContain('reads "$HOME" as a variable');
    expect(refusal({ host: 'opencode', roots: ['{file:x}'] })).toContain('reads "{file:x}" as a variable');
    expect(refusal({ host: 'cursor', roots: ['skills'] }, { ...linux, cwd: `/w/${dollar}` })).toContain(
      'as a variable',
    );
    expect(refusal({ host: 'vscode', roots: ['skills'] }, { ...linux, cwd: `/w/${dollar}` })).toContain(
      'as a variable',
    );
    expect(refusal({ host: 'claude-code', roots: ['a$HOME'] })).toBe('accepted');
    expect(refusal({ host: 'codex', roots: [dollar] })).toBe('accepted');
  });
});

describe('the command line', () => {
  test('Windows starts npx through cmd, and so does --windows', () => {
    const args = ['/c', 'npx', '-y', 'mcp-server-skills', `${WORKSPACE}/skills`];
    const value = { servers: { skills: { type: 'stdio', command: 'cmd', args } } };
    expect(print({ host: 'vscode', ...skills }, windows)).toEqual(value);
    expect(print({ host: 'vscode', ...skills, windows: true })).toEqual(value);
    expect(print({ host: 'vscode', ...skills, windows: false }, windows)).toEqual(print({ host: 'vscode', ...skills }));
    expect(toConfig({ host: 'opencode', ...skills }, windows).wanted.entry['command']).toEqual([
      'cmd',
      '/c',
      'npx',
      '-y',
      'mcp-server-skills',
      './skills',
    ]);
  });

  test('what cmd acts on is refused, unless node is started without it', () => {
    const request = { host: 'cursor', roots: ['R&D'] };
    expect(refusal(request, windows)).toBe(
      `usage: "${WORKSPACE}/R&D": cmd acts on "&"; start node without it, with --node`,
    );
    const node = { execPath: 'C:\\node.exe', bin: 'C:\\npm\\bin\\mcp-server-skills.js' };
    expect(print({ ...request, node }, windows)).toEqual({
      mcpServers: { skills: { command: node.execPath, args: [node.bin, `${WORKSPACE}/R&D`] } },
    });
    expect(refusal({ host: 'cursor', roots: ['Program Files (x86)'] }, windows)).toBe('accepted');
  });

  test('a pinned version, and options of serve after the roots', () => {
    expect(print({ host: 'zed', ...skills, pin: '1.2.3', extra: ['--invalid', 'skip'] })).toEqual({
      context_servers: {
        skills: { command: 'npx', args: ['-y', 'mcp-server-skills@1.2.3', '/code/shop/skills', '--invalid', 'skip'] },
      },
    });
    expect(refusal({ host: 'zed', ...skills, pin: '1 || 2' })).toBe(
      'usage: "1 || 2" is no version: write one like 1.2.3',
    );
  });

  test('without a root, the server decides', () => {
    expect(print({ host: 'zed', roots: [] })).toEqual({ context_servers: { skills: npx() } });
  });

  test.each(Object.keys(HOSTS))('hostile names arrive in %s as they are', (host) => {
    const hostile = [
      'it\'s "a" \\ b',
      '#c: d',
      '- e',
      'f\ng\th',
      '\u007F\u0085\u2028\uFEFF',
      '日本 😀',
      '-y',
      '`$(x)`',
    ];
    const value = JSON.stringify(print({ host, roots: hostile.map((name) => `/r/${name}`), name: 'no' }));
    for (const name of hostile) expect(value).toContain(JSON.stringify(`/r/${name}`).slice(1, -1));
    expect(value).toContain('"no":{');
  });
});

describe('wrong usage', () => {
  test.each([
    [
      { host: 'emacs' },
      'unknown host "emacs": one of vscode, cursor, claude-code, claude-desktop, windsurf, zed, jetbrains, codex, gemini, opencode, goose',
    ],
    [
      { host: 'constructor' },
      'unknown host "constructor": one of vscode, cursor, claude-code, claude-desktop, windsurf, zed, jetbrains, codex, gemini, opencode, goose',
    ],
    [{ host: 'goose', scope: 'project' }, 'goose has no project file: the scope is user'],
    [{ host: 'zed', scope: 'global' }, 'unknown scope "global": project or user'],
    [{ host: 'zed', name: '__proto__' }, '"__proto__" is no name for a server: use letters, digits, "-" and "_"'],
    [{ host: 'zed', name: 'a.b' }, '"a.b" is no name for a server: use letters, digits, "-" and "_"'],
    [{ host: 'zed', roots: ['skills', ''] }, 'a root is empty: is a variable unset?'],
    [{ host: 'zed', name: '' }, '"" is no name for a server: use letters, digits, "-" and "_"'],
  ])('%j', (request, message) => {
    expect(refusal({ roots: [], ...request })).toBe(`usage: ${message}`);
  });
});

describe('shortcuts', () => {
  const shortcut = (request: ConfigRequest, where = linux) =>
    toConfig(request, where).shortcuts.map(({ text }) => text);

  test('the link of Cursor holds the entry, with absolute roots, in base64', () => {
    const [link = ''] = shortcut({ host: 'cursor', roots: ['skills', '/ÿ>?'], name: 'mine' });
    const url = new URL(link);
    expect([url.protocol, url.host, url.pathname, url.searchParams.get('name')]).toEqual([
      'cursor:',
      'anysphere.cursor-deeplink',
      '/mcp/install',
      'mine',
    ]);
    const entry: unknown = JSON.parse(Buffer.from(url.searchParams.get('config') ?? '', 'base64').toString());
    expect(entry).toEqual(npx('/code/shop/skills', '/ÿ>?'));
  });

  test('the link of VS Code holds name and entry', () => {
    const [link = ''] = shortcut({ host: 'vscode', ...skills });
    expect(link.split('?', 1)).toEqual(['vscode:mcp/install']);
    const server: unknown = JSON.parse(decodeURIComponent(link.slice(link.indexOf('?') + 1)));
    expect(server).toEqual({ name: 'skills', type: 'stdio', ...npx('/code/shop/skills') });
  });

  test('the command line of Claude Code is quoted for the shell', () => {
    expect(shortcut({ host: 'claude-code', ...skills })).toEqual([
      'claude mcp add --transport stdio --scope project skills -- npx -y mcp-server-skills ./skills',
    ]);
    expect(
      shortcut({ host: 'claude-code', scope: 'user', roots: ["it's $x"], extra: ['--exclude', '**/*.md'] }),
    ).toEqual([
      "claude mcp add --transport stdio --scope user skills -- npx -y mcp-server-skills '/code/shop/it'\\''s $x' --exclude '**/*.md'",
    ]);
    expect(shortcut({ host: 'claude-code', roots: ['my skills'] }, windows)).toEqual([
      'claude mcp add --transport stdio --scope project skills -- cmd /c npx -y mcp-server-skills "./my skills"',
    ]);
    expect(shortcut({ host: 'claude-code', roots: ['a`b'] }, windows)).toEqual([]);
  });
});
