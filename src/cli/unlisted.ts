import { type Skill, toSkillPath } from '../catalog/catalog.ts';
import { isEmptyGlob, toMatcher } from '../disk/walk.ts';
import type { RootReport } from '../judge/judge.ts';
import { CommandError, EXIT } from './terminal.ts';

/**
 * Whether a skill is in listings: none of the globs matches its folder or a folder above it, relative to its root or as it is served.
 * (A root that is one skill has no folder for it, and two roots may have skills of one path.)
 *
 * @returns undefined where there are no globs
 * @throws CommandError for a glob that matches no skill, published or not: it would hide nothing, and nobody would know
 */
export function toListed(
  globs: readonly string[],
  reports: readonly RootReport[],
): ((skill: Skill) => boolean) | undefined {
  if (globs.length === 0) return undefined;
  const skills = reports.flatMap((report) => report.skills);
  const hidden = new Set<string>();
  for (const glob of globs) {
    if (isEmptyGlob(glob)) throw new CommandError(EXIT.usage, `--unlisted "${glob}" names nothing`);
    const matches = toMatcher([glob]);
    const found = skills.filter(({ path, uri }) => [path, toSkillPath(uri)].flatMap(toFolders).some(matches));
    if (found.length === 0) throw new CommandError(EXIT.usage, `--unlisted "${glob}" matches no skill`);
    for (const { uri } of found) hidden.add(uri);
  }
  return ({ uri }) => !hidden.has(uri);
}

/** A path and the folders above it: `a`, `a/b`, `a/b/c`. */
function toFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
