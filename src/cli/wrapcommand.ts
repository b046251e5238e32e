import { startChild } from '../wrap/child.ts';
import type { Refusal } from '../wrap/wrap.ts';
import { findHttpFlag, type WrapFlags } from './flags.ts';
import type { ServeOptions } from './serve.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** How it is written. */
const EXAMPLE = '--wrap -- npx -y @modelcontextprotocol/server-memory';

/** JSON-RPC 2.0, "Internal error". */
const INTERNAL_ERROR = -32603;

/**
 * Starts another server and publishes the roots beside what it has, over stdio, until one of the two sides ends.
 *
 * @param command - of the other server, with its arguments
 */
export async function runWrap(
  roots: readonly string[],
  command: readonly string[],
  options: ServeOptions & WrapFlags,
  terminal: Terminal,
): Promise<number> {
  const [root = terminal.env['SKILLS_DIR'] ?? ''] = roots;
  if (root === '') {
    throw new CommandError(EXIT.usage, `--wrap needs a folder of skills: mcp-server-skills ./skills ${EXAMPLE}`);
  }
  judgeWrap(command, options);
  const { cwd, env, platform } = terminal;
  // what takes longest goes first: the other server starts while this one reads its own code, and the skills
  const child = terminal.early ?? (await startChild(command, { cwd, env, platform }));
  const [failure, { serveBeside }] = await Promise.all([child.started, import('./servebeside.ts')]);
  if (failure === undefined) return serveBeside(child, roots, options, terminal);
  const message = `the server to wrap does not start: ${failure.message}`;
  terminal.error.write(`mcp-server-skills: ${message}\n`);
  const refusal: Refusal = { code: INTERNAL_ERROR, message };
  const { answerFailure } = await import('../stdio/failure.ts');
  await answerFailure(refusal, terminal);
  return EXIT.failure;
}

/** Refuses what cannot be wrapped, or not with these options. */
export function judgeWrap(command: readonly string[], options: ServeOptions & WrapFlags): void {
  const refuse = (message: string) => {
    throw new CommandError(EXIT.usage, message);
  };
  if (command.length === 0 || command[0] === '') refuse(`--wrap needs the command of a server after "--": ${EXAMPLE}`);
  const flag = options.http === undefined ? findHttpFlag(options) : '--http';
  if (flag !== undefined) {
    refuse(`${flag} is for HTTP, and --wrap is for stdio: for a remote server, write --wrap -- npx -y mcp-remote URL`);
  }
  if (options.run !== undefined)
    refuse('--run and --wrap contradict each other: start a server of its own for the scripts');
  const follows = [
    ['--watch', typeof options.watch === 'string'],
    ['--watch-interval', options.watchInterval !== undefined],
  ] as const;
  const following = follows.find(([, isGiven]) => isGiven)?.[0];
  if (following !== undefined) {
    refuse(`${following} and --wrap contradict each other: the skills are read once, and a restart reads them again`);
  }
  if (options.wrapPrompts === true && !options.prompts) refuse('--wrap-prompts and --no-prompts contradict each other');
}
