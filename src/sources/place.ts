import { describeGit, runGit, toGitEnv } from './git.ts';
import { SourceError } from './trouble.ts';

/**
 * Where a folder is in the repository that holds it: its path from the top, `''` for the top.
 *
 * @param folder - absolute
 * @throws SourceError where it is in no repository
 */
export async function findPlace(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const found = await runGit(folder, ['rev-parse', '--show-prefix'], toGitEnv(env));
  if (found.status !== 0) throw new SourceError('unreadable', describeGit(found));
  return found.stdout.toString().replace(/\/?\n$/, '');
}
