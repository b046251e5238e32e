import { MAX_BYTES, MAX_FILES, SKILL_FILE } from '../catalog/manifest.ts';
import type { Place } from '../disk/walk.ts';
import { say } from '../messages/say.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { findBuildFolder } from '../text/names.ts';

/** A file of a skill by its path, relative to the skill. */
interface SizedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** What could be left out of a skill, and how much of what is limited it holds. */
interface Part {
  /** A folder, or a file, relative to the skill; `''` for what lies beside SKILL.md. */
  readonly path: string;
  readonly amount: number;
  /** Folders in it that were not looked into. */
  readonly unread: number;
}

/**
 * More files than every host takes (Skills extension, "Limits").
 *
 * @param files - what was counted before counting stopped
 * @param places - what was counted in each folder, relative to the skill
 * @param named - the paths of the skill that its SKILL.md names
 */
export function toTooManyFiles(
  skill: string,
  files: number,
  places: ReadonlyMap<string, Place>,
  named: readonly string[],
): Problem {
  const parts = [...sumFolders([...places].map(([path, { files: amount, unread }]) => ({ path, amount, unread })))];
  const unread = parts.filter(({ path }) => !path.includes('/')).reduce((sum, part) => sum + part.unread, 0);
  const chosen = chooseParts(parts, { amount: files, unread }, MAX_FILES);
  const [part = { path: '', amount: files, unread }] = chosen;
  const args = { files, most: MAX_FILES, part: { folder: part.path, amount: part.amount, unread: part.unread } };
  return toProblem({ ...say('too-many-files', { ...args, repair: chooseRepair(skill, chosen, named) }), path: skill });
}

/** More bytes than every host takes (Skills extension, "Limits"). `files` are those of the skill. */
export function toTooManyBytes(
  skill: string,
  files: readonly SizedFile[],
  bytes: number,
  named: readonly string[],
): Problem {
  const others = files.filter(({ path }) => path !== SKILL_FILE);
  const [largest] = [...files].sort((a, b) => b.size - a.size || compareText(a.path, b.path));
  const skillFile = files.find(({ path }) => path === SKILL_FILE);
  if (skillFile !== undefined && skillFile.size > MAX_BYTES) {
    return toProblem({ ...say('too-many-bytes/skill-file', { bytes: skillFile.size, most: MAX_BYTES }), path: skill });
  }
  const folders = others.flatMap(({ path, size }) => {
    const end = path.lastIndexOf('/');
    return end === -1 ? [] : { path: path.slice(0, end), amount: size, unread: 0 };
  });
  const parts = [...sumFolders(folders), ...others.map(({ path, size }) => ({ path, amount: size, unread: 0 }))];
  const chosen = chooseParts(parts, { amount: bytes, unread: 0 }, MAX_BYTES);
  const [part] = chosen;
  const isLargest = part === undefined || part.path === largest?.path;
  return toProblem({
    ...say('too-many-bytes/files', {
      bytes,
      most: MAX_BYTES,
      part: isLargest ? undefined : { folder: part.path, amount: part.amount },
      largest: largest?.path ?? '',
      size: largest?.size ?? 0,
      repair: chooseRepair(skill, chosen, named),
    }),
    path: skill,
  });
}

/** What each folder holds, with all below it. */
function sumFolders(folders: readonly Part[]): Part[] {
  const sums = new Map<string, { path: string; amount: number; unread: number }>();
  for (const { path, amount, unread } of folders) {
    for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))) {
      // what lies beside SKILL.md is no sum: nothing would be left
      if (folder === '' && path !== '') break;
      const sum = sums.get(folder) ?? { path: folder, amount: 0, unread: 0 };
      sums.set(folder, { path: folder, amount: sum.amount + amount, unread: sum.unread + unread });
      if (folder === '') break;
    }
  }
  return [...sums.values()];
}

/** How many parts a hint leaves out. */
const PARTS_SHOWN = 3;

/** The smallest part without which the rest is not too much, build output first; else the largest ones, as many as it takes. */
function chooseParts(parts: readonly Part[], all: Pick<Part, 'amount' | 'unread'>, most: number): Part[] {
  const ranked = [...parts].sort((a, b) => toWeight(b) - toWeight(a) || compareText(a.path, b.path));
  const isEnough = (part: Part) => part.path !== '' && all.amount - part.amount <= most && part.unread === all.unread;
  // of a folder and the one file or folder in it, the deepest folder is named
  const folders = new Set(
    parts.flatMap(({ path }) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])),
  );
  const depthOf = ({ path }: Part) => path.split('/').length - (folders.has(path) ? 0 : 1.5);
  const enough = ranked.filter(isEnough).sort((a, b) => a.amount - b.amount || depthOf(b) - depthOf(a));
  const built = ranked.filter((part) => isEnough(part) && findBuildFolder(part.path) === part.path);
  const [one = enough[0]] = built;
  if (one !== undefined) return [one];
  const chosen: Part[] = [];
  let left = all.amount;
  for (const part of ranked.filter(({ path }) => !path.includes('/'))) {
    if (left <= most || chosen.length === PARTS_SHOWN) break;
    chosen.push(part);
    left -= part.amount;
  }
  return left > most ? ranked.slice(0, 1) : chosen;
}

/** Each folder that was not looked into holds something. */
function toWeight({ amount, unread }: Part): number {
  return amount + unread;
}

function chooseRepair(
  skill: string,
  parts: readonly Part[],
  named: readonly string[],
): { readonly paths: readonly string[]; readonly lost: number } {
  const paths = parts.map(({ path }) => path);
  if (paths.includes('')) return { paths: [], lost: 0 };
  const lost = named.filter((each) => paths.some((path) => each === path || each.startsWith(`${path}/`))).length;
  return { paths: paths.map((path) => `${skill}/${path}`), lost };
}
