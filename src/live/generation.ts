import { createCatalog, type PinnedSkill, type SkillCatalog } from '../catalog/catalog.ts';
import { toRootLabel } from '../disk/roots.ts';
import { isRootProblem } from '../judge/judge.ts';
import { sha256 } from '../judge/skill.ts';
import { type Problem, toProblem } from '../problems.ts';
import { countOf } from '../text/count.ts';
import { keepSkills } from './keep.ts';
import type { Published, Reading } from './reading.ts';

/** What is served until the next one takes its place. */
export interface Generation {
  readonly catalog: SkillCatalog;
  /** By the URI of SKILL.md. */
  readonly published: ReadonlyMap<string, Published>;
}

/** What keeps a catalog from being served, in the judgement of somebody else; undefined for nothing. */
export type Accept = (catalog: SkillCatalog) => Objection | Promise<Objection>;

/** Problems, or one sentence. */
type Objection = readonly Problem[] | string | undefined;

/** What a reading comes to. */
export type Verdict = { readonly problems: readonly Problem[] } & (
  | { readonly isRefused: true; readonly reason?: string }
  | {
      readonly isRefused: false;
      readonly generation: Generation;
      /** URIs of the SKILL.md files of skills that are kept from before. */
      readonly kept: readonly string[];
    }
);

/**
 * Judges a reading against what is served.
 *
 * @param now - when it was made
 */
export async function judgeReading(
  reading: Reading,
  before: Generation,
  { invalid, accept }: { readonly invalid: 'fail' | 'skip'; readonly accept?: Accept | undefined },
  now: Date,
): Promise<Verdict> {
  const errors = reading.problems.filter(({ severity }) => severity === 'error');
  if (errors.some((problem) => invalid === 'fail' || isRootProblem(problem))) {
    return { isRefused: true, problems: reading.problems };
  }
  const emptied = findEmptied(reading, before);
  if (emptied.length > 0) return { isRefused: true, problems: [...emptied, ...reading.problems] };
  const fresh = collectPublished(reading, now, before);
  const { kept, problems } = keepSkills(reading, before.published, fresh);
  const published = new Map([...fresh, ...kept]);
  const catalog = toCatalog(published, problems);
  const objection = await accept?.(catalog);
  if (typeof objection === 'string') return { isRefused: true, problems, reason: objection };
  if (objection !== undefined && objection.length > 0) return { isRefused: true, problems: objection };
  return { isRefused: false, generation: { catalog, published }, problems, kept: [...kept.keys()] };
}

/** The first generation, of a reading that may be served. */
export function toGeneration(reading: Reading, now: Date): Generation {
  const published = collectPublished(reading, now);
  return { catalog: toCatalog(published, reading.problems), published };
}

function toCatalog(published: ReadonlyMap<string, Published>, problems: readonly Problem[]): SkillCatalog {
  return createCatalog(
    [...published.values()].map(({ pinned }) => pinned),
    problems,
    sha256,
  );
}

/** What a reading publishes. A skill that was read again and is as it was keeps the time of its version. */
function collectPublished({ reports, isWanted }: Reading, now: Date, before?: Generation): Map<string, Published> {
  const published = new Map<string, Published>();
  for (const { root, skills } of reports) {
    for (const skill of skills) {
      const { pinned, uri, path } = skill;
      if (pinned === undefined || !isWanted(skill)) continue;
      const old = before?.published.get(uri);
      const isSame = old !== undefined && isSameEntry(old.pinned, pinned);
      // the pinned one of this reading: the next one may be given it, and the bytes are then in memory once
      published.set(uri, { pinned, base: toRootLabel(root), path, since: isSame ? old.since : now });
    }
  }
  return published;
}

function isSameEntry(a: PinnedSkill, b: PinnedSkill): boolean {
  return a === b || JSON.stringify(a.entry) === JSON.stringify(b.entry);
}

/** Roots that had skills and have none: a volume that is gone and a folder that was cleaned must not unpublish everything. */
function findEmptied({ reports }: Reading, before: Generation): Problem[] {
  const counts = new Map<string, { skills: number; bases: Set<string> }>();
  for (const { root, skills } of reports) {
    const name = root.match?.glob.pattern ?? toRootLabel(root);
    const count = counts.get(name) ?? { skills: 0, bases: new Set() };
    counts.set(name, { skills: count.skills + skills.length, bases: count.bases.add(toRootLabel(root)) });
  }
  const emptied: Problem[] = [];
  for (const [name, { skills, bases }] of counts) {
    const had = [...before.published.values()].filter(({ base }) => bases.has(base)).length;
    if (skills > 0 || had === 0) continue;
    const message = `no skill is left of ${countOf(had, 'skill')} in the root`;
    const hint = 'to publish none of them, stop the server; to serve fewer roots, start it with those';
    emptied.push(toProblem({ code: 'root-empty', root: name, path: '.', message, hint }));
  }
  return emptied;
}
