import { type Skill, toSkillPath } from '../catalog/catalog.ts';

interface Indexed {
  readonly skill: Skill;
  readonly name: Words;
  readonly description: Words;
  readonly text: string;
}

/** The words of a text, one by one and as ` one two ` to find beginnings in. */
interface Words {
  readonly set: ReadonlySet<string>;
  readonly line: string;
}

// a word of the name says more than a word of the description, and a whole word more than its beginning
const WEIGHTS = { name: 8, nameStart: 4, description: 3, descriptionStart: 1.5, inside: 0.5 } as const;

/** What a longer form of a word may end in beyond it: `commits` finds `commit`, `reviewing` finds `review`. */
const MOST_ENDING = 3;

/** Shorter words are the beginning of too many others. */
const LEAST_STEM = 4;

/** More words say nothing more, and each is looked for in every skill. */
const MOST_WORDS = 32;

/**
 * Makes the search over names and descriptions. Only skills that have a word of the query come back, the best first; rare words
 * count more than common ones, and equals stay in the order of the catalog.
 */
export function createRanking(skills: readonly Skill[]): (query: string) => readonly Skill[] {
  let index: readonly Indexed[] | undefined;
  return (query) => {
    index ??= skills.map(toIndexed);
    const scores = new Map<Skill, number>();
    for (const word of [...new Set(toWords(query))].slice(0, MOST_WORDS)) {
      const hits = index.flatMap((item) => {
        const weight = weigh(item, word);
        return weight > 0 ? [{ skill: item.skill, weight }] : [];
      });
      const rarity = Math.log(1 + skills.length / Math.max(1, hits.length));
      for (const { skill, weight } of hits) scores.set(skill, (scores.get(skill) ?? 0) + weight * rarity);
    }
    return [...scores].sort(byScore(skills)).map(([skill]) => skill);
  };
}

function byScore(skills: readonly Skill[]): (a: readonly [Skill, number], b: readonly [Skill, number]) => number {
  const place = new Map(skills.map((skill, index) => [skill, index]));
  return ([a, left], [b, right]) => right - left || (place.get(a) ?? 0) - (place.get(b) ?? 0);
}

function toIndexed(skill: Skill): Indexed {
  const path = toSkillPath(skill.uri);
  const { description } = skill.frontmatter;
  return {
    skill,
    name: toIndex(path),
    description: toIndex(description),
    text: `${path} ${description}`.normalize('NFKC').toLowerCase(),
  };
}

function toIndex(text: string): Words {
  const set = new Set(toWords(text));
  return { set, line: ` ${[...set].join(' ')} ` };
}

function weigh({ name, description, text }: Indexed, word: string): number {
  const isLong = word.length >= 3;
  const starts = (words: Words) => (isLong && words.line.includes(` ${word}`)) || hasStem(words, word);
  const ofName = name.set.has(word) ? WEIGHTS.name : starts(name) ? WEIGHTS.nameStart : 0;
  const ofText = description.set.has(word) ? WEIGHTS.description : starts(description) ? WEIGHTS.descriptionStart : 0;
  if (ofName + ofText > 0) return ofName + ofText;
  // scripts that set no spaces have no words to compare
  return (isLong || /[^\0-\u024f]/u.test(word)) && text.includes(word) ? WEIGHTS.inside : 0;
}

/** Whether a word is a longer form of one that is there. */
function hasStem({ set }: Words, word: string): boolean {
  const least = Math.max(LEAST_STEM, word.length - MOST_ENDING);
  for (let length = word.length - 1; length >= least; length--) if (set.has(word.slice(0, length))) return true;
  return false;
}

/** The words of a text: runs of letters, marks and digits, in lower case. */
function toWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}
