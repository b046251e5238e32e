import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeTree, type Node } from '../tree.ts';

/** What tests run git with: nothing of the user, and no signature. */
export const GIT_ENV: NodeJS.ProcessEnv = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: GIT_ENV,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** Makes a repository with one commit on `main`. */
export function makeRepository(nodes: Readonly<Record<string, Node>>): string {
  const folder = makeTree(nodes);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  commit(folder);
  return folder;
}

/** Commits what is there, after these files are written; gives the hash. */
export function commit(folder: string, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'a');
  return git(folder, 'rev-parse', 'HEAD');
}
