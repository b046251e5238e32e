import { peekFile, type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { groupBy } from '../text/grouping.ts';
import { toFilePath } from './listed.ts';
import { findNearest } from './nearest.ts';

/** A skill, or a sentence that says why there is none, and its end that says what to write instead, where that is known. */
export type Found = { readonly skill: Skill } | { readonly error: string; readonly advice: string };

/**
 * Finds a skill as people and models name one: by its path, by its name where no other skill has it, or by the URI of its SKILL.md.
 * What is the path of one skill and the name of another finds neither, because whoever wrote it may have meant the other.
 *
 * @param offered - the skills that a miss may suggest
 */
export function findSkill(catalog: SkillCatalog, text: string, offered: readonly Skill[]): Found {
  const path = toPath(text);
  const exact = catalog.get(`skill://${path}/${SKILL_FILE}`);
  // nothing but an address is written so
  if (exact !== undefined && path !== text) return { skill: exact };
  const named = findNamed(catalog, path).filter((skill) => skill !== exact);
  if (exact !== undefined && named.length === 0) return { skill: exact };
  const [only] = named;
  if (exact === undefined && only !== undefined && named.length === 1) return { skill: only };
  if (only !== undefined) {
    const names = [...(exact === undefined ? [] : [exact.uri]), ...named.map(({ uri }) => toSkillPath(uri))];
    const shown = names.slice(0, MOST_PATHS).map(quote).join(', ');
    const rest = names.length > MOST_PATHS ? ` and ${names.length - MOST_PATHS} more` : '';
    return exact === undefined
      ? {
          error: `${quote(path)} is the name of ${names.length} skills`,
          advice: `: write one of the paths ${shown}${rest}`,
        }
      : {
          error: `${quote(path)} is the path of one skill and the name of ${named.length === 1 ? 'another' : 'others'}`,
          advice: `: write one of ${shown}${rest}`,
        };
  }
  const owner = findOwner(catalog, `skill://${path}`);
  if (owner !== undefined) {
    return {
      error: `${quote(text)} is a file of a skill`,
      advice: `: write the skill, ${quote(toSkillPath(owner.skill.uri))}`,
    };
  }
  return { error: `there is no skill ${quote(text)}`, advice: explainMiss(catalog, offered, path) };
}

/** The path that somebody means who writes a path, or the URI of a SKILL.md or of its folder. */
export function toPath(text: string): string {
  return text.replace(/^skill:\/\//i, '').replace(/\/(?:SKILL\.md)?$/, '');
}

const MOST_PATHS = 20;

const SCHEME = 'skill://';

const indexes = new WeakMap<SkillCatalog, ReadonlyMap<string, readonly Skill[]>>();

/** The skills of a name, from an index that is made once: a batch may ask for a hundred. */
function findNamed(catalog: SkillCatalog, name: string): readonly Skill[] {
  const known = indexes.get(catalog) ?? groupBy(catalog.skills, ({ frontmatter }) => frontmatter.name);
  indexes.set(catalog, known);
  return known.get(name) ?? [];
}

/** The skill that a file belongs to, and the file's path in it; undefined where no such file is served. */
export function findOwner(catalog: SkillCatalog, uri: string): { skill: Skill; path: string } | undefined {
  if (peekFile(catalog, uri) === undefined) return undefined;
  const skill = findAround(catalog, uri.slice(SCHEME.length));
  return skill === undefined ? undefined : { skill, path: toFilePath(skill, uri) };
}

function explainMiss(catalog: SkillCatalog, skills: readonly Skill[], path: string): string {
  if (skills.length === 0) return ': this server publishes none';
  const around = findAround(catalog, path);
  if (around !== undefined && skills.includes(around)) return toAdvice([toSkillPath(around.uri)]);
  const paths = skills.map(({ uri }) => toSkillPath(uri));
  return toAdvice(findNearest(path, paths)) || toAdvice(findMembers(path, paths));
}

/** The skill that a path leads into, found from the innermost folder outwards: one call may ask for many files. */
function findAround(catalog: SkillCatalog, path: string): Skill | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const skill = catalog.get(`skill://${path.slice(0, end)}/${SKILL_FILE}`);
    if (skill !== undefined) return skill;
  }
  return undefined;
}

/** Somebody who names a group wants a skill of it. */
function findMembers(path: string, paths: readonly string[]): string[] {
  return paths.filter((candidate) => candidate.startsWith(`${path}/`)).slice(0, 3);
}

/** The end of a sentence about a miss: what may have been meant. */
export function toAdvice(nearest: readonly string[]): string {
  return nearest.length === 0 ? '' : `: did you mean ${nearest.map(quote).join(' or ')}?`;
}

/** A value that somebody wrote, as it is shown back to them. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99).replace(/[\ud800-\udbff]$/, '')}…` : text);
}
