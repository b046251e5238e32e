import { lstatSync } from 'node:fs';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { toRootLabel } from '../disk/roots.ts';
import type { Problem } from '../problems.ts';
import type { Published, Reading } from './reading.ts';

/** Skills that are served in the version from before, by URI, and the problems of the reading, which say so. */
export interface Kept {
  readonly kept: ReadonlyMap<string, Published>;
  readonly problems: readonly Problem[];
}

/**
 * Finds the skills that were published before and have errors now: they keep their last good version, unless their folder is gone or
 * one of their URIs belongs to another skill.
 */
export function keepSkills(
  reading: Reading,
  before: ReadonlyMap<string, Published>,
  fresh: ReadonlyMap<string, Published>,
): Kept {
  const places = new Set([...fresh.values()].map(toPlace));
  const errors = reading.problems.filter(({ severity }) => severity === 'error');
  const kept = new Map<string, Published>();
  const notes = new Map<Problem, string>();
  for (const [uri, skill] of before) {
    if (fresh.has(uri) || places.has(toPlace(skill))) continue;
    const found = errors.filter((problem) => problem.root === skill.base && isAbout(problem, uri, skill));
    if (found.length === 0 || isGone(reading, skill) || isTaken(uri, fresh)) continue;
    kept.set(uri, skill);
    const note = `; its version of ${skill.since.toTimeString().slice(0, 8)} is still served`;
    for (const problem of found) if (isOwn(problem, uri, skill)) notes.set(problem, note);
  }
  const problems = reading.problems.map((problem) => {
    const note = notes.get(problem);
    return note === undefined ? problem : { ...problem, message: problem.message + note };
  });
  return { kept, problems };
}

function toPlace({ base, path }: Published): string {
  return JSON.stringify([base, path]);
}

/** Whether a problem is of a skill, of something in its folder, or of a folder that it lies in. */
function isAbout(problem: Problem, uri: string, skill: Published): boolean {
  return isOwn(problem, uri, skill) || skill.path.startsWith(`${problem.path}/`);
}

function isOwn({ path, skill: of }: Problem, uri: string, skill: Published): boolean {
  return of === uri || path === skill.path || path.startsWith(`${skill.path}/`);
}

/** Whether the folder of a skill is known to be gone; one that cannot be read may be there. */
function isGone({ reports }: Reading, { base, path }: Published): boolean {
  const folder = reports.find(({ root }) => toRootLabel(root) === base)?.root.folder;
  if (folder === undefined) return true;
  try {
    return lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.isDirectory() !== true;
  } catch {
    return false;
  }
}

/** Whether another skill is published at the URI of a skill, inside it or around it. */
function isTaken(uri: string, fresh: ReadonlyMap<string, Published>): boolean {
  const folder = uri.slice(0, -SKILL_FILE.length);
  for (const other of fresh.keys()) {
    const otherFolder = other.slice(0, -SKILL_FILE.length);
    if (otherFolder.startsWith(folder) || folder.startsWith(otherFolder)) return true;
  }
  return false;
}
