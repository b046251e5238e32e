import { SKILL_FILE } from '../catalog/manifest.ts';
import { countOf } from '../text/count.ts';
import type { FileChange, SkillChange } from './compare.ts';

/** Files that are listed of a skill that is new or gone, where each of its files is; and of any other. */
const WHOLE = 10;
const PART = 100;

/** What a reviewer has to see first: what hosts act on, then what is new, then what is gone, then the rest. */
export function rankChange(change: SkillChange): number {
  if (change.isRefused === true) return 0;
  if (change.kind === 'changed' || change.kind === 'renamed') return listEffects(change).length > 0 ? 1 : 4;
  return change.kind === 'added' ? 2 : 3;
}

/** What of a change decides what a host does, or what a model reaches. */
export function listEffects({ kind, fields = [], files, links = [], frontmatter, ...change }: SkillChange): string[] {
  if (kind === 'removed') return change.isRefused === true ? ['not published any more: it has errors'] : [];
  const effects = fields.map(({ name }) => name).filter(isFirst);
  if (kind === 'added') {
    if (change.isRefused === true) effects.push('published again: it had errors');
    if (frontmatter !== undefined && 'allowed-tools' in frontmatter) effects.push('allowed-tools');
  }
  for (const how of ['added', 'changed', 'removed'] as const) {
    const count = files.filter((file) => file.isScript && file.kind === how).length;
    if (count > 0) effects.push(`${countOf(count, 'script')}${kind === 'added' ? '' : ` ${how}`}`);
  }
  if (links.length > 0)
    effects.push(`links to ${countOf(links.length, 'host')}${kind === 'added' ? '' : ' not linked before'}`);
  return effects;
}

/** Whether a field is one that hosts act on. */
export function isFirst(name: string): boolean {
  return name === 'allowed-tools' || name === 'description';
}

/** The files of a change that are listed, in the order of their paths, and a sentence part for those that are not: `and 3 more files`. */
export interface ListedFiles {
  readonly shown: readonly FileChange[];
  /** Absent where all are shown. */
  readonly rest?: string;
}

/** Picks the files that are listed: SKILL.md and scripts before others, because they decide what a host does. */
export function pickFiles({ kind, files }: SkillChange): ListedFiles {
  const most = kind === 'added' || kind === 'removed' ? WHOLE : PART;
  if (files.length <= most) return { shown: files };
  const rank = ({ path, isScript }: FileChange) => (path === SKILL_FILE ? 0 : isScript ? 1 : 2);
  const picked = new Set([...files].sort((a, b) => rank(a) - rank(b)).slice(0, most));
  const left = files.filter((file) => !picked.has(file));
  const scripts = left.filter(({ isScript }) => isScript).length;
  const ofThem = scripts === 0 ? '' : `, ${countOf(scripts, 'script')} among them`;
  return {
    shown: files.filter((file) => picked.has(file)),
    rest: `and ${countOf(left.length, 'more file')}${ofThem}`,
  };
}
