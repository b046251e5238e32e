import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { quoteValue } from '../disk/loading.ts';

/** Whom the skills of a catalog are shown to. Each list is in the order of the catalog. */
export interface Audience {
  /** What listings hold; the rest is served by its address alone. */
  readonly listed: readonly Skill[];
  /** What of it is offered to models. */
  readonly forModel: readonly Skill[];
  /** What models may load, listed or not: what a search finds. */
  readonly findable: readonly Skill[];
}

/**
 * Finds out whom skills are shown to.
 *
 * @param isListed - asked once for each skill
 * @throws TypeError where it answers with something else than true or false
 */
export function toAudience(catalog: SkillCatalog, isListed: ((skill: Skill) => boolean) | undefined): Audience {
  const listed = isListed === undefined ? catalog.skills : catalog.skills.filter((skill) => ask(isListed, skill));
  return {
    listed,
    forModel: listed.filter(isForModel),
    findable: catalog.skills.filter(isForModel),
  };
}

function ask(isListed: (skill: Skill) => unknown, skill: Skill): boolean {
  const answer = isListed(skill);
  if (typeof answer === 'boolean') return answer;
  throw new TypeError(`isListed must return true or false, not ${quoteValue(answer)} (for ${skill.uri})`);
}

/** Whether a model may load a skill on its own: `disable-model-invocation: true` leaves that to users. */
export function isForModel({ frontmatter }: Skill): boolean {
  const field = frontmatter['disable-model-invocation'];
  return field !== true && field !== 'true';
}

/** Whether users start a skill: `user-invocable: false` leaves that to models. */
export function isForUser({ frontmatter }: Skill): boolean {
  const field = frontmatter['user-invocable'];
  return field !== false && field !== 'false';
}

/** A longer path would keep others out, and is only counted. */
const LONGEST_PATH = 100;

/**
 * The paths of skills in a sentence, as far as they fit: `a, b and 12 more`.
 *
 * @param units - the most UTF-16 units of the result
 */
export function namePaths(skills: readonly Skill[], units: number): string {
  const toText = (shown: readonly string[]) => {
    const rest = skills.length - shown.length;
    return shown.join(', ') + (rest === 0 ? '' : ` and ${rest} more`);
  };
  const shown: string[] = [];
  for (const path of toShortPaths(skills)) {
    shown.push(path);
    if (shown.join(', ').length > units) break;
  }
  while (shown.length > 0 && toText(shown).length > units) shown.pop();
  return shown.length === 0 ? `${skills.length}, too long to name here` : toText(shown);
}

function* toShortPaths(skills: readonly Skill[]): Generator<string> {
  for (const { uri } of skills) {
    const path = toSkillPath(uri);
    if (path.length <= LONGEST_PATH) yield path;
  }
}
