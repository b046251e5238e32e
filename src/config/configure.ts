import { CommandError, EXIT } from '../error.ts';
import { escapeText } from '../text/escape.ts';
import { quoteCommand } from '../text/shell.ts';
import type { Entry, Host, Launch, ListFolder, Scope, Where } from './host.ts';
import { HOSTS } from './hosts.ts';
import { HOST_IDS, type HostId, isHostId } from './ids.ts';
import { json, jsonc } from './jsonc.ts';
import { PACKAGE, toLaunch } from './launch.ts';
import type { Syntax, Wanted } from './merge.ts';
import { describeRemote, type Remote, toRemote } from './remote.ts';
import { suggestHosts } from './suggest.ts';
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
  /** The version of this package. */
  version?: string | undefined;
  /** A version or tag of the package. Default: whatever npx finds. */
  pin?: string | undefined;
  /** The address of a server over HTTP, which the host is to reach instead of starting one. */
  url?: string | undefined;
  /** Headers for that server, `Name: value`. */
  headers?: readonly string[] | undefined;
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
  /** Looks for files that go before those. */
  findFiles: (list: ListFolder) => Promise<readonly string[]>;
  syntax: Syntax;
  wanted: Wanted;
  /** Of a file that is created: one that holds headers is its owner's alone. */
  mode: number | undefined;
  /** A whole file that holds the entry alone. */
  text: string;
  /** Other ways to the same, each a command line or a link, with what to do with it. */
  shortcuts: readonly { label: string; text: string }[];
  notes: readonly string[];
}

const SYNTAXES = { json, jsonc, toml, yaml } as const satisfies Record<Host['format'], Syntax>;

/** The configuration that is asked for. Touches no file. Throws a CommandError for a request that has no answer. */
export function toConfig(request: ConfigRequest, where: Where): Config {
  const id = toHostId(request.host);
  const host: Host = HOSTS[id];
  const scope = toScope(request.scope ?? host.scope);
  const place = host.places[scope];
  if (place === undefined) {
    const offered = Object.keys(host.places).join(', ');
    throw new CommandError(EXIT.usage, `${host.title} has no ${scope} file: the scope is ${offered}`);
  }
  const name = request.name ?? 'skills';
  // What every host accepts: Claude Code and Codex refuse other characters.
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(name)) {
    throw new CommandError(EXIT.usage, `"${name}" is not a name for a server: use letters, digits, "-" and "_"`);
  }
  const server = request.url === undefined ? toLocal(request, host, scope, where) : toDistant(request, host);
  const entry = 'url' in server ? toRemoteEntry(host, server, name) : host.toEntry(server.launch, name);
  const launchKeys = 'url' in server ? Object.keys(entry).filter((key) => REMOTE_KEYS.has(key)) : host.launchKeys;
  const wanted = { container: host.container, name, entry, launchKeys };
  const syntax = SYNTAXES[host.format];
  const own = { files: place.files(where), find: place.find };
  return {
    host,
    scope,
    files: request.file === undefined ? own.files : [request.file],
    findFiles: async (list) => (request.file === undefined ? ((await own.find?.(where, list)) ?? []) : []),
    syntax,
    wanted,
    mode: 'url' in server && Object.keys(server.headers).length > 0 ? 0o600 : undefined,
    text: syntax.print(wanted),
    shortcuts: toShortcuts(id, name, scope, server, where).filter(({ text }) => text === escapeText(text)),
    notes: [...host.notes(scope, where), ...('url' in server ? toRemoteNotes(server, scope) : toNotes(request, host))],
  };
}

