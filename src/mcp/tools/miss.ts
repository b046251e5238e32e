import { type Skill, type SkillCatalog, toSkillPath } from '../../catalog/catalog.ts';
import { toFilePath, toFolder } from '../listed.ts';
import { findOwner, quote, toAdvice } from '../lookup.ts';
import type { ToolNames } from '../naming.ts';
import { findNearest } from '../nearest.ts';

/** The folder of a skill that a path names, with a slash at its end; undefined where it names none. */
export function findFolder(skill: Skill, path: string): string | undefined {
  const folder = toFolder(skill);
  const place = path === '' ? undefined : toPlaces(skill, path).find((each) => isFolder(skill, each));
  return place === undefined ? undefined : `${place}/`.slice(folder.length);
}

/** Why a path finds no file of a skill, and what to ask for instead. */
export function explainMiss(catalog: SkillCatalog, skill: Skill, path: string, names: ToolNames): string {
  const owner = toPlaces(skill, path)
    .map((place) => findOwner(catalog, place))
    .find((each) => each !== undefined);
  if (owner !== undefined) {
    return owner.skill === skill
      ? `write ${quote(owner.path)}`
      : `it is ${quote(owner.path)} of another skill: ask with the skill ${quote(toSkillPath(owner.skill.uri))}`;
  }
  const paths = skill.resources.map(({ uri }) => toFilePath(skill, uri));
  const advice = toAdvice(findNearest(path, paths));
  return `the skill has no file ${quote(path)}${advice || `; ${names.load} lists the files that it has`}`;
}

/** The URIs that somebody may mean by a path. */
function toPlaces(skill: Skill, path: string): readonly string[] {
  return [path, `skill://${path}`, toFolder(skill) + path].map(resolve);
}

function isFolder(skill: Skill, place: string): boolean {
  return `${place}/`.startsWith(toFolder(skill)) && skill.resources.some(({ uri }) => uri.startsWith(`${place}/`));
}

/** A URI with its dot segments resolved, as far as it has any, and without slashes at its end. */
function resolve(uri: string): string {
  const [scheme = '', rest] = uri.split('://', 2);
  if (rest === undefined) return uri;
  const kept: string[] = [];
  for (const segment of rest.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.' && segment !== '') kept.push(segment);
  }
  return `${scheme}://${kept.join('/')}`;
}
