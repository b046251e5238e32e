import { type Skill, type SkillCatalog, toSkillPath } from '../../catalog/catalog.ts';
import { leaveTurn, takeTurn } from './pause.ts';
import { createShards, type Shards, swapLetters, toNearby } from './shards.ts';
import { STOP_WORDS, toTerms } from './terms.ts';

/** Finds the skills that a query fits, the best first and equals in the order of the catalog. */
export type Search = (query: string) => Promise<readonly Skill[]>;

/** More terms say nothing more, and each is looked for in every shard. */
const MOST_TERMS = 32;

/** UTF-16 units of a query. */
const LONGEST_QUERY = 500;

/** With more skills than this, an idle index is dropped. */
const MOST_KEPT = 2000;

/** How long an index is kept without a query, in milliseconds. */
const IDLE = 10 * 60 * 1000;

/**
 * What fits worse than this share of the best match is left out: it has one common word of many. On real skills that leaves out one in
 * 200 of those that were right and among the first ten (sets A and B of test/bench/search.js), and nine of ten of all that have any word.
 */
const LEAST_SHARE = 0.15;

/** So few are shown, however well they fit: they drown nothing, and scores of few skills say little. */
const ALWAYS = 5;

/** Shorter words are part of too many others. */
const LEAST_INSIDE = 3;

/**
 * Makes the search over names, descriptions and bodies. A skill whose path or name is the query comes first; where no word of the
 * query is found, skills come that have all of them inside their words. The index is made at the first query, in slices that leave
 * the event loop to others.
 *
 * @param skills - the skills that may be found, of the catalog and in its order. Default: all
 */
export function createSearch(catalog: SkillCatalog, skills: readonly Skill[] = catalog.skills): Search {
  const kept: Kept = { shards: undefined, timer: undefined };
  return async (query) => {
    const text = query.slice(0, LONGEST_QUERY).normalize('NFKC').toLowerCase().trim();
    await takeTurn();
    const exact = findExact(skills, text);
    const terms = readTerms(query);
    kept.shards ??= createShards(catalog, skills);
    const index = kept.shards;
    if (skills.length > MOST_KEPT) dropLater(kept);
    // whoever comes meanwhile helps to build, so that nobody waits for a request that has gone
    do await takeTurn();
    while (index.addNext());
    const scored = await scoreSkills(index, terms, skills.length);
    const found = scored.length > 0 ? scored.map((at) => skills[at] as Skill) : await findInside(skills, text);
    leaveTurn();
    return [...new Set([...exact, ...found])];
  };
}

/** An index while it is in use. */
interface Kept {
  shards: Shards | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Drops an index that is not asked for again. The timer holds nothing: a catalog that was replaced goes at once. */
function dropLater(kept: Kept): void {
  const held = new WeakRef(kept);
  clearTimeout(kept.timer);
  kept.timer = setTimeout(() => {
    const idle = held.deref();
    if (idle !== undefined) idle.shards = undefined;
  }, IDLE);
  // it must not keep a process alive
  (kept.timer as { unref?: () => void }).unref?.();
}

/** The terms of a query once each, without stop words unless it has no others. */
function readTerms(query: string): string[] {
  const terms = [...new Set(toTerms(query, LONGEST_QUERY))];
  const telling = terms.filter((term) => !STOP_WORDS.has(term));
  return (telling.length > 0 ? telling : terms).slice(0, MOST_TERMS);
}

/** The skills whose path, or else whose name, the query is; blanks do for hyphens. */
function findExact(skills: readonly Skill[], text: string): readonly Skill[] {
  const wanted = text
    .replace(/^skill:\/\//, '')
    .replace(/\/(?:skill\.md)?$/, '')
    .replace(/[\s_]+/g, '-');
  const path = skills.filter(({ uri }) => toSkillPath(uri) === wanted);
  const named = skills.filter(({ frontmatter: { name } }) => name === wanted);
  return [...path, ...named];
}

/** The places of the skills that fit, the best first. Where no skill has a term, terms that are like it are looked for. */
async function scoreSkills({ parts }: Shards, terms: readonly string[], count: number): Promise<number[]> {
  const scores = new Float64Array(count);
  const counts = new Uint8Array(count);
  for (const term of terms) {
    const tries = [[term], [swapLetters(term)], [term, toNearby(term)]] as const;
    for (const [wanted, options] of tries) {
      let hits = 0;
      for (const part of parts) {
        await takeTurn();
        for (const { id, score } of part.search(wanted, options)) {
          scores[id] = (scores[id] ?? 0) + score;
          counts[id] = (counts[id] ?? 0) + 1;
          hits += 1;
        }
      }
      if (hits > 0) break;
    }
  }
  await takeTurn();
  // as minisearch has it: what fits more of the query counts for more
  for (let at = 0; at < count; at++) scores[at] = (scores[at] ?? 0) * (counts[at] ?? 0);
  const found = [...scores.keys()]
    .filter((at) => (scores[at] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const least = LEAST_SHARE * (scores[found[0] ?? 0] ?? 0);
  return found.filter((at, place) => place < ALWAYS || (scores[at] ?? 0) >= least);
}

/** The skills that have every word of the query somewhere in their path and description. */
async function findInside(skills: readonly Skill[], text: string): Promise<readonly Skill[]> {
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, MOST_TERMS);
  // scripts that set no spaces have short words
  if (words.length === 0 || words.some((word) => word.length < LEAST_INSIDE && /^[\0-\u024f]*$/.test(word))) return [];
  const found: Skill[] = [];
  for (const skill of skills) {
    await takeTurn();
    const inside = `${toSkillPath(skill.uri)} ${skill.frontmatter.description}`.normalize('NFKC').toLowerCase();
    if (words.every((word) => inside.includes(word))) found.push(skill);
  }
  return found;
}
