import { createHash } from 'node:crypto';
import { createCatalog, peekFile, type Skill, type SkillCatalog } from './catalog/catalog.ts';

/**
 * A catalog with some of the skills of another. It shares their entries and their bytes and has a digest of its own; `problems` are the
 * warnings of these skills alone, because every other one names what is not there.
 *
 * @param isKept - asked once for each skill, with its place in the catalog
 * @throws TypeError where it returns something else than true or false
 */
export function filterSkills(catalog: SkillCatalog, isKept: (skill: Skill, index: number) => boolean): SkillCatalog {
  const kept = catalog.skills.filter((skill, index) => {
    const answer: unknown = isKept(skill, index);
    if (typeof answer === 'boolean') return answer;
    throw new TypeError(`the filter must return true or false, not ${typeof answer} (for ${skill.uri})`);
  });
  const uris = new Set(kept.map(({ uri }) => uri));
  const pinned = kept.map((entry) => ({
    entry,
    files: entry.resources.flatMap(({ uri }) => peekFile(catalog, uri) ?? []),
  }));
  return createCatalog(
    pinned,
    // an error, of a skill that is kept from an earlier reading, may name a skill that is not there
    catalog.problems.filter(({ skill, severity }) => severity === 'warning' && skill !== undefined && uris.has(skill)),
    (text) => createHash('sha256').update(text).digest('hex'),
  );
}
