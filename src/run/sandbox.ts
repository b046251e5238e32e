import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import type { RunAs } from './copy.ts';
import type { Grant } from './grant.ts';

/** What a script can use. */
const LIMITS = {
  /** Of address space for each process, in bytes: node needs this much to start. */
  memory: 4 * 1024 ** 3,
  /** Processes and threads together. */
  processes: 64,
  /** Of one file, and of each folder that it can write, in bytes. */
  disk: 64 * 1024 ** 2,
} as const;

/** Where a script finds its skill, and where it starts. */
export const INSIDE = { skill: '/skill', work: '/work' } as const;

/** A fence that works here. */
export interface Fence {
  /** The absolute path of bwrap. */
  readonly bwrap: string;
  readonly prlimit: string;
  /** Present where the server is root: the kernel counts no processes of root. */
  readonly runAs: RunAs | undefined;
}

/** Who owns nothing, on every Linux. */
const NOBODY: RunAs = { uid: 65_534, gid: 65_534 };

/** Where programs of the system are: those of $PATH can be anybody's. */
const PLACES = ['/usr/bin', '/bin', '/usr/local/bin'];

/**
 * Looks for a fence, and starts one for real.
 *
 * @returns the fence, or why there is none
 */
export function findFence(platform: NodeJS.Platform = process.platform): Fence | { readonly reason: string } {
  if (platform !== 'linux') return { reason: `scripts run on Linux only, not on ${platform}` };
  const [bwrap, prlimit] = [findProgram('bwrap'), findProgram('prlimit')];
  if (bwrap === undefined) return { reason: 'bwrap is not installed: install the package "bubblewrap"' };
  if (prlimit === undefined) return { reason: 'prlimit is not installed: install the package "util-linux"' };
  const fence: Fence = { bwrap, prlimit, runAs: process.getuid?.() === 0 ? NOBODY : undefined };
  const probe = toProbe(fence);
  const { status, stderr, error } = spawnSync(bwrap, probe, {
    ...fence.runAs,
    env: { PATH: SYSTEM_PATH },
    encoding: 'utf8',
    timeout: 10_000,
    cwd: '/',
  });
  if (status === 0) return fence;
  const said = (error?.message ?? stderr).trim().split('\n')[0] ?? '';
  return { reason: `bwrap does not work here (version 0.8 or newer and user namespaces are needed): ${said}` };
}

const SYSTEM_PATH = '/usr/bin:/bin';

function findProgram(name: string): string | undefined {
  return PLACES.map((place) => `${place}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function toProbe(fence: Fence): readonly string[] {
  return [...toWalls(false), ...toEnd(fence), '/usr/bin/env', 'true'];
}

/**
 * The arguments of bwrap for one run.
 *
 * @param folder - the copy of the skill
 */
export function toFenceArgs(
  fence: Fence,
  { grant, folder, argv }: { readonly grant: Grant; readonly folder: string; readonly argv: readonly string[] },
): readonly string[] {
  return [
    ...toWalls(grant.network),
    ...toInterpreter(grant.interpreter),
    ...['--ro-bind', folder, INSIDE.skill],
    ...toEnd(fence),
    ...argv,
  ];
}

/** Everything is left out but what is named here. */
function toWalls(hasNetwork: boolean): readonly string[] {
  const online = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'];
  return [
    ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...(hasNetwork ? ['--share-net', ...online.flatMap(toReadable)] : []),
    ...['/usr', '/bin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/ld.so.cache'].flatMap(toReadable),
    // not /etc/ssl as a whole: it has a folder of private keys
    ...['/etc/ssl/certs', '/etc/ssl/openssl.cnf'].flatMap(toReadable),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['/dev/shm', '/tmp', '/home/user', INSIDE.work].flatMap((path) => [
      '--size',
      String(LIMITS.disk),
      '--tmpfs',
      path,
    ]),
    ...['--remount-ro', '/dev'],
  ];
}

function toReadable(path: string): readonly string[] {
  return ['--ro-bind-try', path, path];
}

/** An interpreter outside the folders of the system is there alone, without the folder that it is in. */
function toInterpreter(path: string): readonly string[] {
  const isSystem =
    ['/usr/', '/bin/'].some((folder) => path.startsWith(folder)) && realpathSync(path).startsWith('/usr/');
  return isSystem ? [] : ['--ro-bind', realpathSync(path), path];
}

function toEnd({ prlimit }: Fence): readonly string[] {
  const limits = [`--as=${LIMITS.memory}`, `--nproc=${LIMITS.processes}`, `--fsize=${LIMITS.disk}`, '--core=0'];
  return ['--remount-ro', '/', '--chdir', INSIDE.work, '--', prlimit, ...limits, '--'];
}

/**
 * The whole environment of a script.
 *
 * @param values - of the variables that are granted
 */
export function toScriptEnv(values: Readonly<Record<string, string>>): Record<string, string> {
  return { ...values, PATH: SYSTEM_PATH, HOME: '/home/user', LANG: 'C.UTF-8', TMPDIR: '/tmp' };
}
