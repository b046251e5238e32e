import type { Skill } from '../catalog/catalog.ts';

/** The name that Claude Code gives itself as a client. */
export const CLAUDE_CODE = 'claude-code';

/** What Claude Code's own list of skills takes of one server, as the texts of version 2.1.332 have it. Bytes are of entries as JSON. */
const MOST = { skills: 100, pages: 20, bytes: 512 * 1024 } as const;

/**
 * Says how much of a listing Claude Code takes; undefined where it takes all of it.
 *
 * @param skills - as they are listed
 */
export function explainCut(skills: readonly Skill[], pageSize: number): string | undefined {
  let bytes = 0;
  let taken = 0;
  for (const skill of skills.slice(0, Math.min(MOST.skills, MOST.pages * pageSize))) {
    bytes += Buffer.byteLength(JSON.stringify(skill));
    if (bytes > MOST.bytes) break;
    taken += 1;
  }
  if (taken === skills.length) return undefined;
  return (
    `Claude Code takes the first ${taken} of ${skills.length} skills into its own list; skills/get and the tools reach the others. ` +
    '--unlisted chooses what is listed'
  );
}
