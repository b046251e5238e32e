import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { RunAs } from './copy.ts';

/** Bytes of each stream that are kept. */
export const STREAM_BYTES = 1024 * 1024;

/** After SIGTERM, how long a group has until SIGKILL, in milliseconds. */
const GRACE_MS = 2000;

/** After the exit, how long what is left in the pipes is read, in milliseconds. */
const DRAIN_MS = 500;

/** What is started. */
export interface Start {
  readonly program: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly runAs: RunAs | undefined;
  /** In milliseconds. */
  readonly timeoutMs: number;
  /** Stops the run when aborted. */
  readonly signal: AbortSignal;
  /** Kept beyond {@link STREAM_BYTES}, so that a text across that end can be found whole. In bytes. */
  readonly spare: number;
}

/** One stream of a run. */
export interface Captured {
  readonly bytes: Uint8Array;
  /** Whether there was more. */
  readonly isTruncated: boolean;
}

/** How a run ended. */
export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly isTimedOut: boolean;
  readonly stdout: Captured;
  readonly stderr: Captured;
}

/**
 * Runs a program without a shell, in a process group of its own, and settles whatever it does: after its exit or its time, and a
 * short time for what is left in the pipes.
 *
 * @throws Error where the program cannot be started
 */
export async function execute(start: Start): Promise<Outcome> {
  const child = spawn(start.program, [...start.args], {
    ...start.runAs,
    cwd: '/',
    env: { ...start.env },
    shell: false,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = capture(child.stdout as Readable, STREAM_BYTES + start.spare);
  const stderr = capture(child.stderr as Readable, STREAM_BYTES + start.spare);
  let isTimedOut = false;
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    signalGroup(child, 'SIGTERM');
    killing ??= setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS);
  };
  const timer = setTimeout(() => {
    isTimedOut = true;
    stop();
  }, start.timeoutMs);
  start.signal.addEventListener('abort', stop, { once: true });
  if (start.signal.aborted) stop();
  try {
    const ended = await waitForExit(child);
    // children that stayed in the group and have outlived it
    signalGroup(child, 'SIGKILL');
    await drain([stdout.ended, stderr.ended]);
    return { ...ended, isTimedOut, stdout: stdout.take(), stderr: stderr.take() };
  } finally {
    clearTimeout(timer);
    clearTimeout(killing);
    start.signal.removeEventListener('abort', stop);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function waitForExit(child: ChildProcess): Promise<Pick<Outcome, 'status' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => resolve({ status, signal }));
  });
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone
  }
}

async function drain(ends: readonly Promise<void>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN_MS);
  });
  await Promise.race([Promise.all(ends), late]);
  clearTimeout(timer);
}

/** Keeps the beginning of a stream, and reads on, so that a program that writes more does not wait for ever. */
function capture(stream: Readable, most: number): { readonly ended: Promise<void>; take(): Captured } {
  const chunks: Buffer[] = [];
  let kept = 0;
  let isTruncated = false;
  stream.on('data', (chunk: Buffer) => {
    const part = chunk.subarray(0, most - kept);
    if (part.length < chunk.length) isTruncated = true;
    if (part.length > 0) chunks.push(part);
    kept += part.length;
  });
  const ended = new Promise<void>((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
  return {
    ended,
    take: () => ({ bytes: Buffer.concat(chunks), isTruncated: isTruncated || kept > STREAM_BYTES }),
  };
}
