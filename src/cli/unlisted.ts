import { type Skill, toSkillPath } from '../catalog/catalog.ts';
import { isEmptyGlob, toMatcher } from '../disk/walk.ts';
import type { RootReport } from '../judge/judge.ts';
import type { SkillReport } from '../judge/skill.ts';
import { CommandError, EXIT } from './terminal.ts';

/** Which skills are in listings. */
export interface Listed {
  readonly isListed: (skill: Skill) => boolean;
  /** Takes note of what a later reading found. Globs that match nothing then are no mistake: a skill may come back. */
  readonly update: (reports: readonly RootReport[]) => void;
}

/**
 * Whether a skill is in listings: none of the globs matches its folder or a folder above it, relative to its root or as it is served.
 * (A root that is one skill has no folder for it, and two roots may have skills of one path.)
 *
 * @returns undefined where there are no globs
 * @throws CommandError for a glob that matches no skill, published or not: it would hide nothing, and nobody would know
 */
export function toListed(globs: readonly string[], reports: readonly RootReport[]): Listed | undefined {
  if (globs.length === 0) return undefined;
  const skills = reports.flatMap((report) => report.skills);
  for (const glob of globs) {
    if (isEmptyGlob(glob)) throw new CommandError(EXIT.usage, `--unlisted "${glob}" names nothing`);
    if (!skills.some(createIsHidden([glob]))) {
      throw new CommandError(EXIT.usage, `--unlisted "${glob}" matches no skill`);
    }
  }
  const isHidden = createIsHidden(globs);
  const hidden = new Set<string>();
  const update = (found: readonly RootReport[]) => {
    for (const skill of found.flatMap((report) => report.skills)) {
      if (isHidden(skill)) hidden.add(skill.uri);
      else hidden.delete(skill.uri);
    }
  };
  update(reports);
  return { isListed: ({ uri }) => !hidden.has(uri), update };
}

function createIsHidden(globs: readonly string[]): (skill: Pick<SkillReport, 'path' | 'uri'>) => boolean {
  const matches = toMatcher(globs);
  return ({ path, uri }) => [path, toSkillPath(uri)].flatMap(toFolders).some(matches);
}

/** A path and the folders above it: `a`, `a/b`, `a/b/c`. */
function toFolders(path: string): string[] {
  const names = path.split('/');
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
