import type { Command } from 'commander';

/** Adds what `run-policy add` understands to a command that takes roots. */
export function addScriptOptions(command: Command): Command {
  return command
    .description('grant one script of a skill, as both are now, for serve --run')
    .option('--policy <file>', 'the policy to write', 'run-policy.yaml')
    .option('--interpreter <path>', 'the absolute path of node, python3 or bash (default: by the end of the name)');
}
