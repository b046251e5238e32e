import { posix, win32 } from 'node:path';
import type { Launch } from './launch.ts';

/** `project` files are shared with the people who share the folder, `user` files are one person's. */
export type Scope = 'project' | 'user';

/** `json` is read strictly by its host, `jsonc` may hold comments and trailing commas. */
type Format = 'json' | 'jsonc' | 'toml' | 'yaml';

export type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

/** What a path is worked out from; nothing of it is read from the process. */
export interface Where {
  platform: NodeJS.Platform;
  home: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * How a root is named in a file: `workspace` and `relative` apply to roots inside the working directory, because the host
 * knows that folder or starts the server in it; every other root is absolute.
 */
export type RootForm = 'workspace' | 'relative' | 'absolute';

interface Place {
  /** Candidates: the first that exists is used, else the first. */
  files: (where: Where) => readonly [string, ...string[]];
  roots: RootForm;
}

export interface Host {
  title: string;
  format: Format;
  /** The key whose members are the servers. */
  container: string;
  /** The scope that is meant when none is asked for. */
  scope: Scope;
  places: Partial<Record<Scope, Place>>;
  /** The server's entry. */
  toEntry: (launch: Launch, name: string) => { readonly [key: string]: Value };
  /** The keys of an entry that say how the server starts: only these are rewritten in an entry that is there already. */
  launchKeys: readonly string[];
  /** What the host replaces in an argument: a folder with such a name would not arrive as it is written. */
  expands?: RegExp;
  /** What is left to do or to know, for a person. */
  notes: (scope: Scope, where: Where) => readonly string[];
}

const VARIABLE = /\$\{[^}]*\}/;

const toCommandAndArgs = ({ command, args }: Launch) => ({ command, args });

/** Every host that a configuration can be printed for. */
export const HOSTS = {
  vscode: {
    title: 'VS Code',
    format: 'jsonc',
    container: 'servers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.vscode', 'mcp.json')], roots: 'workspace' },
      user: { files: (where) => [inAppData(where, 'Code', 'User', 'mcp.json')], roots: 'absolute' },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch) }),
    launchKeys: ['type', 'command', 'args'],
    expands: VARIABLE,
    notes: () => ['then run "MCP: List Servers" in VS Code and start it'],
  },
  cursor: {
    title: 'Cursor',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.cursor', 'mcp.json')], roots: 'workspace' },
      user: { files: (where) => [inHome(where, '.cursor', 'mcp.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    launchKeys: ['command', 'args'],
    expands: VARIABLE,
    notes: () => ['then enable it in Cursor Settings > Tools & MCP'],
  },
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    container: 'mcpServers',
    scope: 'project',
    places: {
      project: { files: (where) => [inProject(where, '.mcp.json')], roots: 'relative' },
      user: {
        files: (where) => [toPaths(where).join(where.env['CLAUDE_CONFIG_DIR'] || where.home, '.claude.json')],
        roots: 'absolute',
      },
    },
    toEntry: (launch) => ({ type: 'stdio', ...toCommandAndArgs(launch) }),
    launchKeys: ['type', 'command', 'args'],
    expands: VARIABLE,
    notes: (scope) =>
      scope === 'project' ? ['Claude Code asks once whether to trust the server; start it in this folder'] : [],
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    container: 'mcpServers',
    scope: 'user',
    places: {
      user: { files: (where) => [inAppData(where, 'Claude', 'claude_desktop_config.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    launchKeys: ['command', 'args'],
    notes: (_scope, where) => [
      'then quit Claude Desktop and open it again',
      ...(where.platform === 'win32'
        ? [
            'the Store edition keeps the file elsewhere: Settings > Developer > Edit Config shows it; name it with --file',
          ]
        : []),
    ],
  },
  windsurf: {
    title: 'Windsurf',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'user',
    places: {
      user: { files: (where) => [inHome(where, '.codeium', 'windsurf', 'mcp_config.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    launchKeys: ['command', 'args'],
    expands: VARIABLE,
    notes: () => ['then press refresh in the MCP panel of Cascade'],
  },
  zed: {
    title: 'Zed',
    format: 'jsonc',
    container: 'context_servers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.zed', 'settings.json')], roots: 'relative' },
      user: {
        files: (where) => [
          where.platform === 'win32'
            ? inAppData(where, 'Zed', 'settings.json')
            : inXdg(where, where.platform === 'linux', 'zed', 'settings.json'),
        ],
        roots: 'absolute',
      },
    },
    toEntry: toCommandAndArgs,
    launchKeys: ['command', 'args'],
    notes: (scope) => (scope === 'project' ? ['Zed starts the server once the folder is trusted'] : []),
  },
  jetbrains: {
    title: 'JetBrains (Junie)',
    format: 'jsonc',
    container: 'mcpServers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.junie', 'mcp', 'mcp.json')], roots: 'absolute' },
      user: { files: (where) => [inHome(where, '.junie', 'mcp', 'mcp.json')], roots: 'absolute' },
    },
    toEntry: toCommandAndArgs,
    launchKeys: ['command', 'args'],
    expands: VARIABLE,
    notes: () => [
      'AI Assistant reads no file: paste the text in Settings > Tools > AI Assistant > Model Context Protocol (MCP) > Add > As JSON',
    ],
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    container: 'mcp_servers',
    scope: 'user',
    places: {
      project: { files: (where) => [inProject(where, '.codex', 'config.toml')], roots: 'absolute' },
      user: {
        files: (where) => [toPaths(where).join(where.env['CODEX_HOME'] || inHome(where, '.codex'), 'config.toml')],
        roots: 'absolute',
      },
    },
    // The default of 10 seconds is shorter than a first npx, which downloads.
    toEntry: (launch) => ({ ...toCommandAndArgs(launch), startup_timeout_sec: 60 }),
    launchKeys: ['command', 'args'],
    notes: (scope) => (scope === 'project' ? ['Codex reads the file in trusted projects only'] : []),
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
    launchKeys: ['command', 'args'],
    expands: /\$\{[^}]*\}|\$[a-z_]\w*/i,
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
    launchKeys: ['type', 'cmd', 'args'],
    notes: () => ['a session that is open goes on without it: start a new one'],
  },
} as const satisfies Record<string, Host>;

export type HostId = keyof typeof HOSTS;

export function isHostId(text: string): text is HostId {
  return Object.hasOwn(HOSTS, text);
}

/** The path functions of the platform that is written for. */
export function toPaths(where: Pick<Where, 'platform'>): typeof posix {
  return where.platform === 'win32' ? win32 : posix;
}

function inProject(where: Where, ...names: string[]): string {
  return toPaths(where).join(where.cwd, ...names);
}

function inHome(where: Where, ...names: string[]): string {
  return toPaths(where).join(where.home, ...names);
}

/** Where Electron's `appData` is. */
function inAppData(where: Where, ...names: string[]): string {
  if (where.platform === 'win32') {
    return win32.join(where.env['APPDATA'] || inHome(where, 'AppData', 'Roaming'), ...names);
  }
  return where.platform === 'darwin'
    ? inHome(where, 'Library', 'Application Support', ...names)
    : inXdg(where, true, ...names);
}

/** `$XDG_CONFIG_HOME`, which is to be ignored unless it is absolute (XDG Base Directory Specification), else ~/.config. */
function inXdg(where: Where, heeded: boolean, ...names: string[]): string {
  const paths = toPaths(where);
  const set = where.env['XDG_CONFIG_HOME'];
  return paths.join(heeded && set && paths.isAbsolute(set) ? set : inHome(where, '.config'), ...names);
}
