import { readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './main.ts';
import { EXIT } from './terminal.ts';

/** Runs the command line of a process and leaves its exit status there. Bundled into one CommonJS file in `dist`. */
export async function run(node: NodeJS.Process): Promise<void> {
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
      // nor is it the end of a server whose log nobody reads any more
      if (error.code === 'EPIPE' && stream === node.stderr && isServing) return;
      node.exit(error.code === 'EPIPE' ? node.exitCode : fail(node, `the output cannot be written: ${error.message}`));
    });
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const status = runCommand(node.argv.slice(2), {
    input: node.stdin,
    output: node.stdout,
    error: node.stderr,
    env: node.env,
    home,
    version,
    platform: node.platform,
    cwd: node.cwd(),
    userHome: homedir(),
    execPath: node.execPath,
    uid: node.getuid?.(),
    hangups: node,
    // asked for by what serves; everything else is to be ended by a signal as programs are
    get signal() {
      if (!isServing && !isFirst) listen();
      isServing = true;
      return ending.signal;
    },
  });
  node.exitCode = await status.catch((error: unknown) =>
    fail(node, error instanceof Error ? error.message : String(error)),
  );
  // what serves is done, and nobody reads the rest: it would keep the process alive
  if (isServing && node.stdout.writableLength + node.stderr.writableLength > 0) node.exit();
}

/** Says in one line what went wrong, as far as anybody can be told, and gives the status for it. */
function fail(node: NodeJS.Process, message: string): number {
  try {
    node.stderr.write(`mcp-server-skills: ${message}\n`);
  } catch {
    // stderr is gone as well
  }
  return EXIT.failure;
}
