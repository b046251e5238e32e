import type { Command } from 'commander';
import type { PullFlags } from './pulling.ts';
import { addTarget } from './reached.ts';
import type { Terminal } from './terminal.ts';
import { toWholeNumber } from './values.ts';

/** Adds `pull` to the command line. */
export function addPull(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  exit: (status: number) => void,
): void {
  addTarget(command)
    .description(
      'write the skills of a server into a folder, each after it was verified; a skill in a folder that hosts search is from then on a local skill, which they trust as your own',
    )
    .requiredOption('--out <folder>', 'the folder to write into')
    .option('--lock <file>', 'what was pulled before (default: mcp-skills.lock.json in --out)')
    .option('--min-skills <n>', 'skills that have to be listed', toWholeNumber(0), 1)
    .option('--prune', 'remove the pulled skills that are no longer served; edited files are kept')
    .option('--dry-run', 'print what would change, and write nothing')
    .option('--yes', 'overwrite skills that changed without a question')
    .action(async (operands: string[], options: PullFlags) => {
      const { runPull } = await import('./pulling.ts');
      exit(await runPull(operands, args, options, terminal));
    });
}
