import type { LoadOptions } from '../disk/loading.ts';
import { ROUNDING } from '../disk/read.ts';
import type { ResolvedRoot } from '../disk/roots.ts';
import type { ScannedSkill } from '../disk/scan.ts';
import type { Earlier } from '../disk/signature.ts';
import type { RootSkills } from './overlaps.ts';
import type { SkillReport } from './skill.ts';

/** A skill as it was judged at an earlier reading, before it was compared with others. */
interface KeptSkill {
  readonly mark: string;
  /** When its last change was, and when the walk began after which it was read, in milliseconds since 1970. */
  readonly changed: number;
  readonly start: number;
  readonly report: SkillReport;
}

/** Skills of a reading by their roots and paths. */
export type KeptSkills = ReadonlyMap<string, KeptSkill>;

/** What of one root is known from an earlier reading, and what will be known at a later one. */
interface KeptRoot {
  /** Whether a skill with this mark need not be read. */
  readonly isKept: Earlier;
  /** Its report, where it was not read. */
  find(skill: ScannedSkill): SkillReport | undefined;
  add(skill: ScannedSkill, report: SkillReport, start: number): void;
}

/** What is taken over from one reading into the next. */
export interface Keeper {
  open(root: ResolvedRoot): KeptRoot;
  /** What the next reading may take from this one, whose roots these are. */
  keep(read: readonly RootSkills[]): KeptSkills;
}

interface KeeperOptions extends Pick<LoadOptions, 'nested' | 'pathFrom'> {
  readonly previous?: { readonly kept: KeptSkills } | undefined;
  readonly toLint?: unknown;
}

/** Problems whose hints depend on what is beside the folder of a skill. */
const OF_FOLDER: ReadonlySet<string> = new Set(['folder-name', 'name-mismatch']);

export function createKeeper({ previous, nested, pathFrom, toLint }: KeeperOptions): Keeper {
  const earlier: KeptSkills = toLint === undefined ? (previous?.kept ?? new Map()) : new Map();
  const added = new Map<string, Map<string, KeptSkill>>();
  const toKey = ({ path, prefix }: ResolvedRoot) =>
    JSON.stringify([path, prefix, nested ?? 'refuse', pathFrom ?? 'folder']);
  return {
    open(root) {
      const key = toKey(root);
      const own = new Map<string, KeptSkill>();
      added.set(key, own);
      const lookUp = (path: string) => earlier.get(key + path);
      return {
        isKept: (path, { mark }) => lookUp(path)?.mark === mark,
        find: ({ path, isUnchanged }) => (isUnchanged ? lookUp(path)?.report : undefined),
        add({ path, isUnchanged, mark, changed = 0 }, report, start) {
          const known = isUnchanged ? lookUp(path) : undefined;
          const kept = known ?? (mark === undefined ? undefined : { mark, changed, start, report });
          if (kept !== undefined && isReusable(kept)) own.set(key + path, kept);
        },
      };
    },
    keep(read) {
      return new Map(read.flatMap(({ root }) => [...(added.get(toKey(root)) ?? [])]));
    },
  };
}

/** Whether the report of a skill depends on its files alone, and its files were left alone long enough before they were read. */
function isReusable({ changed, start, report }: KeptSkill): boolean {
  // what a root that is one skill is called depends on what is beside it
  if (report.path === '.' || report.problems.some(({ code }) => OF_FOLDER.has(code))) return false;
  return changed < start - ROUNDING;
}
