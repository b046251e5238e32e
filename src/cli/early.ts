import { existsSync } from 'node:fs';
import { type Child, spawnChild } from '../wrap/child.ts';

/** With these, nothing is served. */
const ASKS_FOR_TEXT: ReadonlySet<string> = new Set(['-h', '--help', '-v', '--version']);

/**
 * Starts the server that a command line wraps before the rest of this command is read: what both need until they answer is needed side by
 * side then. Where the command line turns out to be wrong, the caller ends it.
 *
 * @returns undefined where the command line does not clearly ask for it, and on Windows
 */
export function startEarly({ argv, env, platform }: NodeJS.Process): Child | undefined {
  const args = argv.slice(2);
  const end = args.indexOf('--');
  const head = args.slice(0, Math.max(0, end));
  const command = args.slice(end + 1);
  const [first = ''] = head;
  const isServing = first.startsWith('-') || first === 'serve' || first.includes('=') || existsSync(first);
  if (!head.includes('--wrap') || !isServing || head.some((arg) => ASKS_FOR_TEXT.has(arg))) return undefined;
  if (command.length === 0 || platform === 'win32') return undefined;
  try {
    return spawnChild(command, { cwd: process.cwd(), env, platform });
  } catch {
    // started again, it fails where that can be reported
    return undefined;
  }
}
