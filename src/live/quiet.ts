import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Look } from './look.ts';

/** How long changes may go on before the folders are read all the same, in milliseconds. */
const LONGEST = 5000;

/** How long an operation of git may go on, in milliseconds: one that died leaves its lock. */
const LONGEST_GIT = 10_000;

/**
 * Waits until two looks, `settle` milliseconds apart, are the same, and git is at work in none of the roots.
 *
 * @returns the last look
 */
export async function waitForQuiet(
  lookAgain: (before: Look) => Promise<Look>,
  first: Look,
  settle: number,
  signal: AbortSignal,
): Promise<Look> {
  const start = performance.now();
  for (let last = first; ; ) {
    // what waits for this keeps the process alive by itself
    await setTimeout(settle, undefined, { signal, ref: false });
    const next = await lookAgain(last);
    const waited = performance.now() - start;
    const isQuiet = next === last || waited > LONGEST;
    last = next;
    if (isQuiet && (waited > LONGEST_GIT || !isGitAtWork(next))) return next;
  }
}

function isGitAtWork({ roots }: Look): boolean {
  return roots.some(({ root: { folder } }) => folder !== undefined && hasGitLock(folder));
}

/** Whether git holds the index of the repository that a folder lies in. */
function hasGitLock(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(`${at}/.git/index.lock`)) return true;
    if (exists(`${at}/.git`) || dirname(at) === at) return false;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
