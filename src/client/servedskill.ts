import { type HeldEntry, isSameEntry, type TakenEntry } from './entries.ts';

/** A skill of a server: the entry that this host takes, or the reason why it takes none. */
export interface ServedSkill {
  readonly name: string;
  readonly uri: string;
  /** Whether the listing has it; one that was asked for by its name is in no list. */
  isListed: boolean;
  entry: HeldEntry | undefined;
  /** Why there is no entry: one sentence, safe to show. */
  reason: string | undefined;
  /** Whether the entry has to be asked for again before it is used. */
  isStale: boolean;
  /** The entries by which it was loaded. */
  readonly loaded: Set<HeldEntry>;
}

/** A skill as it came, loaded by nothing yet. */
export function createSkill(name: string, uri: string, isListed: boolean, taken: TakenEntry): ServedSkill {
  const loaded = new Set<HeldEntry>();
  return { name, uri, isListed, isStale: false, entry: undefined, reason: undefined, loaded, ...taken };
}

/** The same skill, without its entry. */
export function refuse(skill: ServedSkill, reason: string): ServedSkill {
  return { ...skill, entry: undefined, reason };
}

/** Whether two skills of one URI came in one way. */
export function isTwin(a: ServedSkill, b: ServedSkill): boolean {
  if (a.entry === undefined || b.entry === undefined) return a.reason === b.reason;
  return isSameEntry(a.entry, b.entry);
}
