import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RECENT } from '../disk/read.ts';
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
    const isQuiet = (next === last && isAged(next)) || waited > LONGEST;
    last = next;
    if (isQuiet && (waited > LONGEST_GIT || !isGitAtWork(next))) return next;
  }
}

/** So many changed entries at once are no person's: a checkout, say. */
const MANY = 20;

/** A file that was changed so lately is looked at twice when it is read: many of them are read sooner after a moment. */
function isAged({ fresh, youngest }: Look): boolean {
  return fresh <= MANY || youngest < Date.now() - RECENT;
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
