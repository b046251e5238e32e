import { type ChildProcess, spawn as spawnPlain } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** How long a server may take to end after its input has ended, and after SIGTERM, in milliseconds. */
const PATIENCE = 5000;

/** The same after this process was asked to end: the host that asked will not wait for long. */
const LESS_PATIENCE = 1500;

/** How long the output of a server may stay open after the server has ended: what it started may hold it. */
const LEFT_OPEN = 1000;

/** The process of the wrapped server. */
export interface Child {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles when it is started; rejects with why it cannot be. */
  readonly started: Promise<void>;
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
}

/**
 * Starts a server with pipes for its protocol, and the stderr of this process. It leads a group of processes, so that what it started ends
 * with it.
 */
export async function startChild(
  [command = '', ...args]: readonly string[],
  { cwd, env, platform }: ChildOptions,
): Promise<Child> {
  // Windows has no groups; "npx" is a script there, which takes more than Node to start
  const isWindows = platform === 'win32';
  const spawn = isWindows ? (await import('cross-spawn')).spawn : spawnPlain;
  const options = { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true } as const;
  const child: ChildProcess = spawn(command, args, { ...options, stdio: [...options.stdio], detached: !isWindows });
  return watchChild(child, isWindows);
}

function watchChild(child: ChildProcess, isWindows: boolean): Child {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('a process was started without pipes');
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const kill = (signal: 'SIGTERM' | 'SIGKILL') => killGroup(child, signal, isWindows);
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
  return {
    stdin,
    stdout,
    started: new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    }),
    ended: exited.then(async (status) => {
      // one that is paused waits for the client
      const late = setInterval(() => stdout.isPaused() || stdout.destroy(), LEFT_OPEN);
      stdout.on('data', () => late.refresh());
      await isRead;
      clearInterval(late);
      return status;
    }),
    end() {
      stdin.end();
      wait(PATIENCE, () => terminate(PATIENCE));
    },
    terminate() {
      stdin.end();
      terminate(LESS_PATIENCE);
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
