import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The built command, as a user starts it. */
export const BIN = fileURLToPath(new URL('../bin/mcp-server-skills.js', import.meta.url));

/** The skills that come with the package. */
export const EXAMPLE = fileURLToPath(new URL('../skills-example', import.meta.url));

export type Era = 'legacy' | 'modern';

export const ERAS: readonly Era[] = ['legacy', 'modern'];

/** What a command did. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command to its end, with this on its input. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  const output = collect(child);
  child.stdin?.end(options.input ?? '');
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, ...output };
}

export interface RunOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: string;
}

/** Starts the command. */
export function start(args: readonly string[], { cwd, env, command = BIN }: RunOptions = {}): ChildProcess {
  const { SKILLS_DIR: _, ...rest } = process.env;
  return spawn(process.execPath, [command, ...args], { cwd, env: { ...rest, ...env } });
}

/** What a child writes, as it comes. */
export function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return output;
}

/** The official client, connected to the built command over stdio in one era. */
export async function connect(
  era: Era,
  args: readonly string[],
  extensions?: Record<string, Record<string, never>>,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
      capabilities: extensions === undefined ? {} : { extensions },
      listMaxPages: 1000,
    },
  );
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, ...args], stderr: 'ignore' }));
  return client;
}
