import { isUtf8 } from 'node:buffer';
import { decodeText } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { compareText } from '../problems.ts';
import { toBaseName } from '../text/names.ts';
import type { Comparable, ComparedSkill } from './comparable.ts';

/** A skill on both sides, or on one. */
export interface Pair {
  readonly old: ComparedSkill | undefined;
  readonly now: ComparedSkill | undefined;
}

/** What two skills have in common that are one under two names; undefined where it says nothing. */
type Trait = (skill: ComparedSkill, side: Comparable) => string | undefined;

/**
 * Traits of a renamed skill, the surest first. A skill that moves to another group keeps every digest. One with a new name of its own
 * has that name in its SKILL.md, so its other files say that it is the same; where there are none, the rest of SKILL.md does.
 */
const TRAITS: readonly Trait[] = [
  ({ resources }) => toMultiset(resources.map(({ digest }) => digest)),
  ({ uri, resources }) => {
    const others = resources.filter((file) => file.uri !== uri);
    return others.length === 0 ? undefined : toMultiset(others.map(({ digest }) => digest));
  },
  ({ uri }, side) => {
    const bytes = side.read?.(uri)?.bytes;
    if (bytes === undefined || !isUtf8(bytes)) return undefined;
    return decodeText(bytes).replaceAll(toName(uri), '');
  },
];

/** Brings together what is one skill on both sides: by its URI, else as a skill that was renamed. */
export function pairSkills(before: Comparable, after: Comparable): Pair[] {
  const olds = new Map(before.skills.map((skill) => [skill.uri, skill]));
  const news = new Map(after.skills.map((skill) => [skill.uri, skill]));
  const pairs: Pair[] = [];
  const join = (old: ComparedSkill, now: ComparedSkill) => {
    olds.delete(old.uri);
    news.delete(now.uri);
    pairs.push({ old, now });
  };
  for (const [uri, old] of [...olds]) {
    const now = news.get(uri);
    if (now !== undefined) join(old, now);
  }
  for (const trait of TRAITS) {
    if (olds.size === 0 || news.size === 0) break;
    const byTrait = new Map<string, ComparedSkill[]>();
    for (const now of [...news.values()].sort((a, b) => compareText(a.uri, b.uri))) {
      const value = trait(now, after);
      if (value !== undefined) byTrait.set(value, [...(byTrait.get(value) ?? []), now]);
    }
    for (const old of [...olds.values()].sort((a, b) => compareText(a.uri, b.uri))) {
      const alike = byTrait.get(trait(old, before) ?? '') ?? [];
      // of several, the one that kept its own name
      const now = alike.find(({ uri }) => toName(uri) === toName(old.uri)) ?? alike[0];
      if (now === undefined) continue;
      alike.splice(alike.indexOf(now), 1);
      join(old, now);
    }
  }
  for (const old of olds.values()) pairs.push({ old, now: undefined });
  for (const now of news.values()) pairs.push({ old: undefined, now });
  return pairs;
}

function toMultiset(digests: readonly string[]): string {
  return [...digests].sort(compareText).join(' ');
}

function toName(uri: string): string {
  return toBaseName(uri.slice(0, -SKILL_FILE.length - 1));
}
