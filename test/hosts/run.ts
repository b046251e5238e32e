import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { HostPlan, Place } from './hosts.ts';
import { createScript, QUESTION, type Script } from './script.ts';
import { type Stub, startStub } from './stub.ts';

/** A host that has not ended by then is ended, in milliseconds. */
const MOST_TIME = 180_000;

/** Marks what a host starts in the background, so that it can be found and ended. */
const MARK = 'MCP_SKILLS_HOST_RUN';

/** What a host did. */
export interface Run {
  readonly script: Script;
  readonly requests: Stub['requests'];
  /** What the host and the server said to each other, a line each: `host {…}`, `server {…}`. */
  readonly wire: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  /** Null for a host that had to be ended. */
  readonly status: number | null;
}

export interface Setting {
  readonly host: HostPlan;
  /** The folder of this host alone. */
  readonly folder: string;
  /** What goes first in PATH. */
  readonly path: readonly string[];
  /** The command under test, and the one that stands between. */
  readonly bin: string;
  readonly tap: string;
}

/** Where the skills of a host are. */
export function toSkillsFolder(folder: string): string {
  return join(folder, 'project', 'skills');
}

/** Starts a host in its folder, with the configuration that `config` writes, and asks it one question. */
export async function runHost(setting: Setting, play: Parameters<typeof createScript>[0]): Promise<Run> {
  const { host, folder, path } = setting;
  const script = createScript(play);
  const stub = await startStub(script.model);
  const place: Place = { home: join(folder, 'home'), project: join(folder, 'project'), url: stub.url };
  const log = join(folder, 'wire.log');
  rmSync(log, { force: true });
  try {
    const env = {
      HOME: place.home,
      PATH: [writeNpx(setting, log), ...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      TMPDIR: makeFolder(folder, 'tmp'),
      SHELL: '/bin/sh',
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      [MARK]: folder,
      ...host.env?.(place),
    };
    writeConfiguration(setting, place, env);
    const ended = await spawnHost(host, place, env);
    return { script, requests: stub.requests, wire: readLines(log), ...ended };
  } finally {
    endLeft(folder);
    await stub.close();
  }
}

/** A command `npx` that starts the server under test, so that what `config` writes is used as it is. */
function writeNpx({ folder, bin, tap }: Setting, log: string): string {
  const shim = makeFolder(folder, 'bin');
  const quoted = [process.execPath, tap, log, bin].map((each) => `'${each}'`).join(' ');
  const file = join(shim, 'npx');
  // "-y" and the name of the package go
  writeFileSync(file, `#!/bin/sh\nshift 2\nexec ${quoted} "$@"\n`);
  chmodSync(file, 0o755);
  return shim;
}

function writeConfiguration({ host, folder, bin }: Setting, place: Place, env: NodeJS.ProcessEnv): void {
  makeFolder(folder, 'home');
  for (const [file, content] of Object.entries(host.files?.(place) ?? {})) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const manual = MANUAL[host.id]?.(place);
  if (manual !== undefined) {
    for (const [file, content] of Object.entries(manual)) {
      const old = existsSync(file) && file.endsWith('.json') ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify({ ...old, ...content }, null, 2));
    }
    return;
  }
  const args = ['config', host.id, './skills', '--scope', host.scope, '--write'];
  execFileSync(process.execPath, [bin, ...args], { cwd: place.project, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

function spawnHost(
  host: HostPlan,
  place: Place,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Run, 'stdout' | 'stderr' | 'status'>> {
  const child = spawn(host.program, host.args(QUESTION, place), {
    cwd: place.project,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const timer = setTimeout(() => endGroup(child.pid), MOST_TIME);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // not "close": what a host leaves running may hold its output open
    child.once('exit', (status) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ ...output, status });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // it has ended
  }
}

/** Ends what has left the group of its host: some hosts start a server of their own in the background. */
function endLeft(folder: string): void {
  if (!existsSync('/proc/self/environ')) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const environment = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      if (environment.includes(`${MARK}=${folder}`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // it has ended, or is not ours
    }
  }
}

function makeFolder(...names: [string, ...string[]]): string {
  const folder = join(...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

const npx = (place: Place) => ({ command: 'npx', args: ['-y', 'mcp-server-skills', join(place.project, 'skills')] });
const MANUAL: Record<string, (place: Place) => Record<string, object | string>> = {
  copilot: (place) => ({
    [`${place.home}/.copilot/mcp-config.json`]: {
      mcpServers: { skills: { type: 'local', tools: ['*'], ...npx(place) } },
    },
  }),
  qwen: (place) => ({ [`${place.project}/.qwen/settings.json`]: { mcpServers: { skills: npx(place) } } }),
  cline: (place) => ({
    [`${place.home}/.cline/data/settings/cline_mcp_settings.json`]: { mcpServers: { skills: npx(place) } },
  }),
  continue: (place) => ({
    [`${place.project}/.continue/mcpServers/skills.yaml`]: `name: skills\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: skills\n    command: npx\n    args: ["-y", "mcp-server-skills", "${join(place.project, 'skills')}"]\n`,
  }),
};
