import { readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { escapeLines } from '../text/escape.ts';
import type { Child } from '../wrap/child.ts';
import { runCommand } from './main.ts';
import { EXIT } from './terminal.ts';

/** How long a reader of stderr may take for the last lines of a server, in milliseconds. */
const LAST_WORDS = 2000;

/**
 * Runs the command line of a process and leaves its exit status there. Bundled into one CommonJS file in `dist`.
 *
 * @param early - a server to wrap that is started already
 */
export async function run(node: NodeJS.Process, early?: Child): Promise<void> {
  const home = join(__dirname, '..');
  const ending = new AbortController();
  let isServing = false;
  const listen = () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      node.once(signal, () => (isServing ? ending.abort() : node.exit(128 + constants.signals[signal])));
    }
  };
  // the first process of a container is not ended by a signal that it does not listen for
  const isFirst = node.pid === 1;
  if (isFirst) listen();
  // a reader that went away (a pipe into head, a client that died) is no failure of ours
  for (const stream of [node.stdout, node.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // nor is it the end of a server that its log cannot be written: a full disk, a terminal that was closed
      if (stream === node.stderr && isServing) return;
      node.exit(error.code === 'EPIPE' ? node.exitCode : fail(node, `the output cannot be written: ${error.message}`));
    });
  }
  try {
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    node.exitCode = await runCommand(node.argv.slice(2), {
      input: node.stdin,
      output: node.stdout,
      error: node.stderr,
      env: node.env,
      home,
      version,
      platform: node.platform,
      cwd: readFolder(node),
      userHome: homedir(),
      execPath: node.execPath,
      uid: node.getuid?.(),
      hangups: node,
      early,
      // asked for by what serves; everything else is to be ended by a signal as programs are
      get signal() {
        if (!isServing && !isFirst) listen();
        isServing = true;
        return ending.signal;
      },
    });
  } catch (error) {
    node.exitCode = fail(node, error instanceof Error ? error.message : String(error));
  }
  early?.terminate();
  if (!isServing) return;
  // what serves is done: where nobody reads the rest, that would keep the process alive
  if (node.stderr.writableLength > 0) setTimeout(() => node.exit(), LAST_WORDS).unref();
  else if (node.stdout.writableLength > 0) node.exit();
}

/** The working directory, which may have been removed since a program was started in it. */
function readFolder(node: NodeJS.Process): string {
  try {
    return node.cwd();
  } catch (error) {
    throw new Error('the working directory is gone: start this in a folder that exists', { cause: error });
  }
}

/** Says in one line what went wrong, as far as anybody can be told, and gives the status for it. */
function fail(node: NodeJS.Process, message: string): number {
  try {
    node.stderr.write(`mcp-server-skills: ${escapeLines(message)}\n`);
  } catch {
    // stderr is gone as well
  }
  return EXIT.failure;
}
