import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './main.ts';

/** Runs the command line of a process and leaves its exit status there. Bundled into one CommonJS file in `dist`. */
export async function run(node: NodeJS.Process): Promise<void> {
  const home = join(__dirname, '..');
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) node.once(signal, () => ending.abort());
  // a reader that went away (a pipe into head, a client that died) is no failure of ours
  for (const stream of [node.stdout, node.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  node.exitCode = await runCommand(node.argv.slice(2), {
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
    signal: ending.signal,
  });
}
