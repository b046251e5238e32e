import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { toFingerprint } from '../lock/lockfile.ts';
import { compareProblems, compareText, type Problem } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import { toRawPaths } from './rawpaths.ts';

/** A file of a skill, and where it is published. */
export interface SheetFile {
  /** Relative to the skill. */
  readonly path: string;
  readonly uri: string;
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
  /** Relative to the page of the skill. */
  readonly href: string;
}

/** What the pages know of one skill. */
export interface Sheet {
  readonly skill: Skill;
  /** Groups and name, joined by `/`: where its page is. */
  readonly path: string;
  /** The group that it is in; empty for none. */
  readonly group: string;
  /** SHA-256 over the URIs and digests of its files: what an approval of it names. */
  readonly fingerprint: string;
  /** Of all files together. */
  readonly bytes: number;
  readonly files: readonly SheetFile[];
  readonly problems: readonly Problem[];
}

/** A skill that its errors keep from being published, or a fault that is no skill's. */
export interface LeftOut {
  /** The URI that the skill would have had; undefined for what belongs to no skill. */
  readonly uri: string | undefined;
  readonly problems: readonly Problem[];
}

/** What the pages know of a catalog. */
export interface Sheets {
  readonly skills: readonly Sheet[];
  /** Sorted by URI. */
  readonly leftOut: readonly LeftOut[];
  /** Problems of no skill: of roots, and of folders beside skills. */
  readonly others: readonly Problem[];
}

/** Sorts problems to the skills of a catalog. */
export function toSheets(catalog: SkillCatalog, problems: readonly Problem[]): Sheets {
  const bySkill = groupBy([...problems].sort(compareProblems), ({ skill }) => skill);
  const skills = catalog.skills.map((skill) => toSheet(skill, bySkill.get(skill.uri) ?? []));
  const leftOut = [...bySkill]
    .flatMap(([uri, found]) => (uri === undefined || catalog.get(uri) !== undefined ? [] : [{ uri, problems: found }]))
    .sort((a, b) => compareText(a.uri, b.uri));
  return { skills, leftOut, others: bySkill.get(undefined) ?? [] };
}

function toSheet(skill: Skill, problems: readonly Problem[]): Sheet {
  const path = toSkillPath(skill.uri);
  const start = `skill://${path}/`.length;
  const raw = toRawPaths(skill.resources.map(({ uri }) => uri.slice(start)));
  const files = skill.resources.map(({ uri, digest, size }) => {
    const inner = uri.slice(start);
    return { path: inner, uri, digest, size, href: `files/${raw.get(inner) ?? inner}` };
  });
  files.sort(compareFiles);
  return {
    skill,
    path,
    group: path.slice(0, Math.max(path.lastIndexOf('/'), 0)),
    fingerprint: toFingerprint(skill.resources),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    files,
    problems,
  };
}

/** SKILL.md, then what is beside it, then folder after folder. */
function compareFiles({ path: a }: SheetFile, { path: b }: SheetFile): number {
  return (
    compareText(a.slice(0, a.lastIndexOf('/') + 1), b.slice(0, b.lastIndexOf('/') + 1)) ||
    Number(b === SKILL_FILE) - Number(a === SKILL_FILE) ||
    compareText(a, b)
  );
}

/** The groups of skills and the groups above those, each once, sorted. */
export function listGroups(skills: readonly Sheet[]): readonly string[] {
  const groups = new Set<string>();
  for (const { group } of skills) {
    for (let each = group; each !== '' && !groups.has(each); each = each.slice(0, Math.max(each.lastIndexOf('/'), 0))) {
      groups.add(each);
    }
  }
  return [...groups].sort(compareText);
}
