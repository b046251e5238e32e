import { countOf } from '../text/count.ts';
import { isRecord } from '../text/jsonvalue.ts';
import { askServer, describeFailure } from './ask.ts';
import type { SkillConnection } from './connection.ts';
import type { Patience } from './fetched.ts';

/** What came of a listing. */
export interface Enumerated {
  /** The entries as the server sent them, not judged. */
  readonly entries: readonly unknown[];
  /** Why that is not all, in one sentence. */
  readonly partial?: string;
}

/**
 * Walks `skills/list`, and nothing else. A listing that does not end, is too long or breaks off keeps what came so far.
 *
 * @throws what the connection throws, or TypeError, where not even the first page came
 */
export async function enumerateSkills(
  connection: SkillConnection,
  { maxPages, maxSkills }: { readonly maxPages: number; readonly maxSkills: number },
  patience: Patience,
): Promise<Enumerated> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await askPage(connection, cursor, patience).catch((error: unknown) => {
      if (cursor === undefined) throw error;
      return { failure: describeFailure(error) };
    });
    if ('failure' in page) return { entries, partial: `a page of the listing did not come: ${page.failure}` };
    const room = maxSkills - entries.length;
    entries.push(...page.skills.slice(0, room));
    if (page.skills.length > room) return { entries, partial: `the server lists more than ${maxSkills} skills` };
    cursor = page.nextCursor;
    if (cursor === undefined) return { entries };
    if (seen.has(cursor)) return { entries, partial: 'the server gave a cursor of its listing twice' };
    seen.add(cursor);
    if (seen.size >= maxPages) {
      return { entries, partial: `the listing has more than ${countOf(maxPages, 'page')}` };
    }
  }
}

async function askPage(
  connection: SkillConnection,
  cursor: string | undefined,
  patience: Patience,
): Promise<{ skills: readonly unknown[]; nextCursor: string | undefined }> {
  const page = await askServer(connection, 'skills/list', cursor === undefined ? {} : { cursor }, patience);
  const { skills, nextCursor } = isRecord(page) ? page : {};
  if (!Array.isArray(skills)) throw new TypeError('the result of skills/list has no list of "skills"');
  if (nextCursor !== undefined && typeof nextCursor !== 'string') {
    throw new TypeError('the "nextCursor" of skills/list is not a string');
  }
  return { skills, nextCursor };
}
