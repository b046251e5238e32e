import { type Host, toCommandAndArgs, toTypedUrl, toUrl, VARIABLE, withHeaders } from './host.ts';
import { inAppData, inFolder, inHome, inProject, inXdg, toPaths } from './places.ts';

/** `$NAME` and `${NAME}`. */
const DOLLAR = /\$\{[^}]*\}|\$[a-z_]\w*/i;

/** Hosts that are started in a terminal. */
export const AGENTS = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    container: 'mcpServers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.mcp.json')], roots: 'relative' },
      user: { files: (where) => [inFolder(where, 'CLAUDE_CONFIG_DIR', [], '.claude.json')], roots: 'absolute' },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch) }),
    toRemoteEntry: toTypedUrl('http'),
    launchKeys: ['type', 'command', 'args'],
    expands: VARIABLE,
    costOfNpx: 'a server that takes more than 2.5 seconds to start is spoken to in an older revision of MCP',
    notes: (scope) =>
      scope === 'project' ? ['Claude Code asks once whether to trust the server; start it in this folder'] : [],
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    container: 'mcp_servers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.codex', 'config.toml')], roots: 'absolute' },
      user: { files: (where) => [inFolder(where, 'CODEX_HOME', ['.codex'], 'config.toml')], roots: 'absolute' },
    },
    // The default of 10 seconds is shorter than a first npx, which downloads. Unless it is required, a run begins without it.
    toEntry: (launch) => ({ ...toCommandAndArgs(launch), startup_timeout_sec: 60, required: true }),
    toRemoteEntry: (remote) => ({ ...withHeaders({ url: remote.url }, remote, 'http_headers'), required: true }),
    launchKeys: ['command', 'args'],
    costOfNpx: 'each start of Codex waits for npx',
    notes: (scope) => [
      ...(scope === 'project' ? ['Codex reads the file in trusted projects only'] : []),
      'with required = true, Codex waits for the server and does not start without it',
    ],
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.gemini', 'settings.json')], roots: 'relative' },
      user: { files: (where) => [inHome(where, '.gemini', 'settings.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    toRemoteEntry: (remote) => withHeaders({ httpUrl: remote.url }, remote),
    launchKeys: ['command', 'args'],
    expands: DOLLAR,
    notes: () => ['Gemini CLI starts servers in trusted folders only'],
  },
  opencode: {
    title: 'OpenCode',
    format: 'jsonc',
    container: 'mcp',
    scope: 'project',
    places: {
      project: {
        files: (where) => [inProject(where, 'opencode.json'), inProject(where, 'opencode.jsonc')],
        roots: 'relative',
      },
      user: {
        files: (where) => [
          inXdg(where, true, 'opencode', 'opencode.json'),
          inXdg(where, true, 'opencode', 'opencode.jsonc'),
        ],
        roots: 'absolute',
      },
    },
    // In milliseconds. The default of 5 seconds is shorter than a first npx, which downloads.
    toEntry: ({ command, args }) => ({ type: 'local', command: [command, ...args], timeout: 60_000 }),
    toRemoteEntry: toTypedUrl('remote'),
    launchKeys: ['type', 'command'],
    expands: /\{(?:env|file):[^}]*\}/,
    notes: (scope) => (scope === 'project' ? ['start OpenCode in this folder'] : []),
  },
  goose: {
    title: 'goose',
    format: 'yaml',
    container: 'extensions',
    scope: 'user',
    places: {
      user: {
        files: (where) => [
          where.platform === 'win32'
            ? inAppData(where, 'Block', 'goose', 'config', 'config.yaml')
            : inXdg(where, true, 'goose', 'config.yaml'),
        ],
        roots: 'absolute',
      },
    },
    toEntry: ({ command, args }, name) => ({
      enabled: true,
      type: 'stdio',
      name,
      description: 'Agent Skills over MCP',
      cmd: command,
      args,
      envs: {},
      env_keys: [],
      timeout: 300,
    }),
    toRemoteEntry: ({ url, headers }, name) => ({
      enabled: true,
      type: 'streamable_http',
      name,
      description: 'Agent Skills over MCP',
      uri: url,
      headers,
      envs: {},
      env_keys: [],
      timeout: 300,
    }),
    launchKeys: ['type', 'cmd', 'args'],
    notes: () => ['a session that is open goes on without it: start a new one'],
  },
  copilot: {
    title: 'Copilot CLI',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'user',
    places: {
      project: {
        files: (where) => [inProject(where, '.mcp.json'), inProject(where, '.github', 'mcp.json')],
        roots: 'relative',
      },
      user: { files: (where) => [inFolder(where, 'COPILOT_HOME', ['.copilot'], 'mcp-config.json')], roots: 'absolute' },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch), tools: ['*'] }),
    toRemoteEntry: (remote) => ({ ...toTypedUrl('http')(remote), tools: ['*'] }),
    launchKeys: ['type', 'command', 'args'],
    expands: DOLLAR,
    notes: (scope) => (scope === 'project' ? ['Copilot CLI reads the file in trusted folders only'] : []),
  },
  qwen: {
    title: 'Qwen Code',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.qwen', 'settings.json')], roots: 'relative' },
      user: { files: (where) => [inFolder(where, 'QWEN_HOME', ['.qwen'], 'settings.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    toRemoteEntry: (remote) => withHeaders({ httpUrl: remote.url }, remote),
    launchKeys: ['command', 'args'],
    expands: DOLLAR,
    notes: (scope) => (scope === 'project' ? ['start Qwen Code in this folder, and trust it'] : []),
  },
  cline: {
    title: 'Cline',
    format: 'json',
    container: 'mcpServers',
    scope: 'user',
    places: {
      user: {
        files: (where) => [
          where.env['CLINE_MCP_SETTINGS_PATH'] ||
            (where.env['CLINE_DATA_DIR']
              ? toPaths(where).join(where.env['CLINE_DATA_DIR'], 'settings', 'cline_mcp_settings.json')
              : inFolder(where, 'CLINE_DIR', ['.cline'], 'data', 'settings', 'cline_mcp_settings.json')),
        ],
        roots: 'absolute',
      },
    },
    toEntry: toCommandAndArgs,
    toRemoteEntry: toTypedUrl('streamableHttp'),
    launchKeys: ['command', 'args'],
    notes: () => ['for the extension of an editor, name with --file the file that MCP Servers > Configure opens'],
  },
  droid: {
    title: 'Droid',
    format: 'json',
    container: 'mcpServers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.factory', 'mcp.json')], roots: 'absolute' },
      user: { files: (where) => [inHome(where, '.factory', 'mcp.json')], roots: 'absolute' },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch) }),
    toRemoteEntry: toTypedUrl('http'),
    launchKeys: ['type', 'command', 'args'],
    expands: VARIABLE,
    notes: () => ['/mcp in Droid shows it'],
  },
  auggie: {
    title: 'Auggie',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.augment', 'settings.json')], roots: 'absolute' },
      user: { files: (where) => [inHome(where, '.augment', 'settings.json')], roots: 'absolute' },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch) }),
    toRemoteEntry: toTypedUrl('http'),
    launchKeys: ['type', 'command', 'args'],
    expands: VARIABLE,
    notes: () => ['auggie mcp list shows it'],
  },
  amp: {
    title: 'Amp',
    format: 'jsonc',
    container: 'amp.mcpServers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.amp', 'settings.json')], roots: 'absolute' },
      user: { files: (where) => [inXdg(where, true, 'amp', 'settings.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    toRemoteEntry: toUrl,
    launchKeys: ['command', 'args'],
    expands: VARIABLE,
    notes: (scope) => (scope === 'project' ? ['Amp asks for approval before it starts the server'] : []),
  },
  crush: {
    title: 'Crush',
    format: 'json',
    container: 'mcp',
    scope: 'project',
    places: {
      project: {
        files: (where) => [inProject(where, 'crush.json'), inProject(where, '.crush.json')],
        roots: 'absolute',
      },
      user: {
        files: (where) => [
          where.platform === 'win32'
            ? inFolder(where, 'LOCALAPPDATA', ['AppData', 'Local'], 'crush', 'crush.json')
            : inXdg(where, true, 'crush', 'crush.json'),
        ],
        roots: 'absolute',
      },
    },
    // In seconds. The default of 15 may be shorter than a first npx, which downloads.
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch), timeout: 60 }),
    toRemoteEntry: toTypedUrl('http'),
    launchKeys: ['type', 'command', 'args'],
    // variables, and commands: $(…)
    expands: /\$[\w({]*|`/,
    notes: () => [],
  },
} as const satisfies Record<string, Host>;
