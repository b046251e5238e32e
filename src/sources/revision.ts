import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeGit, runGit, toGitEnv } from './git.ts';
import { maskUrl, type RemoteSource } from './grammar.ts';
import { findCommit, isHash } from './objects.ts';
import type { SourceContext, TypedSource } from './sources.ts';
import { SourceError } from './trouble.ts';

/** What a source is now, so far as it can be told without reading it: equal for two looks between which it did not change. */
export type Glance = string;

/** A source that is the same for ever. */
export const FIXED = 'fixed';

/** Whether a source is on another machine, which is asked for what it is. */
export function isDistant({ source }: TypedSource): boolean {
  return source.kind === 'remote' && !isHash(source.ref);
}

/**
 * Looks at a source. A branch moves; a hash and a tag do not, nor does what is pinned.
 *
 * @throws SourceError
 */
export async function glanceAt({ source }: TypedSource, { cwd, env, expand }: SourceContext): Promise<Glance> {
  switch (source.kind) {
    case 'git': {
      if (isHash(source.ref)) return FIXED;
      const gitEnv = toGitEnv(env);
      const folder = resolve(cwd, expand(source.path));
      const tag = await runGit(folder, ['show-ref', '--verify', '--quiet', '--', `refs/tags/${source.ref}`], gitEnv);
      return tag.status === 0 ? FIXED : findCommit(folder, source.ref, gitEnv);
    }
    case 'remote':
      return isHash(source.ref) ? FIXED : askServer(source, toGitEnv(env));
    case 'archive': {
      const { size, mtimeMs, ctimeMs, ino } = await stat(resolve(cwd, expand(source.path)));
      return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
    }
    case 'npm':
    case 'download':
      return FIXED;
  }
}

async function askServer({ url, ref }: RemoteSource, env: NodeJS.ProcessEnv): Promise<Glance> {
  const names = ref === 'HEAD' ? ['HEAD'] : [ref, `refs/${ref}`, `refs/tags/${ref}`, `refs/heads/${ref}`];
  const asked = await runGit('.', ['ls-remote', '--quiet', '--', url, ...names], env);
  if (asked.status !== 0) {
    throw new SourceError('unreadable', `${maskUrl(url)} cannot be asked: ${describeGit(asked)}`);
  }
  const hashes = new Map(
    asked.stdout
      .toString()
      .split('\n')
      .map((line) => line.split('\t').reverse() as [string, string]),
  );
  const name = names.find((each) => hashes.has(each));
  if (name === undefined) throw new SourceError('missing', `${maskUrl(url)} has no branch or tag "${ref}" any more`);
  return name.startsWith('refs/tags/') ? FIXED : (hashes.get(name) ?? '');
}