/** The keys of an entry that say where a server is; the others are its owner's. */
const REMOTE_KEYS = new Set(['type', 'url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'http_headers']);

function toHostId(text: string): HostId {
  if (isHostId(text)) return text;
  const suggested = suggestHosts(text);
  const rest = suggested.length > 0 ? `did you mean ${suggested.join(' or ')}?` : `one of ${HOST_IDS.join(', ')}`;
  throw new CommandError(EXIT.usage, `unknown host "${text}": ${rest}`);
}

function toScope(scope: string): Scope {
  if (scope === 'project' || scope === 'user') return scope;
  throw new CommandError(EXIT.usage, `unknown scope "${scope}": project or user`);
}

/** How the server is started: as the file has it, and with absolute roots, since a link installs for the user. */
interface Local {
  launch: Launch;
  absolute: Launch;
}

function toLocal(request: ConfigRequest, host: Host, scope: Scope, where: Where): Local {
  if (request.headers !== undefined && request.headers.length > 0) {
    throw new CommandError(EXIT.usage, '--header is for a server over HTTP: it needs --url');
  }
  const { roots, node, extra = [], pin } = request;
  const options = {
    roots,
    node,
    extra,
    pin,
    windows: request.windows ?? where.platform === 'win32',
    expands: host.expands,
    title: host.title,
  };
  return {
    launch: toLaunch({ ...options, form: host.places[scope]?.roots ?? 'absolute' }, where),
    absolute: toLaunch({ ...options, form: 'absolute' }, where),
  };
}

function toDistant(request: ConfigRequest, host: Host): Remote {
  const { url = '', roots, extra = [], pin, node, windows } = request;
  if (typeof host.toRemoteEntry === 'string') {
    throw new CommandError(EXIT.usage, `${host.title} takes no address from its file: ${host.toRemoteEntry}`);
  }
  const given: [string, boolean][] = [
    ['a root', roots.length > 0],
    ['what follows "--"', extra.length > 0],
    ['--pin', pin !== undefined],
    ['--node', node !== undefined],
    ['--windows', windows === true],
  ];
  const found = given.find(([, isGiven]) => isGiven)?.[0];
  if (found !== undefined) {
    throw new CommandError(EXIT.usage, `${found} is for a server that the host starts: leave it out, or --url`);
  }
  return toRemote(url, request.headers ?? []);
}

function toRemoteEntry({ toRemoteEntry: make }: Host, remote: Remote, name: string): Entry {
  return typeof make === 'string' ? {} : make(remote, name);
}

function toNotes({ pin, node, version }: ConfigRequest, { costOfNpx }: Host): string[] {
  if (node !== undefined) return [];
  const pinned = `${PACKAGE}@${pin ?? version}`;
  const note =
    pin === undefined
      ? `npx keeps the version that it fetched first, and never updates it: --pin writes ${pinned}`
      : `npx starts ${pinned} until another --pin is written`;
  return [
    ...(version === undefined ? [] : [note]),
    ...(costOfNpx === undefined ? [] : [`${costOfNpx}: --node starts an installed package at once`]),
  ];
}

function toRemoteNotes(remote: Remote, scope: Scope): string[] {
  const hasHeaders = Object.keys(remote.headers).length > 0;
  return [
    ...describeRemote(remote),
    ...(hasHeaders && scope === 'project'
      ? [
          'everyone who gets this project also gets the headers: keep secrets in --scope user, or in a variable of the host',
        ]
      : []),
  ];
}

function toShortcuts(
  id: HostId,
  name: string,
  scope: Scope,
  server: Local | Remote,
  where: Where,
): { label: string; text: string }[] {
  const entry = 'url' in server ? server : { command: server.absolute.command, args: server.absolute.args };
  const { headers } = 'url' in server ? server : { headers: {} };
  const plain = 'url' in server && Object.keys(headers).length === 0 ? { url: server.url } : entry;
  if (id === 'vscode') {
    const text = JSON.stringify({ name, type: 'url' in server ? 'http' : 'stdio', ...plain });
    return [{ label: 'open this link', text: `vscode:mcp/install?${encodeURIComponent(text)}` }];
  }
  if (id === 'cursor') {
    const config = Buffer.from(JSON.stringify(plain)).toString('base64');
    const query = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(config)}`;
    return [{ label: 'open this link', text: `cursor://anysphere.cursor-deeplink/mcp/install?${query}` }];
  }
  if (id !== 'claude-code') return [];
  const rest =
    'url' in server
      ? [server.url, ...Object.entries(headers).flatMap(([key, value]) => ['--header', `${key}: ${value}`])]
      : ['--', server.launch.command, ...server.launch.args];
  const transport = 'url' in server ? 'http' : 'stdio';
  const words = ['claude', 'mcp', 'add', '--transport', transport, '--scope', scope, name, ...rest];
  const line = quoteCommand(words, { windows: where.platform === 'win32' });
  return line === undefined ? [] : [{ label: 'run this command', text: line }];
}
