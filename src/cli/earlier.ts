import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isGlob } from '../disk/glob.ts';
import { expandHome, parseRoot, type Root } from '../disk/roots.ts';
import { type OpenedRoot, openTyped, readSource } from './opening.ts';
import { isServer } from './sides.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';

/** Whether an argument can only be a revision: it is no file or folder here, no source, and no server. */
export function isRevision(argument: string, { cwd, userHome }: Terminal): boolean {
  const { path, prefix } = parseRoot(argument);
  if (argument === '' || prefix !== undefined || isServer(argument) || isGlob(path)) return false;
  const place = expandHome(path, userHome, cwd);
  return !/^\.{0,2}[/\\]/.test(path) && !existsSync(resolve(cwd, place)) && readSource(path, cwd) === undefined;
}

/**
 * Opens roots as they were at a revision of the repositories that hold them.
 *
 * @param revision - a branch, a tag, a commit, or `HEAD~1`
 * @throws CommandError where one of them is in no repository, or has no such revision
 */
export async function openEarlier(
  opened: readonly OpenedRoot[],
  revision: string,
  terminal: Terminal,
): Promise<readonly Root[]> {
  const roots: Root[] = [];
  for (const { typed, roots: now } of opened) {
    if (typed === undefined) {
      for (const root of now) roots.push(...(await openFolderAt(root, revision, terminal)));
    } else if (typed.source.kind === 'git') {
      const source = { ...typed.source, ref: revision };
      const then = await openTyped({ ...typed, source, label: revision }, terminal);
      roots.push(...requireOpened(then, typed.label, revision));
    } else throw refuse(revision, `the root "${typed.label}" is in no repository on this machine`);
  }
  return roots;
}

async function openFolderAt(root: Root, revision: string, terminal: Terminal): Promise<Root[]> {
  const { path, prefix = '' } = root as { path: string; prefix?: string };
  const folder = resolve(terminal.cwd, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw refuse(revision, `the root "${path}" is a glob, and matches what is there now`);
  }
  const { findPlace } = await import('../sources/place.ts');
  const sub = await findPlace(folder, terminal.env).catch((error: Error) => {
    throw refuse(revision, `the root "${path}": ${error.message}`, error);
  });
  const source = { kind: 'git', path: folder, ref: revision, sub } as const;
  return requireOpened(await openTyped({ source, label: revision, prefix }, terminal), path, revision);
}

function requireOpened(roots: Root[], label: string, revision: string): Root[] {
  for (const root of roots) {
    if (typeof root === 'object' && 'fault' in root && root.fault.reason === 'source') {
      throw refuse(revision, `the root "${label}": ${root.fault.detail}`);
    }
  }
  return roots;
}

function refuse(revision: string, why: string, cause?: unknown): CommandError {
  const message = `--since "${revision}" is not a file or folder here, and is read as a Git revision, but ${why}`;
  return new CommandError(EXIT.failure, message, { cause });
}
