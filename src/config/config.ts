import { ConfigError } from './error.ts';
import { HOSTS, type Host, type HostId, isHostId, type Scope, type Where } from './hosts.ts';
import { json, jsonc } from './json.ts';
import { type Launch, toLaunch } from './launch.ts';
import type { Syntax, Wanted } from './merge.ts';
import { quoteCommand } from './quote.ts';
import { toml } from './toml.ts';
import { yaml } from './yaml.ts';

export interface ConfigRequest {
  host: string;
  /** Folders, or `prefix=folder`. */
  roots: readonly string[];
  /** Default: the host's own. */
  scope?: string | undefined;
  /** The server's name in the file. Default: `skills`. */
  name?: string | undefined;
  /** A version or tag of the package. Default: whatever npx finds. */
  pin?: string | undefined;
  /** Arguments for `serve`, after the roots. */
  extra?: readonly string[] | undefined;
  /** Start npx through cmd. Default: on Windows. */
  windows?: boolean | undefined;
  /** Start this node with this file, not npx. */
  node?: { execPath: string; bin: string } | undefined;
  /** The file, where it is not in its usual place. */
  file?: string | undefined;
}

/** What to put where. */
export interface Config {
  host: Host;
  scope: Scope;
  /** Absolute; the first that exists is meant, else the first. */
  files: readonly [string, ...string[]];
  syntax: Syntax;
  wanted: Wanted;
  /** A whole file that holds the entry alone. */
  text: string;
  /** Other ways to the same, each a command line or a link, with what to do with it. */
  shortcuts: readonly { label: string; text: string }[];
  notes: readonly string[];
}

const SYNTAXES = { json, jsonc, toml, yaml } as const satisfies Record<Host['format'], Syntax>;

/** The configuration that is asked for. Touches no file. Throws a ConfigError for a request that has no answer. */
export function toConfig(request: ConfigRequest, where: Where): Config {
  if (!isHostId(request.host)) {
    throw new ConfigError('usage', `unknown host "${request.host}": one of ${Object.keys(HOSTS).join(', ')}`);
  }
  const host: Host = HOSTS[request.host];
  const scope = toScope(request.scope ?? host.scope);
  const place = host.places[scope];
  if (place === undefined) {
    const offered = Object.keys(host.places).join(', ');
    throw new ConfigError('usage', `${host.title} has no ${scope} file: the scope is ${offered}`);
  }
  const name = request.name ?? 'skills';
  // What every host accepts: Claude Code and Codex refuse other characters.
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) {
    throw new ConfigError('usage', `"${name}" is no name for a server: use letters, digits, "-" and "_"`);
  }
  const windows = request.windows ?? where.platform === 'win32';
  const { roots, pin, node, extra = [] } = request;
  const { expands, title } = host;
  const options = { roots, pin, node, extra, windows, expands, title };
  const launch = toLaunch({ ...options, form: place.roots }, where);
  const entry = host.toEntry(launch, name);
  const wanted = { container: host.container, name, entry, launchKeys: host.launchKeys };
  const syntax = SYNTAXES[host.format];
  return {
    host,
    scope,
    files: request.file === undefined ? place.files(where) : [request.file],
    syntax,
    wanted,
    text: syntax.print(wanted),
    shortcuts: toShortcuts(request.host, name, scope, launch, toLaunch({ ...options, form: 'absolute' }, where), where),
    notes: host.notes(scope, where),
  };
}

function toScope(scope: string): Scope {
  if (scope === 'project' || scope === 'user') return scope;
  throw new ConfigError('usage', `unknown scope "${scope}": project or user`);
}

// A link installs for the user, so its roots are absolute whatever the file's are.
function toShortcuts(
  id: HostId,
  name: string,
  scope: Scope,
  launch: Launch,
  absolute: Launch,
  where: Where,
): { label: string; text: string }[] {
  if (id === 'vscode') {
    const server = JSON.stringify({ name, type: 'stdio', command: absolute.command, args: absolute.args });
    return [{ label: 'open this link', text: `vscode:mcp/install?${encodeURIComponent(server)}` }];
  }
  if (id === 'cursor') {
    const server = Buffer.from(JSON.stringify({ command: absolute.command, args: absolute.args })).toString('base64');
    const query = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(server)}`;
    return [{ label: 'open this link', text: `cursor://anysphere.cursor-deeplink/mcp/install?${query}` }];
  }
  if (id !== 'claude-code') return [];
  const words = [
    'claude',
    'mcp',
    'add',
    '--transport',
    'stdio',
    '--scope',
    scope,
    name,
    '--',
    launch.command,
    ...launch.args,
  ];
  const line = quoteCommand(words, { windows: where.platform === 'win32' });
  return line === undefined ? [] : [{ label: 'run this command', text: line }];
}
