import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import { findOwner, quote, toAdvice } from './find.ts';
import { findNearest } from './nearest.ts';
import { toFilePath, toFolder } from './present.ts';

/** Why a path finds no file of a skill, and what to ask for instead. */
export function explainMiss(catalog: SkillCatalog, skill: Skill, path: string): string {
  const folder = toFolder(skill);
  const paths = skill.resources.map(({ uri }) => toFilePath(skill, uri));
  const places = [path, `skill://${path}`, folder + path].map(resolve);
  for (const place of places) {
    const inside = paths.filter((file) => `${folder}${file}`.startsWith(`${place}/`));
    if (path !== '' && place.startsWith(folder.slice(0, -1)) && inside.length > 0) {
      return `it is a folder: ask for its files, such as ${inside.slice(0, 3).map(quote).join(', ')}`;
    }
    const owner = findOwner(catalog, place);
    if (owner === undefined) continue;
    return owner.skill === skill
      ? `write ${quote(owner.path)}`
      : `it is ${quote(owner.path)} of another skill: ask with the skill ${quote(toSkillPath(owner.skill.uri))}`;
  }
  const advice = toAdvice(findNearest(path, paths));
  return `the skill has no file ${quote(path)}${advice || '; skill_load lists the files that it has'}`;
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
