import type { SkillResource } from '../catalog/catalog.ts';
import type { JsonObject } from '../text/jsonvalue.ts';

/** A skill that is compared: an entry of a catalog, or of a lock. */
export interface ComparedSkill {
  readonly uri: string;
  readonly resources: readonly SkillResource[];
  /** Absent where only digests are known. */
  readonly frontmatter?: JsonObject;
}

/** What is compared: a catalog, a lock, or what `list --json` printed. */
export interface Comparable {
  /** With distinct URIs. */
  readonly skills: readonly ComparedSkill[];
  /** A file by its URI; absent where only digests are known. */
  read?(uri: string): { readonly bytes: Uint8Array } | undefined;
  /** The URIs of skills that are there and not published, because they have errors. */
  readonly refused?: readonly string[];
}
