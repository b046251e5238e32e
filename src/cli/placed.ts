import { resolve } from 'node:path';
import { LOCK_FILE } from '../lock/filename.ts';

/** The path of a lock as it is typed; without a value, the default one. */
export function toLockPath(typed: string | true): string {
  return typed === true || typed === '' ? LOCK_FILE : typed;
}

/** An option of `serve` as it holds in any working directory: a host starts the server in one of its own. */
export function toPlacedFlag(flag: string, cwd: string): string {
  const [, file] = /^--locked(?:=(.*))?$/s.exec(flag) ?? [undefined];
  return /^--locked(?:=|$)/.test(flag) ? `--locked=${resolve(cwd, toLockPath(file ?? ''))}` : flag;
}
