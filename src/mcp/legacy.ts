import type { Skill } from '../catalog/catalog.ts';

/** Where the drafts before SEP-2640 had their list of skills. Clients of those drafts read it without looking for it in any listing. */
export const INDEX_URI = 'skill://index.json';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** The discovery document of the superseded draft: one `skill-md` entry a skill, with the URI of its SKILL.md and no digest. */
export function toIndex(skills: readonly Skill[]): string {
  const entries = skills.map(({ uri, frontmatter: { name, description } }) => ({
    name,
    type: 'skill-md',
    description,
    url: uri,
  }));
  return JSON.stringify({ $schema: SCHEMA, skills: entries });
}
