import { loadCatalog } from '../catalog/bundle.ts';
import { isRecord, readFrontmatter } from '../catalog/foreign.ts';
import type { Comparable } from './comparable.ts';
import { LockError, parseJson, parseLock, readEntries, toFingerprint } from './lockfile.ts';

/**
 * Reads a lock, or what `list --json` printed, with the bytes where it has them.
 *
 * @throws LockError with what is wrong
 */
export function readComparable(text: string): Comparable {
  const value = parseJson(text);
  if (!isRecord(value) || (!('lockfileVersion' in value) && !('skills' in value))) {
    throw new LockError('it is neither a lock nor the output of list --json');
  }
  if ('lockfileVersion' in value) return parseLock(value);
  return 'files' in value ? readBundle(value) : readListing(value);
}

function readBundle(value: Record<string, unknown>): Comparable {
  try {
    return loadCatalog(value as unknown as Parameters<typeof loadCatalog>[0]);
  } catch (error) {
    throw new LockError((error as Error).message, { cause: error });
  }
}

function readListing({ skills, digest }: Record<string, unknown>): Comparable {
  if (!Array.isArray(skills)) throw new LockError('its "skills" are not a list');
  const read = readEntries(skills).map((entry, at) => ({
    ...entry,
    frontmatter: readFields(entry.uri, (skills[at] as { frontmatter?: unknown }).frontmatter),
  }));
  const actual = toFingerprint(read.flatMap(({ resources }) => resources));
  if (digest !== actual) throw new LockError(`its "digest" is not that of its skills, which is ${actual}`);
  return { skills: read };
}

function readFields(uri: string, value: unknown): ReturnType<typeof readFrontmatter> {
  try {
    return readFrontmatter(uri, value);
  } catch (error) {
    throw new LockError((error as Error).message, { cause: error });
  }
}
