import { hash } from 'node:crypto';
import type { SeenFile, SkillTree } from './skilltree.ts';

/** What tells one state of a skill from another, without its bytes. */
export interface SkillMark {
  readonly mark: string;
  /** When the last of its files was changed, in milliseconds since 1970. */
  readonly changed: number;
}

/** Whether the skill at a path is what an earlier reading read. */
export type Earlier = (path: string, mark: SkillMark) => boolean;

/**
 * undefined where nothing tells whether one of the files is another one now.
 *
 * @param facts - what is known of the skill beside its files
 */
export function markSkill(tree: SkillTree, facts: object, seen: readonly SeenFile[]): SkillMark | undefined {
  let changed = 0;
  const marks: string[] = [];
  for (const file of seen) {
    const mark = tree.markOf(file);
    if (mark === undefined) return undefined;
    marks.push(mark.text);
    changed = Math.max(changed, mark.changed);
  }
  return { mark: hash('sha256', JSON.stringify([facts, marks]), 'hex'), changed };
}
