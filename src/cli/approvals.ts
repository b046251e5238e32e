import { type Command, Option } from 'commander';
import { LOCK_FILE } from '../lock/filename.ts';
import type { DiffOptions } from './diff.ts';
import type { LockOptions } from './lock.ts';
import type { Terminal } from './terminal.ts';

/** What `lock` understands. */
export function addLock(command: Command, terminal: Terminal, exit: (status: number) => void): void {
  command
    .description('write the digests of what would be served into a lock, or check that they are those of the lock')
    .option('--out <file>', 'the lock; - for stdout', LOCK_FILE)
    .option(
      '--token-env <name>',
      'for the URL of a server: send the value of this environment variable as a bearer token',
    )
    .option('--check', 'write nothing, and exit with 1 and the difference if the lock is not what would be written')
    .action(async (roots: string[], options: LockOptions) => {
      const { runLock } = await import('./lock.ts');
      exit(await runLock(roots, options, terminal));
    });
}

/** What `diff` understands. */
export function addDiff(command: Command, terminal: Terminal, exit: (status: number) => void): void {
  const side = 'a root or prefix=root, a lock, a file that list --json printed, or the URL of a server';
  command
    .description('print which skills differ, what changes what a host does, and which approvals end')
    .argument('<old>', side)
    .argument('<new>', side)
    .addOption(
      new Option('--format <format>', 'output format; markdown is for the comment of a pull request')
        .choices(['pretty', 'json', 'markdown', 'github'])
        .default('pretty'),
    )
    .option('--patch', 'also print the differences of text files')
    .option('--exit-code', 'exit with 1 if anything differs')
    .option('--token-env <name>', 'send a server the value of this environment variable as a bearer token')
    .action(async (old: string, now: string, options: DiffOptions) => {
      const { runDiff } = await import('./diff.ts');
      exit(await runDiff(old, now, options, terminal));
    });
}
