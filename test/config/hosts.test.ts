import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { type ConfigRequest, toConfig } from '../../src/config/configure.ts';
import type { Where } from '../../src/config/host.ts';
import { HOSTS } from '../../src/config/hosts.ts';
import { HOST_IDS } from '../../src/config/ids.ts';
import { CommandError, EXIT } from '../../src/error.ts';

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
    if (error instanceof CommandError) return `${error.status === EXIT.usage ? 'usage' : 'file'}: ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const WORKSPACE = '$' + '{workspaceFolder}';
const npx = (...roots: string[]) => ({ command: 'npx', args: ['-y', 'mcp-server-skills', ...roots] });
const skills = { roots: ['skills'] };

test('the names on the command line are those of the hosts', () => {
  expect(Object.keys(HOSTS)).toEqual(HOST_IDS);
});

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
    antigravity: { mcpServers: { skills: absolute } },
    kiro: { mcpServers: { skills: absolute } },
    roo: { mcpServers: { skills: npx('./skills') } },
    warp: { mcpServers: { skills: absolute } },
    lmstudio: { mcpServers: { skills: absolute } },
    continue: { mcpServers: { skills: { type: 'stdio', ...absolute } } },
    copilot: { mcpServers: { skills: { type: 'stdio', ...absolute, tools: ['*'] } } },
    qwen: { mcpServers: { skills: npx('./skills') } },
    cline: { mcpServers: { skills: absolute } },
    droid: { mcpServers: { skills: { type: 'stdio', ...absolute } } },
    auggie: { mcpServers: { skills: { type: 'stdio', ...absolute } } },
    amp: { 'amp.mcpServers': { skills: absolute } },
    crush: { mcp: { skills: { type: 'stdio', ...absolute, timeout: 60 } } },
    codex: { mcp_servers: { skills: { ...absolute, startup_timeout_sec: 60, required: true } } },
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
      required = true
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

describe('a server over HTTP', () => {
  const url = 'https://example.com/mcp';
  const headers = { Authorization: 'Bearer x', 'X-A.b': '"1", 2' };
  const given = { roots: [], url, headers: ['Authorization: Bearer x', 'X-A.b:  "1", 2 '] };
  const typed = (type: string) => ({ type, url, headers });

  test('each host has its own keys', () => {
    const goose = { enabled: true, name: 'skills', description: 'Agent Skills over MCP', envs: {}, env_keys: [] };
    const expected: Record<Exclude<keyof typeof HOSTS, 'claude-desktop' | 'jetbrains'>, unknown> = {
      vscode: { servers: { skills: typed('http') } },
      cursor: { mcpServers: { skills: { url, headers } } },
      windsurf: { mcpServers: { skills: { serverUrl: url, headers } } },
      zed: { context_servers: { skills: { url, headers } } },
      antigravity: { mcpServers: { skills: { serverUrl: url, headers } } },
      kiro: { mcpServers: { skills: { url, headers } } },
      roo: { mcpServers: { skills: typed('streamable-http') } },
      warp: { mcpServers: { skills: { url, headers } } },
      lmstudio: { mcpServers: { skills: { url, headers } } },
      continue: { mcpServers: { skills: typed('http') } },
      'claude-code': { mcpServers: { skills: typed('http') } },
      codex: { mcp_servers: { skills: { url, http_headers: headers, required: true } } },
      gemini: { mcpServers: { skills: { httpUrl: url, headers } } },
      opencode: { mcp: { skills: typed('remote') } },
      goose: { extensions: { skills: { ...goose, type: 'streamable_http', uri: url, headers, timeout: 300 } } },
      copilot: { mcpServers: { skills: { ...typed('http'), tools: ['*'] } } },
      qwen: { mcpServers: { skills: { httpUrl: url, headers } } },
      cline: { mcpServers: { skills: typed('streamableHttp') } },
      droid: { mcpServers: { skills: typed('http') } },
      auggie: { mcpServers: { skills: typed('http') } },
      amp: { 'amp.mcpServers': { skills: { url, headers } } },
      crush: { mcp: { skills: typed('http') } },
    };
    const hosts = Object.keys(expected);
    expect(Object.fromEntries(hosts.map((host) => [host, print({ host, ...given })]))).toEqual(expected);
    expect(Object.keys(HOSTS).filter((host) => !hosts.includes(host))).toEqual(['claude-desktop', 'jetbrains']);
    expect(print({ host: 'cursor', roots: [], url })).toEqual({ mcpServers: { skills: { url } } });
  });

  test('two hosts take it elsewhere', () => {
    expect(refusal({ host: 'claude-desktop', ...given })).toBe(
      'usage: Claude Desktop takes no address from its file: add the address in Settings > Connectors > Add custom connector',
    );
    expect(refusal({ host: 'jetbrains', ...given })).toContain('AI Assistant > Model Context Protocol (MCP)');
  });

  test('links and the command line hold it, too', () => {
    const text = (host: string) => toConfig({ host, ...given }, linux).shortcuts[0]?.text ?? '';
    expect(text('claude-code')).toBe(
      `claude mcp add --transport http --scope project skills ${url} --header 'Authorization: Bearer x' --header 'X-A.b: "1", 2'`,
    );
    const server: unknown = JSON.parse(decodeURIComponent(text('vscode').slice(text('vscode').indexOf('?') + 1)));
    expect(server).toEqual({ name: 'skills', ...typed('http') });
    const cursor = new URL(text('cursor')).searchParams.get('config') ?? '';
    expect(JSON.parse(Buffer.from(cursor, 'base64').toString())).toEqual({ url, headers });
  });

  test.each([
    [
      { url: 'example.com/mcp' },
      '"example.com/mcp" is not the address of a server: write one like https://skills.example.com/mcp',
    ],
    [
      { url: 'file:///etc/passwd' },
      '"file:///etc/passwd" is not the address of a server: write one like https://skills.example.com/mcp',
    ],
    [
      { url: 'https://ann:pw@example.com/mcp' },
      "leave the user out of the address, and write --header 'Authorization: Basic …'",
    ],
    [{ url, headers: ['Bearer x'] }, `"Bearer x" is not a header: write 'Name: value'`],
    [{ url, headers: ['A B: x'] }, `"A B: x" is not a header: write 'Name: value'`],
    [{ url, headers: ['A: '] }, `"A: " is not a header: write 'Name: value'`],
    [{ url, headers: ['A: x\r\nB: y'] }, `"A: x\r\nB: y" is not a header: write 'Name: value'`],
    [{ url, headers: ['A: Bearer …'] }, '"A: Bearer …": a header cannot contain "…"'],
    [{ url, headers: ['A: x', 'a: y'] }, 'the header "a" is given twice'],
    [{ url, roots: ['skills'] }, 'a root is for a server that the host starts: leave it out, or --url'],
    [{ url, pin: '1.0.0' }, '--pin is for a server that the host starts: leave it out, or --url'],
    [{ url, extra: ['--strict'] }, 'what follows "--" is for a server that the host starts: leave it out, or --url'],
    [{ headers: ['A: x'] }, '--header is for a server over HTTP: it needs --url'],
  ])('%j', (request, message) => {
    expect(refusal({ host: 'cursor', roots: [], ...request })).toBe(`usage: ${message}`);
  });

  test('what a person should know of the address', () => {
    const notes = (address: string, given: readonly string[], scope: string) =>
      toConfig({ host: 'claude-code', roots: [], url: address, headers: given, scope }, linux).notes;
    const shared =
      'everyone who gets this project also gets the headers: keep secrets in --scope user, or in a variable of the host';
    const open = 'http does not encrypt the headers: use https';
    const where = 'mcp-server-skills answers at /mcp: did you mean http://example.com/mcp?';
    expect(notes('http://example.com', ['a: b'], 'user')).toEqual([open, where]);
    expect(notes('http://example.com/mcp', [], 'user')).toEqual([]);
    expect(notes('http://127.0.0.1:3000/mcp', ['a: b'], 'user')).toEqual([]);
    expect(notes('http://[::1]:3000/mcp', ['a: b'], 'user')).toEqual([]);
    expect(notes(url, ['a: b'], 'project').slice(1)).toEqual([shared]);
  });
});

describe('the version', () => {
  const notes = (request: Partial<ConfigRequest>) =>
    toConfig({ host: 'codex', ...skills, version: '1.2.3', ...request }, linux).notes.slice(1);
  const node = 'each start of Codex waits for npx: --node starts an installed package at once';

  test('npx never updates it, unless it is pinned anew', () => {
    expect(notes({})).toEqual([
      'npx keeps the version that it fetched first, and never updates it: --pin writes mcp-server-skills@1.2.3',
      node,
    ]);
    expect(notes({ pin: '1.0.0' })).toEqual([
      'npx starts mcp-server-skills@1.0.0 until another --pin is written',
      node,
    ]);
    expect(notes({ node: { execPath: '/node', bin: '/bin.js' } })).toEqual([]);
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
      'claude-desktop user /home/ann/.config/Claude/claude_desktop_config.json',
      'windsurf user /home/ann/.codeium/windsurf/mcp_config.json',
      'zed project /code/shop/.zed/settings.json',
      'zed user /home/ann/.config/zed/settings.json',
      'jetbrains project /code/shop/.junie/mcp/mcp.json',
      'jetbrains user /home/ann/.junie/mcp/mcp.json',
      'antigravity user /home/ann/.gemini/config/mcp_config.json',
      'kiro project /code/shop/.kiro/settings/mcp.json',
      'kiro user /home/ann/.kiro/settings/mcp.json',
      'roo project /code/shop/.roo/mcp.json',
      'warp project /code/shop/.warp/.mcp.json',
      'warp user /home/ann/.warp/.mcp.json',
      'lmstudio user /home/ann/.lmstudio/mcp.json',
      'continue project /code/shop/.continue/mcpServers/mcp.json',
      'continue user /home/ann/.continue/mcpServers/mcp.json',
      'claude-code project /code/shop/.mcp.json',
      'claude-code user /home/ann/.claude.json',
      'codex project /code/shop/.codex/config.toml',
      'codex user /home/ann/.codex/config.toml',
      'gemini project /code/shop/.gemini/settings.json',
      'gemini user /home/ann/.gemini/settings.json',
      'opencode project /code/shop/opencode.json /code/shop/opencode.jsonc',
      'opencode user /home/ann/.config/opencode/opencode.json /home/ann/.config/opencode/opencode.jsonc',
      'goose user /home/ann/.config/goose/config.yaml',
      'copilot project /code/shop/.mcp.json /code/shop/.github/mcp.json',
      'copilot user /home/ann/.copilot/mcp-config.json',
      'qwen project /code/shop/.qwen/settings.json',
      'qwen user /home/ann/.qwen/settings.json',
      'cline user /home/ann/.cline/data/settings/cline_mcp_settings.json',
      'droid project /code/shop/.factory/mcp.json',
      'droid user /home/ann/.factory/mcp.json',
      'auggie project /code/shop/.augment/settings.json',
      'auggie user /home/ann/.augment/settings.json',
      'amp project /code/shop/.amp/settings.json',
      'amp user /home/ann/.config/amp/settings.json',
      'crush project /code/shop/crush.json /code/shop/.crush.json',
      'crush user /home/ann/.config/crush/crush.json',
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
      'claude-desktop user C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      'windsurf user C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json',
      'zed user C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json',
      'jetbrains user C:\\Users\\ann\\.junie\\mcp\\mcp.json',
      'antigravity user C:\\Users\\ann\\.gemini\\config\\mcp_config.json',
      'kiro user C:\\Users\\ann\\.kiro\\settings\\mcp.json',
      'warp user C:\\Users\\ann\\.warp\\.mcp.json',
      'lmstudio user C:\\Users\\ann\\.lmstudio\\mcp.json',
      'continue user C:\\Users\\ann\\.continue\\mcpServers\\mcp.json',
      'claude-code user C:\\Users\\ann\\.claude.json',
      'codex user C:\\Users\\ann\\.codex\\config.toml',
      'gemini user C:\\Users\\ann\\.gemini\\settings.json',
      'opencode user C:\\Users\\ann\\.config\\opencode\\opencode.json C:\\Users\\ann\\.config\\opencode\\opencode.jsonc',
      'goose user C:\\Users\\ann\\AppData\\Roaming\\Block\\goose\\config\\config.yaml',
      'copilot user C:\\Users\\ann\\.copilot\\mcp-config.json',
      'qwen user C:\\Users\\ann\\.qwen\\settings.json',
      'cline user C:\\Users\\ann\\.cline\\data\\settings\\cline_mcp_settings.json',
      'droid user C:\\Users\\ann\\.factory\\mcp.json',
      'auggie user C:\\Users\\ann\\.augment\\settings.json',
      'amp user C:\\Users\\ann\\.config\\amp\\settings.json',
      'crush user C:\\Users\\ann\\AppData\\Local\\crush\\crush.json',
    ]);
  });

  test('the variables that move them are heeded', () => {
    const env = {
      XDG_CONFIG_HOME: '/x',
      CODEX_HOME: '/c',
      CLAUDE_CONFIG_DIR: '/k',
      COPILOT_HOME: '/o',
      QWEN_HOME: '/q',
      CLINE_DIR: '/l',
      CONTINUE_GLOBAL_DIR: '/n',
    };
    const moved = files({ ...linux, env }).filter((line) => line.includes('user'));
    expect(moved.filter((line) => !line.includes('/home/ann'))).toEqual([
      'vscode user /x/Code/User/mcp.json',
      'claude-desktop user /x/Claude/claude_desktop_config.json',
      'zed user /x/zed/settings.json',
      'continue user /n/mcpServers/mcp.json',
      'claude-code user /k/.claude.json',
      'codex user /c/config.toml',
      'opencode user /x/opencode/opencode.json /x/opencode/opencode.jsonc',
      'goose user /x/goose/config.yaml',
      'copilot user /o/mcp-config.json',
      'qwen user /q/settings.json',
      'cline user /l/data/settings/cline_mcp_settings.json',
      'amp user /x/amp/settings.json',
      'crush user /x/crush/crush.json',
    ]);
    const cline = (more: Where['env']) =>
      toConfig({ host: 'cline', ...skills }, { ...linux, env: { ...env, ...more } }).files;
    expect(cline({ CLINE_DATA_DIR: '/d' })).toEqual(['/d/settings/cline_mcp_settings.json']);
    expect(cline({ CLINE_DATA_DIR: '/d', CLINE_MCP_SETTINGS_PATH: '/m.json' })).toEqual(['/m.json']);
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
      'usage: "1 || 2" is not a version: write one like 1.2.3',
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
    // Crush runs what stands in $(…), and is not given it
    if (host === 'crush') expect(refusal({ host, roots: [`/r/${hostile.pop()}`] })).toContain('Crush reads "`" as');
    const value = JSON.stringify(print({ host, roots: hostile.map((name) => `/r/${name}`), name: 'no' }));
    for (const name of hostile) expect(value).toContain(JSON.stringify(`/r/${name}`).slice(1, -1));
    expect(value).toContain('"no":{');
  });
});

