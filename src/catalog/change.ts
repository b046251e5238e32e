import { compareText } from '../problems.ts';
import type { Skill, SkillCatalog } from './catalog.ts';

/** What differs between two catalogs. Each list is sorted, in code units. */
export interface CatalogChange {
  /** The digest of the earlier catalog. */
  readonly from: string;
  /** The digest of the later one. */
  readonly to: string;
  /** URIs of SKILL.md files. */
  readonly added: readonly string[];
  /** URIs of SKILL.md files. */
  readonly removed: readonly string[];
  /** URIs of the SKILL.md files of skills of which any file, or the frontmatter, is another. */
  readonly changed: readonly string[];
  /** URIs of files whose content is another, and of those that came or went. */
  readonly files: readonly string[];
}

/** Compares two catalogs. Pure, and without anything of Node: a bundle can do it as well. */
export function findChange(before: SkillCatalog, after: SkillCatalog): CatalogChange {
  const files: string[] = [];
  const changed: string[] = [];
  const [added, removed] = [after, before].map((catalog) => {
    const other = catalog === after ? before : after;
    return catalog.skills.filter(({ uri }) => other.get(uri) === undefined).map(({ uri }) => uri);
  }) as [string[], string[]];
  for (const skill of after.skills) {
    const old = before.get(skill.uri);
    if (old === skill) continue;
    const differing = listDiffering(old, skill);
    files.push(...differing);
    if (old !== undefined && (differing.length > 0 || !hasSameFrontmatter(old, skill))) changed.push(skill.uri);
  }
  for (const uri of removed) files.push(...listDiffering(before.get(uri), undefined));
  return { from: before.digest, to: after.digest, added, removed, changed, files: files.sort(compareText) };
}

/** Whether nothing that is published differs. */
export function isEmptyChange({ added, removed, changed }: CatalogChange): boolean {
  return added.length + removed.length + changed.length === 0;
}

/** The files whose digest differs between two versions of a skill, those that are in one of them alone included. */
function listDiffering(before: Skill | undefined, after: Skill | undefined): string[] {
  const digests = new Map(before?.resources.map(({ uri, digest }) => [uri, digest]));
  const differing: string[] = [];
  for (const { uri, digest } of after?.resources ?? []) {
    if (digests.get(uri) !== digest) differing.push(uri);
    digests.delete(uri);
  }
  return [...differing, ...digests.keys()];
}

function hasSameFrontmatter(before: Skill, after: Skill): boolean {
  return JSON.stringify(before.frontmatter) === JSON.stringify(after.frontmatter);
}
