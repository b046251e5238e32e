// A server that is started as a command and connected over stdio.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as wait } from 'node:timers/promises';
import spawn from 'cross-spawn';
import { formatNumber } from '../text/count.ts';
import { showValue } from './difference.ts';
import {
  answerServer,
  ConnectionError,
  isResponse,
  MAX_UNASKED,
  type Message,
  type RawResponse,
  readMessage,
  type Wire,
} from './wire.ts';

/** What is started. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
}

/** How long a server may take to end after its input ended, and then after each signal, in milliseconds. */
const GRACE = 1500;

/** How much of what it writes on stderr is kept for a message, in characters. */
const LAST_WORDS = 2000;

/** The longest message that the server may send by itself, in bytes. */
const MIN_MESSAGE = 1024 * 1024;

const NEWLINE = 10;

interface Waiting {
  /** Bytes that the response may have. */
  readonly most: number;
  resolve(response: RawResponse): void;
  reject(error: Error): void;
}

/** Starts a command and connects to it. It gets a process group of its own, so that what it starts ends with it. */
export function startChild(options: ChildOptions): Wire {
  const { command, args, cwd, platform } = options;
  const child = spawn(command, [...args], {
    cwd,
    env: { ...options.env },
    stdio: 'pipe',
    windowsHide: true,
    detached: platform !== 'win32',
  }) as ChildProcessWithoutNullStreams;
  const waiting = new Map<number, Waiting>();
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  let failure: ConnectionError | undefined;
  let words = '';
  let unasked = 0;
  // a message is decoded as it comes: that takes a third of the memory
  let decoder = new StringDecoder('utf8');
  let text = '';
  let length = 0;

  const fail = (message: string) => {
    if (failure !== undefined) return;
    failure = new ConnectionError(message);
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
    // what floods is not listened to any longer
    child.stdout.destroy();
    killTree(child, 'SIGKILL', platform);
  };
  child.once('error', (error: NodeJS.ErrnoException) => fail(describeStart(command, error)));
  child.stdin.on('error', () => {});
  child.stdout.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS);
  });
  child.once('close', (code, signal) => fail(describeEnd(code, signal, words)));
  child.stdout.on('data', (chunk: Buffer) => {
    for (let rest = chunk; rest.length > 0 && failure === undefined; ) {
      const end = rest.indexOf(NEWLINE);
      const part = end === -1 ? rest : rest.subarray(0, end);
      text += decoder.write(part);
      length += part.length;
      // whose response it is, if it is one, is known at its end
      const most = Math.max(MIN_MESSAGE, ...[...waiting.values()].map((each) => each.most));
      if (length > most) {
        text = '';
        fail(`the server sent a message of more than ${formatNumber(most)} bytes`);
        return;
      }
      if (end === -1) return;
      const [line, size] = [text + decoder.end(), length];
      decoder = new StringDecoder('utf8');
      text = '';
      length = 0;
      takeLine(line.trim(), size);
      rest = rest.subarray(end + 1);
    }
  });

  function takeLine(line: string, size: number): void {
    if (line === '') return;
    let message: ReturnType<typeof readMessage>;
    try {
      message = readMessage(line);
    } catch (error) {
      fail((error as Error).message);
      return;
    }
    if (message === undefined) {
      fail(`the server printed something on stdout that is not a message: ${showValue(line)}`);
      return;
    }
    const { id } = message;
    const asked = isResponse(message) && typeof id === 'number' ? waiting.get(id) : undefined;
    if (asked !== undefined) {
      waiting.delete(id as number);
      asked.resolve({ message, size });
      return;
    }
    unasked += 1;
    if (unasked > MAX_UNASKED) {
      fail(`the server sent more than ${formatNumber(MAX_UNASKED)} messages that are not responses to a request`);
      return;
    }
    const answer = answerServer(message);
    if (answer !== undefined) child.stdin.write(`${JSON.stringify(answer)}\n`);
  }

  return {
    ask(message, signal, most) {
      return new Promise<RawResponse>((resolve, reject) => {
        const { id } = message;
        if (failure !== undefined || id === undefined) {
          reject(failure ?? new TypeError('a request has an id'));
          return;
        }
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        waiting.set(id, { most, resolve, reject });
        signal.addEventListener(
          'abort',
          () => {
            if (waiting.delete(id)) reject(signal.reason as Error);
          },
          { once: true },
        );
        child.stdin.write(`${JSON.stringify(message)}\n`);
      });
    },
    async tell(message: Message) {
      if (failure !== undefined) throw failure;
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      failure ??= new ConnectionError('the connection was closed');
      child.stdin.end();
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (await settlesWithin(exited, GRACE)) break;
        killTree(child, signal, platform);
      }
      await settlesWithin(exited, GRACE);
      // what it started may have outlived it
      killTree(child, 'SIGKILL', platform);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}

async function settlesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([promise.then(() => true), wait(ms, false, { signal: timer.signal }).catch(() => false)]);
  } finally {
    timer.abort();
  }
}

/** Ends a child and what it started. */
function killTree(
  child: ChildProcessWithoutNullStreams,
  signal: 'SIGTERM' | 'SIGKILL',
  platform: NodeJS.Platform,
): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (platform === 'win32') {
    if (child.exitCode === null)
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).on('error', () => {});
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // nothing of the group is left
  }
}

function describeStart(command: string, error: NodeJS.ErrnoException): string {
  const reason = error.code === 'ENOENT' ? 'there is no such command or working directory' : error.message;
  return `${showValue(command)} could not be started: ${reason}`;
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, words: string): string {
  const status = signal === null ? `with exit status ${code}` : `by the signal ${signal}`;
  const last = words.trim().split('\n').at(-1) ?? '';
  return `the server ended ${status}${last === '' ? '' : `; the last line on its stderr is ${showValue(last)}`}`;
}
