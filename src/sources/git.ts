import { type ChildProcess, spawn } from 'node:child_process';
import { maskUrl } from './grammar.ts';
import { SourceError } from './trouble.ts';

/** What every call of git has: nothing of a repository is executed, and no transport runs a command. */
const SETTINGS = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'protocol.ext.allow=never', '-c', 'protocol.file.allow=user'],
];

/** What of the environment points git at another repository, or at other contents. */
const LOCAL = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
  'SSH_ASKPASS',
];

/** How the user's ssh is asked never to ask, and not to wait for a host that is not there. */
const SSH = 'ssh -o BatchMode=yes -o ConnectTimeout=30';

/** The most that git may print, in bytes. */
const MAX_OUTPUT = 256 * 1024 * 1024;
const MAX_MESSAGES = 64 * 1024;

/** What git printed. */
export interface GitOutput {
  readonly status: number | null;
  readonly stdout: Buffer;
  /** The messages, without what may be a secret in them. */
  readonly messages: string;
}

/** The environment of git: no prompt, no replaced objects, messages in English, and credential helpers as the user has them. */
export function toGitEnv(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const own: NodeJS.ProcessEnv = { ...env };
  for (const name of LOCAL) delete own[name];
  return {
    ...own,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    LC_ALL: 'C',
    ...(env['GIT_SSH_COMMAND'] || env['GIT_SSH'] ? {} : { GIT_SSH_COMMAND: SSH }),
  };
}

/** Starts git in a repository; stdin is closed or a pipe, never that of this process. */
export function startGit(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn('git', [...SETTINGS, '-C', folder, ...args], { env, stdio: [input, 'pipe', 'pipe'], windowsHide: true });
}

/**
 * Runs git to its end. Every operand that is not a constant has to be one that git cannot take for an option.
 *
 * @param input - what it reads; nothing by default
 * @throws SourceError where git cannot be started, or prints without end
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<GitOutput> {
  const child = startGit(folder, args, env, input === undefined ? 'ignore' : 'pipe');
  // a child that has ended is reported once, by its end
  child.stdin?.on('error', () => undefined).end(input);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let messages = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_OUTPUT) child.kill();
    else chunks.push(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    messages = (messages + text).slice(-MAX_MESSAGES);
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(toStartError(error)));
    child.once('close', resolve);
  });
  if (bytes > MAX_OUTPUT) throw new SourceError('unreadable', `git printed more than ${MAX_OUTPUT} bytes`);
  return { status, stdout: Buffer.concat(chunks), messages: maskUrl(messages.trim()) };
}

/** What a person is told where git cannot be started. */
export function toStartError(error: NodeJS.ErrnoException): SourceError {
  const message = error.code === 'ENOENT' ? 'git is not installed, or not on the PATH' : `git: ${error.message}`;
  return new SourceError('unreadable', message, undefined, { cause: error });
}

/** The lines of git that say what is wrong, on one line. */
export function describeGit({ messages, status }: GitOutput): string {
  const lines = messages
    .split('\n')
    .map((line) => line.replace(/^(?:fatal|error|remote): /, '').trim())
    .filter((line) => line !== '' && !/^hint: |^Cloning into/.test(line));
  return lines.slice(0, 4).join('; ') || `git ended with ${status}`;
}
