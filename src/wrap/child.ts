import { type ChildProcess, type SpawnOptions, spawn as spawnPlain } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** How long things may take, in milliseconds. */
interface Patience {
  /** For a server to end after its input has ended, and again after SIGTERM. */
  readonly usual: number;
  /** After SIGTERM, where this process was asked to end: the host that asked will not wait for long. */
  readonly short: number;
  /** For the output of a server to end after the server has: what it started may hold it. */
  readonly output: number;
}

const PATIENCE: Patience = { usual: 5000, short: 1500, output: 1000 };

/** The process of the wrapped server. */
export interface Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Why it cannot be started; undefined when it is. */
  readonly started: Promise<Error | undefined>;
  /** Settles when it has ended and its output is read, with its exit status: 128 and the number of the signal that ended it. */
  readonly ended: Promise<number>;
  /** Ends its input, and ends it where it does not end by itself. */
  end(): void;
  /** Asks it to end, and ends it where it does not. */
  terminate(): void;
}

/** How a command is started. */
export interface ChildOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Default: five seconds for its end, 1.5 where this process is to end, one for its output. */
  readonly patience?: Patience;
}

/**
 * Starts a server with pipes for its protocol, and the stderr of this process. It leads a group of processes, so that what it started ends
 * with it.
 */
export function spawnChild(
  [command = '', ...args]: readonly string[],
  { cwd, env, platform, patience = PATIENCE }: ChildOptions,
  spawn: Spawn = spawnPlain,
): Child {
  // Windows has no groups
  const isWindows = platform === 'win32';
  const child = spawn(command, args, {
    ...{ cwd, env: { ...env }, windowsHide: true, detached: !isWindows },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return watchChild(child, patience, isWindows);
}

/** The same on every platform: on Windows "npx" is a script, which takes more than Node to start. */
export async function startChild(command: readonly string[], options: ChildOptions): Promise<Child> {
  if (options.platform !== 'win32') return spawnChild(command, options);
  const { spawn } = await import('cross-spawn');
  return spawnChild(command, options, spawn);
}

type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

function watchChild(child: ChildProcess, { usual, short, output }: Patience, isWindows: boolean): Child {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a process was started without pipes');
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const kill = (signal: 'SIGTERM' | 'SIGKILL') => hasEnded || killGroup(child, signal, isWindows);
  // whatever ends this process ends what it started
  const onExit = () => kill('SIGTERM');
  process.once('exit', onExit);
  const wait = (patience: number, next: () => void) => {
    clearTimeout(timer);
    if (!hasEnded) timer = setTimeout(next, patience);
  };
  const terminate = (patience: number) => {
    kill('SIGTERM');
    wait(patience, () => kill('SIGKILL'));
  };
  const exited = new Promise<number>((resolve) => {
    const settle = (status: number) => {
      hasEnded = true;
      clearTimeout(timer);
      process.off('exit', onExit);
      resolve(status);
    };
    child.once('exit', (code, signal) => settle(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    child.once('error', () => settle(1));
  });
  const isRead = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdout.once(event, () => resolve());
  });
  const started = new Promise<Error | undefined>((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', resolve);
  });
  return {
    stdin,
    stdout,
    started,
    ended: exited.then(async (status) => {
      // one that is paused waits for the client
      const late = setInterval(() => stdout.isPaused() || stdout.destroy(), output);
      stdout.on('data', () => late.refresh());
      await isRead;
      clearInterval(late);
      return status;
    }),
    end() {
      stdin.end();
      wait(usual, () => terminate(usual));
    },
    terminate() {
      stdin.end();
      terminate(short);
    },
  };
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL', isWindows: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-pid, signal);
  } catch {
    // it has ended
  }
}
