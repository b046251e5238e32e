import type { SkillResource } from '../catalog/catalog.ts';
import { compareText } from '../problems.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import type { Comparable, ComparedSkill } from './comparable.ts';
import { type FieldChange, findFieldChanges, findLineEnds, findNewLinks, isScript, type NewLink } from './effects.ts';
import { type Lock, toFingerprint, toLock } from './lockfile.ts';
import { type Pair, pairSkills } from './pair.ts';

/** A file that differs. */
export interface FileChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** Relative to its skill. */
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
  /** Whether it is one that a host may execute: by its folder or its name, or by its first line where that is known. */
  readonly isScript: boolean;
  /** Present where its line ends alone differ, as after a checkout by git for Windows. */
  readonly isLineEnds?: true;
}

/** The digest and the size in bytes of a file. */
type FileState = Pick<SkillResource, 'digest' | 'size'>;

/** A skill that differs. */
export interface SkillChange {
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  /** Of the new side; of a removed skill, of the old one. */
  readonly uri: string;
  /** Of a renamed skill, on the old side. */
  readonly oldUri?: string;
  /** The fingerprint that is gone, and with it the approvals that were given to it; absent of an added skill. */
  readonly revokes?: string;
  /** The new fingerprint; absent of a removed skill. */
  readonly fingerprint?: string;
  /** Sorted by path. */
  readonly files: readonly FileChange[];
  /** What hosts act on first; undefined where the frontmatter of a side is not known, and of added and removed skills. */
  readonly fields?: readonly FieldChange[];
  /** Of the side that has the skill, or the new one, where it is known. */
  readonly frontmatter?: JsonObject;
  /** Links to hosts that no file of the old side names; undefined where contents are not known, and of removed skills. */
  readonly links?: readonly NewLink[];
  /** Present where the skill is not gone, or not new: it has errors on the other side, which does not publish it. */
  readonly isRefused?: true;
}

/** How one catalog differs from another; plain data. */
export interface CatalogDiff {
  /** The digests of the two. */
  readonly from: string;
  readonly to: string;
  /** Whether nothing differs. */
  readonly isEqual: boolean;
  /** Sorted by URI, in code units. */
  readonly changes: readonly SkillChange[];
  /** How many skills are the same on both sides. */
  readonly unchanged: number;
  /** The URIs of skills that the new side has and does not publish, because they have errors: they are not compared. Sorted. */
  readonly refused: readonly string[];
}

/**
 * Compares two catalogs by their digests; what differs, by its content too, where both sides have it.
 *
 * @param before - what approvals were given to
 */
export function compareCatalogs(before: Comparable, after: Comparable): CatalogDiff {
  const pairs = pairSkills(before, after);
  const changes = pairs
    .map((pair) => compareSkill(pair, before, after))
    .filter((change) => change !== undefined)
    .sort((a, b) => compareText(a.uri, b.uri) || compareText(a.kind, b.kind));
  return {
    from: toDigestOf(before),
    to: toDigestOf(after),
    isEqual: changes.length === 0,
    changes,
    unchanged: pairs.length - changes.length,
    refused: [...(after.refused ?? [])].sort(compareText),
  };
}

/** What differs between a catalog and the lock that it has to be equal to; undefined where nothing does. */
export function checkLock(catalog: Comparable, lock: Lock): CatalogDiff | undefined {
  if (catalog.skills.length === lock.skills.length && toLock(catalog).digest === lock.digest) return undefined;
  const diff = compareCatalogs(lock, catalog);
  return diff.isEqual ? undefined : diff;
}

function toDigestOf({ skills }: Comparable): string {
  return toFingerprint(skills.flatMap(({ resources }) => resources));
}

function compareSkill({ old, now }: Pair, before: Comparable, after: Comparable): SkillChange | undefined {
  if (old === undefined && now === undefined) return undefined;
  const revokes = old && toFingerprint(old.resources);
  const fingerprint = now && toFingerprint(now.resources);
  const fields = old && now && findFieldChanges(old.frontmatter, now.frontmatter);
  if (revokes === fingerprint && (fields === undefined || fields.length === 0)) return undefined;
  const { uri = '', frontmatter } = now ?? old ?? {};
  const isRenamed = old !== undefined && now !== undefined && old.uri !== now.uri;
  const links = now && findNewLinks(old && { skill: old, side: before }, { skill: now, side: after });
  const others = now === undefined ? after.refused : old === undefined ? before.refused : undefined;
  return {
    kind: old === undefined ? 'added' : now === undefined ? 'removed' : isRenamed ? 'renamed' : 'changed',
    uri,
    ...(isRenamed ? { oldUri: old.uri } : {}),
    ...(revokes === undefined || revokes === fingerprint ? {} : { revokes }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    files: compareFiles({ old, now }, before, after),
    ...(fields === undefined ? {} : { fields }),
    ...(frontmatter === undefined ? {} : { frontmatter }),
    ...(links === undefined ? {} : { links }),
    ...(others?.includes(uri) === true ? { isRefused: true as const } : {}),
  };
}

function compareFiles({ old, now }: Pair, before: Comparable, after: Comparable): FileChange[] {
  const olds = byPath(old);
  const news = byPath(now);
  const paths = [...new Set([...olds.keys(), ...news.keys()])].sort(compareText);
  return paths.flatMap((path): FileChange[] => {
    const [a, b] = [olds.get(path), news.get(path)];
    if (a?.digest === b?.digest) return [];
    const bytes = (b && after.read?.(b.uri)?.bytes) ?? (a && before.read?.(a.uri)?.bytes);
    const isLineEnds = a && b && findLineEnds({ a, b }, { before, after });
    return [
      {
        kind: a === undefined ? 'added' : b === undefined ? 'removed' : 'changed',
        path,
        ...(a === undefined ? {} : { before: { digest: a.digest, size: a.size } }),
        ...(b === undefined ? {} : { after: { digest: b.digest, size: b.size } }),
        isScript: isScript(path, bytes),
        ...(isLineEnds === true ? { isLineEnds } : {}),
      },
    ];
  });
}

function byPath(skill: ComparedSkill | undefined): Map<string, SkillResource> {
  const folder = skill === undefined ? 0 : skill.uri.lastIndexOf('/') + 1;
  return new Map(skill?.resources.map((file) => [file.uri.slice(folder), file]));
}
