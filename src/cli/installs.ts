import { basename } from 'node:path';
import { type Config, toConfig } from '../config/configure.ts';
import type { Host, Where } from '../config/host.ts';
import { HOSTS } from '../config/hosts.ts';
import { HOST_IDS, type HostId } from '../config/ids.ts';
import { PACKAGE } from '../config/launch.ts';
import { parseRoot } from '../disk/roots.ts';
import type { HostInstall } from '../page/installpage.ts';
import { quoteCommand } from '../text/shell.ts';

/** Where somebody else's folder may be: nothing of this machine goes into a page. */
const ELSEWHERE: Where = { platform: 'linux', home: '/home/you', cwd: '/path/to', env: {} };

const PLATFORMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' } as const;

/**
 * How each host of `config` is connected: to a server over HTTP, else to one that the reader starts for a folder of their own.
 *
 * @param roots - as they were typed
 */
export function listInstalls(roots: readonly string[], server: string | undefined): HostInstall[] {
  const theirs = (roots.length === 0 ? ['skills'] : roots).map(toTheirs);
  return HOST_IDS.map((id) => toInstall(id, theirs, server));
}

function toInstall(id: HostId, roots: readonly string[], server: string | undefined): HostInstall {
  const host: Host = HOSTS[id];
  const { title, scope } = host;
  const base = { id, title, file: describeFile(host) };
  if (server !== undefined && typeof host.toRemoteEntry === 'string') {
    return { ...base, text: undefined, command: undefined, shortcuts: [], notes: [host.toRemoteEntry] };
  }
  const config = toConfig({ host: id, ...(server === undefined ? { roots } : { roots: [], url: server }) }, ELSEWHERE);
  const what = server === undefined ? roots : ['--url', server];
  return {
    ...base,
    text: config.text,
    command: quoteCommand(['npx', PACKAGE, 'config', id, ...what, '--write'], { windows: false }),
    shortcuts: toShortcuts(config, server),
    notes: host.notes(scope, ELSEWHERE),
  };
}

/** A link that holds a folder of nobody would add a server that does not start. */
function toShortcuts({ shortcuts }: Config, server: string | undefined): HostInstall['shortcuts'] {
  return shortcuts
    .map(({ text }) => ({ kind: /^(?:cursor|vscode):/.test(text) ? ('link' as const) : ('command' as const), text }))
    .filter(({ kind }) => kind === 'command' || server !== undefined);
}

/** The file of a host as a person of any system reads it. */
function describeFile({ places, scope }: Host): string {
  const files = Object.entries(PLATFORMS).map(([platform, name]) => {
    const where = { platform: platform as keyof typeof PLATFORMS, home: '~', cwd: '', env: {} };
    return { name, file: (places[scope]?.files(where)[0] ?? '').replaceAll('\\', '/') };
  });
  const [first] = files;
  if (first === undefined || files.every(({ file }) => file === first.file)) return first?.file ?? '';
  return files.map(({ file, name }) => `${file} (${name})`).join(', ');
}

/** A root as it may be on another machine. */
function toTheirs(root: string): string {
  const { prefix, path } = parseRoot(root);
  const isBelow = !/^(?:\/|~|[A-Za-z]:|\.\.(?:\/|$)|\.?$)/.test(path) && !path.includes('\\');
  const name = isBelow
    ? path.replace(/^\.\//, '').replace(/\/+$/, '')
    : basename(path.replace(/[\\/]+$/, '')) || 'skills';
  const theirs = `/path/to/${name === '.' || name === '..' ? 'skills' : name}`;
  return prefix === undefined ? theirs : `${prefix}=${theirs}`;
}
