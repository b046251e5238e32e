import { type Command, Option } from 'commander';
import { PROFILES } from '../lint/importers.ts';
import { addTarget } from './reached.ts';
import type { Terminal } from './terminal.ts';
import { collect, toWholeNumber } from './values.ts';
import type { VerifyFlags } from './verifying.ts';

/** Adds `verify` to the command line. */
export function addVerify(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  exit: (status: number) => void,
): void {
  addTarget(command)
    .description('verify any server of skills as a strict host does')
    .option('--min-skills <n>', 'skills that have to be listed', toWholeNumber(0), 1)
    .option('--partial', 'exit with 0 although something was not verified because of a limit')
    .option('--allow-dynamic', 'accept skills whose content is dynamic')
    .addOption(new Option('--host <host>', 'also report what this host would not take').choices(Object.keys(PROFILES)))
    .option('--expect <lockfile>', 'the server has to serve exactly what this lock file lists')
    .option('--strict', 'count warnings as errors')
    .addOption(
      new Option('--format <format>', 'output format').choices(['pretty', 'json', 'sarif', 'junit']).default('pretty'),
    )
    .option('--output <file>', 'write the report to this file, and one for people to stdout')
    .option('--select <code>', 'report only this code (repeatable)', collect, [])
    .option('--ignore <code>', 'do not report this code (repeatable)', collect, [])
    .action(async (operands: string[], options: VerifyFlags) => {
      const { runVerify } = await import('./verifying.ts');
      exit(await runVerify(operands, args, options, terminal));
    });
}
