import { type Skill, toSkillPath } from '../catalog/catalog.ts';

interface Indexed {
  readonly skill: Skill;
  readonly name: ReadonlySet<string>;
  readonly description: ReadonlySet<string>;
  readonly text: string;
}

// a word of the name says more than a word of the description, and a whole word more than its beginning
const WEIGHTS = { name: 8, nameStart: 4, description: 3, descriptionStart: 1.5, inside: 0.5 } as const;

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
    name: new Set(toWords(path)),
    description: new Set(toWords(description)),
    text: `${path} ${description}`.normalize('NFKC').toLowerCase(),
  };
}

function weigh({ name, description, text }: Indexed, word: string): number {
  const isLong = word.length >= 3;
  const starts = (words: ReadonlySet<string>) => isLong && [...words].some((candidate) => candidate.startsWith(word));
  const ofName = name.has(word) ? WEIGHTS.name : starts(name) ? WEIGHTS.nameStart : 0;
  const ofText = description.has(word) ? WEIGHTS.description : starts(description) ? WEIGHTS.descriptionStart : 0;
  if (ofName + ofText > 0) return ofName + ofText;
  // scripts that set no spaces have no words to compare
  return (isLong || /[^\0-\u024f]/u.test(word)) && text.includes(word) ? WEIGHTS.inside : 0;
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
