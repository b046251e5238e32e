import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { HostPlan, Place } from './hosts.ts';
import { createScript, type Play, QUESTION, type Script } from './script.ts';
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
  /** What `config` printed. */
  readonly configured: string;
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
  /** Options of `serve` that `config` is given. */
  readonly extra?: readonly string[];
}

/** Where the skills of a host are. */
export function toSkillsFolder(folder: string): string {
  return join(folder, 'project', 'skills');
}

/** Starts a host in its folder, with the configuration that `config` writes, and asks it one question. */
export async function runHost(setting: Setting, play: Play, question = QUESTION): Promise<Run> {
  const { host, folder, path } = setting;
  const script = createScript(play);
  const stub = await startStub(script.model);
  const place: Place = { home: join(folder, 'home'), project: join(folder, 'project'), url: stub.url };
  const log = join(folder, 'wire.log');
  rmSync(log, { force: true });
  const endAll = () => endLeft(folder);
  process.once('exit', endAll);
  try {
    const env = {
      HOME: place.home,
      PATH: [writeNpx(setting, log), ...path, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
      TMPDIR: makeFolder(folder, 'tmp'),
      SHELL: '/bin/sh',
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      [MARK]: folder,
      ...host.env?.(place),
    };
    const configured = writeConfiguration(setting, place, env);
    const ended = await spawnHost(host, host.args(question, place), place.project, env);
    return { script, requests: stub.requests, wire: readLines(log), configured, ...ended };
  } finally {
    endLeft(folder);
    process.off('exit', endAll);
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

function writeConfiguration({ host, folder, bin, extra = [] }: Setting, place: Place, env: NodeJS.ProcessEnv): string {
  makeFolder(folder, 'home');
  for (const [file, content] of Object.entries(host.files?.(place) ?? {})) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  if (host.isManual === true) return '';
  const args = ['config', host.id, './skills', '--scope', host.scope, '--write', '--', ...extra];
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: place.project,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`config ${host.id} failed: ${stderr}`);
  return stdout + stderr;
}

function spawnHost(
  { program }: HostPlan,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Pick<Run, 'stdout' | 'stderr' | 'status'>> {
  const child = spawn(program, args, {
    cwd,
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
  const end = () => endGroup(child.pid);
  const timer = setTimeout(end, MOST_TIME);
  process.once('exit', end);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (status) => {
      clearTimeout(timer);
      process.off('exit', end);
      end();
      const finish = () => resolve({ ...output, status });
      child.once('close', finish);
      // what has left the group may hold the output open
      setTimeout(finish, 2000).unref();
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
