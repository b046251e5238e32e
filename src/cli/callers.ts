import type { Command } from 'commander';
import type { ExplainPolicyOptions } from './policycommand.ts';
import type { Terminal } from './terminal.ts';

/** Adds what `policy explain` understands to a command that takes roots. */
export function addPolicyExplain(command: Command, terminal: Terminal, exit: (status: number) => void): Command {
  const collect = (value: string, values: readonly string[]) => [...values, value];
  return command
    .description('print which skills a caller sees under a policy, and the rule that decided')
    .requiredOption('--policy <file>', 'the policy, in YAML or JSON')
    .option(
      '--as <caller>',
      'token:NAME, scope:NAME, claim:NAME=VALUE or anonymous (repeatable, for all that a caller has)',
      collect,
      [],
    )
    .option('--strict', 'fail if a pattern matches no skill')
    .action(async (roots: string[], options: ExplainPolicyOptions) => {
      const { explainPolicy } = await import('./policycommand.ts');
      exit(await explainPolicy(roots, options, terminal));
    });
}