describe('wrong usage', () => {
  test.each([
    [
      { host: 'emacs' },
      'unknown host "emacs": one of vscode, cursor, claude-desktop, windsurf, zed, jetbrains, antigravity, kiro, roo, warp, lmstudio, continue, claude-code, codex, gemini, opencode, goose, copilot, qwen, cline, droid, auggie, amp, crush',
    ],
    [
      { host: 'constructor' },
      'unknown host "constructor": one of vscode, cursor, claude-desktop, windsurf, zed, jetbrains, antigravity, kiro, roo, warp, lmstudio, continue, claude-code, codex, gemini, opencode, goose, copilot, qwen, cline, droid, auggie, amp, crush',
    ],
    [{ host: 'claude' }, 'unknown host "claude": did you mean claude-code or claude-desktop?'],
    [{ host: 'Cursor' }, 'unknown host "Cursor": did you mean cursor?'],
    [{ host: 'vs code' }, 'unknown host "vs code": did you mean vscode?'],
    [{ host: 'copilot-cli' }, 'unknown host "copilot-cli": did you mean copilot?'],
    [{ host: 'gemni' }, 'unknown host "gemni": did you mean gemini?'],
    [{ host: 'junie' }, 'unknown host "junie": did you mean jetbrains?'],
    [{ host: 'qwen-code' }, 'unknown host "qwen-code": did you mean qwen?'],
    [{ host: 'goose', scope: 'project' }, 'goose has no project file: the scope is user'],
    [{ host: 'zed', scope: 'global' }, 'unknown scope "global": project or user'],
    [{ host: 'zed', name: '__proto__' }, '"__proto__" is not a name for a server: use letters, digits, "-" and "_"'],
    [{ host: 'zed', name: 'a.b' }, '"a.b" is not a name for a server: use letters, digits, "-" and "_"'],
    [{ host: 'zed', roots: ['skills', ''] }, 'a root is empty: is a variable unset?'],
    [{ host: 'zed', name: '' }, '"" is not a name for a server: use letters, digits, "-" and "_"'],
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
