// This room knows which bytes a catalog has, and how two catalogs differ, by their digests. It knows nothing of protocol, of printing,
// or of where a catalog comes from.
import { type SkillResource, toDigest } from '../catalog/catalog.ts';
import { assertDistinct, DIGEST, isRecord, type ManifestEntry, readEntry, toKind } from '../catalog/foreign.ts';
import { sha256 } from '../judge/skill.ts';
import { compareText } from '../problems.ts';

/** One skill of a lock. */
interface LockedSkill extends ManifestEntry {
  /** `sha256:…` over the lines `URI DIGEST` of its files: what approvals are given to. */
  readonly fingerprint: string;
}

/** Which bytes are served, and nothing else: no time, no host, no version of this package. */
export interface Lock {
  readonly lockfileVersion: 1;
  /** Of the catalog. */
  readonly digest: string;
  /** Sorted by URI. */
  readonly skills: readonly LockedSkill[];
}

const VERSION = 1;

/** A lock that cannot be used; the message is one sentence without the name of the file. */
export class LockError extends Error {
  override readonly name = 'LockError';
}

/** The lock of what is served. Takes entries from anywhere, with distinct URIs and in any order. */
export function toLock({ skills }: { readonly skills: readonly ManifestEntry[] }): Lock {
  const locked = skills.map(({ uri, resources }) => ({
    uri,
    fingerprint: toFingerprint(resources),
    resources: resources
      .map(({ uri, digest, size }): SkillResource => ({ uri, digest, size }))
      .sort((a, b) => compareText(a.uri, b.uri)),
  }));
  return {
    lockfileVersion: VERSION,
    digest: toFingerprint(locked.flatMap(({ resources }) => resources)),
    skills: locked.sort((a, b) => compareText(a.uri, b.uri)),
  };
}

/** The digest of a skill, or of a whole catalog: SHA-256 over the lines `URI DIGEST`, sorted by code units. */
export function toFingerprint(resources: readonly SkillResource[]): string {
  return toDigest(resources, sha256);
}

/** The text of a lock: two spaces, LF, a line end at the end. Equal catalogs have equal texts on every system. */
export function formatLock({ lockfileVersion, digest, skills }: Lock): string {
  return `${JSON.stringify({ lockfileVersion, digest, skills }, null, 2)}\n`;
}

/**
 * Reads a lock, whoever wrote it: every fingerprint has to be that of its files, and the digest that of all.
 *
 * @throws LockError with what is wrong
 */
export function readLock(text: string): Lock {
  return parseLock(parseJson(text));
}

/** @throws LockError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    const isConflict = /^(?:<{7}|={7}|>{7})/m.test(text);
    const why = isConflict ? 'it has the marks of a merge conflict: write it again' : (error as Error).message;
    throw new LockError(`it is not JSON: ${why}`, { cause: error });
  }
}

/** @throws LockError */
export function parseLock(value: unknown): Lock {
  if (!isRecord(value)) throw new LockError(`it is not an object with "lockfileVersion", but ${toKind(value)}`);
  const { lockfileVersion, digest, skills } = value;
  if (lockfileVersion !== VERSION) {
    throw new LockError(`its "lockfileVersion" is ${toKind(lockfileVersion)}, and this version knows ${VERSION} alone`);
  }
  if (typeof digest !== 'string' || !DIGEST.test(digest)) throw new LockError(describeDigest('its "digest"', digest));
  if (!Array.isArray(skills)) throw new LockError('its "skills" are not a list');
  const lock = toLock({ skills: readEntries(skills) });
  const byUri = new Map(skills.map((skill: { uri: string; fingerprint: unknown }) => [skill.uri, skill.fingerprint]));
  for (const { uri, fingerprint } of lock.skills) {
    const given = byUri.get(uri);
    if (given === fingerprint) continue;
    if (typeof given !== 'string' || !DIGEST.test(given)) {
      throw new LockError(describeDigest(`the "fingerprint" of ${uri}`, given));
    }
    throw new LockError(`the "fingerprint" of ${uri} is not that of its files, which is ${fingerprint}`);
  }
  if (lock.digest !== digest) {
    throw new LockError(`its "digest" is not that of its skills, which is ${lock.digest}`);
  }
  return lock;
}

/**
 * Reads the entries of a lock or of a printed catalog.
 *
 * @throws LockError
 */
export function readEntries(skills: readonly unknown[]): ManifestEntry[] {
  try {
    const entries = skills.map(readEntry);
    assertDistinct(entries);
    return entries;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new LockError(error.message, { cause: error });
  }
}

function describeDigest(what: string, value: unknown): string {
  return `${what} is not "sha256:" and 64 lowercase hex digits, but ${toKind(value)}`;
}
