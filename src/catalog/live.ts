import type { Problem } from '../problems.ts';
import type { SkillCatalog } from './catalog.ts';
import type { CatalogChange } from './change.ts';

/** How changes on disk are noticed. `off`: they are not, and only `reload()` reads. */
export type LiveMode = 'events' | 'poll' | 'off';

/** Skills that follow what is on disk. */
export interface LiveSkills {
  /** The current one: always good, always frozen, and another object after each change. */
  readonly catalog: SkillCatalog;
  readonly status: LiveStatus;
  /** Reads now, if anything has changed. One reading at a time: a call during one gets one more after it. */
  reload(): Promise<ReloadResult>;
  /** Hears of every change, right after the new catalog has become the current one. @returns what ends that */
  subscribe(listener: (change: CatalogChange) => void): () => void;
  /** Ends the following. The catalog stays. */
  close(): Promise<void>;
}

/** How current the catalog is. */
export interface LiveStatus {
  /** 1 is the first. */
  readonly generation: number;
  readonly loadedAt: Date;
  /** `stale`: the last reading was refused, or a skill is kept from an earlier one. */
  readonly state: 'current' | 'stale';
  /** Since when the state is this one. */
  readonly since: Date;
  /** Of the last reading, whether or not it was taken. */
  readonly problems: readonly Problem[];
  /** URIs of the SKILL.md files of skills that are kept from an earlier generation, under `invalid: 'skip'`. */
  readonly keptSkills: readonly string[];
  readonly mode: LiveMode;
}

/** What came of a reading. */
export type ReloadResult =
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'changed'; readonly change: CatalogChange }
  | { readonly outcome: 'refused'; readonly problems: readonly Problem[] };
