import { peekFile, type SkillCatalog } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { sha256 } from '../judge/skill.ts';
import { toJson } from '../text/escape.ts';
import type { Sheet } from './sheet.ts';
import { toTop } from './skeleton.ts';
import { toZip } from './zip.ts';

/** The schema that an index names (Agent Skills Discovery 0.2.0). */
const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** Where clients look for the index, below an address. */
export const DISCOVERY = '.well-known/agent-skills';

/** The skills that one index lists, and those that it cannot. */
export interface Indexed {
  readonly listed: readonly Sheet[];
  /** Skills whose name another one has: clients install by name, and the first by URI is listed. */
  readonly unlisted: readonly Sheet[];
}

/** Sorts skills by whether an index of all of them can list them. */
export function sortByName(skills: readonly Sheet[]): Indexed {
  const names = new Set<string>();
  const sorted: { listed: Sheet[]; unlisted: Sheet[] } = { listed: [], unlisted: [] };
  for (const sheet of skills) {
    const { name } = sheet.skill.frontmatter;
    (names.has(name) ? sorted.unlisted : sorted.listed).push(sheet);
    names.add(name);
  }
  return sorted;
}

/** The path of the archive of a skill of several files; one of a single file needs none. */
export function toArchivePath({ path, files }: Sheet): string | undefined {
  return files.length === 1 ? undefined : `${DISCOVERY}/${path}.zip`;
}

/** The archive of a skill: its files, SKILL.md first. */
export function toArchive({ files }: Sheet, catalog: SkillCatalog): Uint8Array {
  return toZip(files.map(({ path, uri }) => ({ path, bytes: peekFile(catalog, uri)?.bytes ?? new Uint8Array() })));
}

/**
 * The index of the skills of a site, or of a group.
 *
 * @param path - of the index in the site
 * @param digestOf - of the archive of a skill
 */
export function formatIndex(path: string, skills: readonly Sheet[], digestOf: (sheet: Sheet) => string): string {
  const up = toTop(path);
  return toJson({
    $schema: SCHEMA,
    skills: sortByName(skills).listed.map((sheet) => {
      const { name, description } = sheet.skill.frontmatter;
      const archive = toArchivePath(sheet);
      const [file] = sheet.files;
      return archive === undefined
        ? { name, type: 'skill-md', description, url: `${up}${sheet.path}/files/${SKILL_FILE}`, digest: file?.digest }
        : { name, type: 'archive', description, url: up + archive, digest: digestOf(sheet) };
    }),
  });
}

/** The digest of an archive, as an index has it. */
export function toArchiveDigest(bytes: Uint8Array): string {
  return `sha256:${sha256(bytes)}`;
}
