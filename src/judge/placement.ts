import { SKILL_FILE, toUri } from '../catalog/manifest.ts';
import { isRepository, type ScannedRoot, type ScannedSkill } from '../disk/scan.ts';
import type { SkillTree } from '../disk/skilltree.ts';
import { hasEntry, type WalkedFolder } from '../disk/walk.ts';
import type { Problem } from '../problems.ts';
import { isName } from '../text/names.ts';
import { readName } from './named.ts';
import { judgePaths } from './paths.ts';
import { toFaultProblem, toSkillFolderName } from './refusals.ts';
import type { IsTaken } from './repairs.ts';
import { toTooManyBytes, toTooManyFiles } from './sizes.ts';

/** A skill with the place that it has among others, and what its folder's shape breaks. */
export interface PlacedSkill
  extends Pick<ScannedSkill, 'path' | 'skillFile' | 'files' | 'fileCount' | 'byteCount'>,
    Partial<Pick<ScannedSkill, 'isBlocked'>> {
  /** The root as it was given; absent where nobody gave one. */
  readonly root?: string;
  /** The URI that its SKILL.md has, or would have. */
  readonly uri: string;
  /** What its frontmatter has to call it: the folder's name, or its own where nothing else names it. */
  readonly name: string;
  /** Names that begin with a dot, relative to the skill; folders end in `/`. */
  readonly hidden: readonly string[];
  readonly problems: readonly Problem[];
  /** Whether something else in the folder that holds it has a name. */
  readonly isTaken?: IsTaken;
}

/** What the skills of one root have in common. */
export interface Scope {
  readonly scanned: ScannedRoot;
  /** As it was given, for problems. */
  readonly root: string;
  /** Put before the path of every skill; `''` for none. */
  readonly prefix: string;
  readonly nested?: 'refuse' | 'files' | undefined;
  readonly pathFrom?: 'folder' | 'name' | undefined;
}

/** Gives a skill its URI, and judges its paths and sizes. */
export function placeSkill(skill: ScannedSkill, { scanned, root, prefix, nested, pathFrom }: Scope): PlacedSkill {
  const { path, folder, skillFile, files, fileCount, byteCount, isBlocked, paths } = skill;
  const { tree } = scanned;
  const { parent } = folder;
  const own = parent === undefined ? tree.name || 'unnamed' : folder.name;
  const isNamed = parent === undefined && !isNamedByFolder(tree, folder);
  const main = isNamed || pathFrom === 'name' ? files.find((file) => file.path === `${path}/${skillFile}`) : undefined;
  const name = (main && readName(main.bytes)) ?? own;
  const uri = toUri(prefix, parent?.path ?? '', name, SKILL_FILE);
  const problems = [
    ...(!isName(name) && !isNamed ? [toSkillFolderName(path, name)] : []),
    ...judgePaths(path, skillFile, paths, nested),
    ...skill.faults.map((fault) => toFaultProblem(fault, `${path}/${skillFile}`)),
    ...judgeLimits(skill),
  ];
  return {
    path,
    skillFile,
    files,
    fileCount,
    byteCount,
    isBlocked,
    root,
    uri,
    name,
    hidden: paths.hidden,
    problems: problems.map((problem) => ({ ...problem, root, skill: uri })),
    isTaken: (each) => each !== own && isBeside(tree, folder, each),
  };
}

function judgeLimits(skill: ScannedSkill): Problem[] {
  const { path, fileCount, byteCount, excess } = skill;
  if (excess === undefined) return [];
  if (excess.limit === 'files') return [toTooManyFiles(path, fileCount, excess.places, findNamed(skill))];
  const files = excess.files.map((each) => ({ path: each.path.slice(path.length + 1), size: each.size }));
  return [toTooManyBytes(path, files, byteCount, findNamed(skill))];
}

/** Which paths of the skill its SKILL.md names: what leaving them out would break. */
function findNamed({ path, skillFile, paths, main }: ScannedSkill): string[] {
  if (main === undefined) return [];
  const text = Buffer.from(main).toString();
  const inner = paths.files.map((each) => each.slice(path.length + 1));
  return inner.filter((each) => each !== skillFile && text.includes(each));
}

/** Whether something beside a skill's folder has a name; beside a root, the walk saw nothing. */
function isBeside(tree: SkillTree, { parent }: WalkedFolder, name: string): boolean {
  if (parent !== undefined) return hasEntry(parent, name);
  return isName(name) && tree.above?.().kindOf(name) !== undefined;
}

/**
 * Whether the name of a root that is one skill is held against its folder's: in a folder of skills it is, and the skill will be served
 * from there as well; a repository may be called anything.
 */
function isNamedByFolder({ name, above }: SkillTree, { hidden }: WalkedFolder): boolean {
  if (above === undefined || hidden.some(isRepository)) return false;
  const parent = above();
  return parent.name === 'skills' || (isName(name) && holdsSkills(parent, name));
}

/** How many entries of the folder above a root are looked at. */
const ENTRIES_SEEN = 1000;

function holdsSkills(tree: SkillTree, but: string): boolean {
  try {
    const entries = [...tree.list('').entries].slice(0, ENTRIES_SEEN);
    return entries.some(
      ({ name, kind }) =>
        name !== but && isName(name) && kind === 'folder' && tree.kindOf(`${name}/${SKILL_FILE}`) !== undefined,
    );
  } catch {
    return false;
  }
}
