// What `mcp-server-skills/client/stdio` exports: the one part of a host's side that needs Node.
import { escapeText } from '../text/escape.ts';
import type { ClosableConnection, ConnectOptions } from './maker.ts';
import { createMissing, MAX_MESSAGE_BYTES, openConnection } from './sdkclient.ts';

export type { HostConnection, RequestOptions, ServerTool, SkillConnection } from './connection.ts';
export type { ClosableConnection, ConnectOptions } from './maker.ts';

/** How a server is started. */
export interface StdioOptions extends ConnectOptions {
  /** Added to the few variables that a server gets: PATH, HOME and what else the platform needs, not the host's whole environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Is given each line that the server writes to stderr, safe to show. Default: they are dropped. */
  readonly log?: (line: string) => void;
}

/** Most characters of a line that a server logs. */
const MAX_LINE = 2000;

/**
 * Starts a server and connects to it over stdio, without a shell, and lists nothing. `close` ends it. With the era `auto` the client of
 * the SDK starts the command twice: once to ask which revisions it speaks. Needs `@modelcontextprotocol/client` 2.4 or later.
 *
 * @throws Error that says what to install, and what starting or connecting failed with
 */
export async function connectStdio(
  command: string,
  args: readonly string[] = [],
  options: StdioOptions = {},
): Promise<ClosableConnection> {
  const { env = {}, cwd, log, maxMessageBytes = MAX_MESSAGE_BYTES } = options;
  return openConnection('connectStdio', options, async () => {
    const { StdioClientTransport, getDefaultEnvironment } = await importStdio();
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env: { ...getDefaultEnvironment(), ...env },
      stderr: log === undefined ? 'ignore' : 'pipe',
      maxBufferSize: maxMessageBytes,
      ...(cwd === undefined ? {} : { cwd }),
    });
    if (log !== undefined) passLines(transport.stderr as NodeJS.ReadableStream | null, log);
    return transport;
  });
}

async function importStdio() {
  try {
    return await import('@modelcontextprotocol/client/stdio');
  } catch (error) {
    throw createMissing('connectStdio', error);
  }
}

function passLines(stream: NodeJS.ReadableStream | null, log: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) log(escapeText(line.slice(0, MAX_LINE).replace(/\r$/, '')));
  });
}
