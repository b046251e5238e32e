import type { Skill } from '../catalog/catalog.ts';
import { countTaken, PROFILES } from '../lint/importers.ts';

/** The name that Claude Code gives itself as a client. */
export const CLAUDE_CODE = 'claude-code';

/** Pages of a listing that it follows, as the texts of version 2.1.332 have it: with the usual size of a page no limit of its own. */
const MOST_PAGES = 20;

/**
 * Says how much of a listing Claude Code takes; undefined where it takes all of it.
 *
 * @param skills - as they are listed
 */
export function explainCut(skills: readonly Skill[], pageSize: number): string | undefined {
  const taken = countTaken(skills.slice(0, MOST_PAGES * pageSize), PROFILES[CLAUDE_CODE]);
  if (taken === skills.length) return undefined;
  return (
    `Claude Code takes the first ${taken} of ${skills.length} skills into its own list; skills/get and the tools reach the others. ` +
    '--unlisted chooses what is listed'
  );
}
