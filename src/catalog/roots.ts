import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPrefix } from './names.ts';
import { type Problem, toProblem } from './problems.ts';

/** A folder that holds skills, and what is put before the path of each. */
export interface SkillRoot {
  readonly path: string | URL;
  /** One or more names joined by `/`: the skills are served below `skill://prefix/…`. Default: none. */
  readonly prefix?: string;
}

/** A root that was looked for: the folder where it was found, or why it cannot be used. */
export interface ResolvedRoot {
  /** As it was given. */
  readonly path: string;
  readonly prefix: string;
  /** Absolute, links resolved: a root may be given through a link, but nothing below it is. */
  readonly folder?: string;
  readonly problem?: Problem;
}

/**
 * Finds roots on disk.
 *
 * @param from - the module that relative roots are looked for from, upwards; default: the working directory alone
 * @throws TypeError for a prefix that is none, a URL that names no file, or an empty path
 */
export function resolveRoots(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  from?: string | URL,
): ResolvedRoot[] {
  const list = Array.isArray(roots)
    ? (roots as readonly (string | URL | SkillRoot)[])
    : [roots as string | URL | SkillRoot];
  if (list.length === 0) throw new TypeError('there is no root');
  return list.map((root) => {
    const { path, prefix = '' } =
      typeof root === 'string' || root instanceof URL ? { path: root } : ((root ?? {}) as SkillRoot);
    if (prefix !== '' && !isPrefix(prefix)) {
      throw new TypeError(
        `the prefix "${prefix}" is not one or more names joined by "/" (a-z, 0-9 and single hyphens)`,
      );
    }
    const given = path instanceof URL ? fileURLToPath(path) : path;
    if (typeof given !== 'string') throw new TypeError('a root is neither a path nor a URL nor { path, prefix }');
    // an unset variable, most likely; the working directory is nobody's wish
    if (given === '') throw new TypeError('a root is the empty text');
    return { path: given, prefix, ...findFolder(given, from) };
  });
}

/** Reads a root as it is written on a command line: a folder, or `prefix=folder`. */
export function parseRoot(argument: string): { path: string; prefix?: string } {
  const at = argument.indexOf('=');
  const prefix = argument.slice(0, Math.max(at, 0));
  return at > 0 && at < argument.length - 1 && isPrefix(prefix)
    ? { path: argument.slice(at + 1), prefix }
    : { path: argument };
}

function findFolder(given: string, from: string | URL | undefined): { folder: string } | { problem: Problem } {
  const found = from === undefined || isAbsolute(given) ? resolve(given) : searchUpwards(given, from);
  if (found === undefined) {
    return {
      problem: toProblem({
        code: 'root-missing',
        path: '.',
        message: `there is no folder "${given}" in the folder of the calling module or in one above it`,
        hint: 'create it, or pass its absolute path',
      }),
    };
  }
  try {
    const folder = realpathSync(found);
    if (statSync(folder).isDirectory()) return { folder };
    return {
      problem: toProblem({
        code: 'root-unreadable',
        path: '.',
        message: `"${given}" is no folder`,
        hint: 'pass the folder that holds skills',
      }),
    };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return {
        problem: toProblem({
          code: 'root-missing',
          path: '.',
          message: `there is no folder "${given}"${found === given ? '' : ` (looked for ${found})`}`,
          hint: 'create it, or pass its absolute path',
        }),
      };
    }
    return {
      problem: toProblem({
        code: 'root-unreadable',
        path: '.',
        message: `"${given}" cannot be read: ${code ?? (error as Error).message}`,
      }),
    };
  }
}

function searchUpwards(given: string, from: string | URL): string | undefined {
  const text = String(from);
  let folder = dirname(text.startsWith('file:') ? fileURLToPath(text) : resolve(text));
  for (;;) {
    const candidate = join(folder, given);
    if (existsSync(candidate)) return candidate;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}
