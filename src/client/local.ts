import { decodeText, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { cutFrontmatter } from '../verify/yamlcore.ts';
import { quote } from './ask.ts';
import type { KeptFile } from './bytecache.ts';
import type { LocalSkill, NotLoaded } from './outcomes.ts';
import { createNotLoaded } from './prompt.ts';

/** The skills of a catalog that `loadSkills` or `loadCatalog` made, as a host's own; named by their paths: `billing/refunds`. */
export function toLocalSkills(catalog: SkillCatalog): LocalSkill[] {
  return catalog.skills.map(({ uri, frontmatter, resources }) => {
    const folder = uri.slice(0, -SKILL_FILE.length);
    return {
      name: toSkillPath(uri),
      description: frontmatter.description,
      files: resources.map((file) => file.uri.slice(folder.length)).filter((path) => path !== SKILL_FILE),
      read: (path) => {
        const file = catalog.read(folder + path);
        if (file === undefined) throw new Error(`the skill has no file ${quote(path)}`);
        return file.bytes;
      },
    };
  });
}

/** Reads a file of a host's own skill. */
export async function readLocal(skill: LocalSkill, path: string): Promise<KeptFile | NotLoaded> {
  const { name, files = [] } = skill;
  if (path !== SKILL_FILE && !files.includes(path)) {
    return createNotLoaded('refused', name, `${quote(path)} is not a file of the skill`);
  }
  try {
    const content = await skill.read(path);
    return { bytes: typeof content === 'string' ? new TextEncoder().encode(content) : content };
  } catch (error) {
    return createNotLoaded('failed', name, `the file could not be read: ${quote(String(error))}`);
  }
}

/** The text of bytes; undefined where they are not UTF-8. */
export function findText(bytes: Uint8Array): string | undefined {
  try {
    return decodeText(bytes);
  } catch {
    return undefined;
  }
}

/** The Markdown of a host's own SKILL.md; all of it where it has no frontmatter. */
export function toLocalBody(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return cutFrontmatter(text)?.body ?? text;
}
