import type { SkillTree } from '../disk/skilltree.ts';
import type { PlacedSkill } from '../judge/placement.ts';
import { groupBy } from '../text/grouping.ts';
import { toBaseName } from '../text/names.ts';
import { toInner } from './prose.ts';

/** The files of a skill that would be published, and the folders that hold them, relative to the skill. */
export interface Contents {
  has(path: string): boolean;
  /** The path that differs from this one only in case. */
  findSpelling(path: string): string | undefined;
  /** The file that was probably meant: of the same name, in a folder of nearly the same name or else the only one of that name. */
  findAlike(path: string): string | undefined;
}

/** What is on the disk: the first link on the way, or what the whole path leads to. */
export interface Seen {
  readonly kind: 'file' | 'folder' | 'link';
}

/** No file system has longer ones. */
const MAX_PATH = 4096;

/** Names that so many files have that another one of that name was hardly meant. */
const COMMON = /^(?:readme|index|skill|license)\./i;

/** Lists what a skill has; the work beyond that is done when it is first asked for. */
export function listContents(skill: PlacedSkill): Contents {
  const paths = new Set<string>();
  for (const file of skill.files) {
    const path = toInner(skill, file.path);
    for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) paths.add(path.slice(0, end));
    paths.add(path);
  }
  let spellings: Map<string, string> | undefined;
  let names: Map<string, string[]> | undefined;
  return {
    has: (path) => paths.has(path),
    findSpelling(path) {
      spellings ??= new Map([...paths].map((each) => [each.toLowerCase(), each]));
      return spellings.get(path.toLowerCase());
    },
    findAlike(path) {
      names ??= groupBy(
        skill.files.map((file) => toInner(skill, file.path)),
        (each) => toBaseName(each).toLowerCase(),
      );
      const same = names.get(toBaseName(path).toLowerCase()) ?? [];
      const near = same.filter((each) => isNear(toFolder(each), toFolder(path)));
      if (near.length === 1) return near[0];
      return same.length === 1 && !COMMON.test(toBaseName(path)) ? same[0] : undefined;
    },
  };
}

/** What is at a path below a root. No link is followed, so nothing outside of the root is looked at. */
export function lookBelow(tree: SkillTree, path: string): Seen | undefined {
  const segments = path.split('/');
  // a backslash leads upwards on Windows
  if (path.length > MAX_PATH || segments.includes('..') || path.includes('\\')) return undefined;
  for (const at of segments.keys()) {
    const kind = tree.kindOf(segments.slice(0, at + 1).join('/'));
    if (kind === undefined) return undefined;
    if (kind === 'link') return { kind };
    const isFolder = kind === 'folder' || kind === 'submodule';
    if (at === segments.length - 1) return { kind: isFolder ? 'folder' : 'file' };
    if (!isFolder) return undefined;
  }
  return undefined;
}

function toFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** `reference` and `references`, `script` and `scripts`. */
function isNear(a: string, b: string): boolean {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replace(/s(?=\/|$)/g, '')
      .replace(/[-_]/g, '');
  return a !== '' && b !== '' && bare(a) === bare(b);
}
