import type { PlacedSkill } from '../judge/placement.ts';
import type { Repair } from '../judge/repairs.ts';
import { judgeSkillFile } from '../judge/skill.ts';
import type { Problem } from '../problems.ts';
import { applyEdits } from '../yaml/edits.ts';
import type { TextEdit } from '../yaml/findings.ts';

/** A SKILL.md after its repairs. */
export interface Edited {
  readonly text: string;
  /** What was repaired, in the order of the repairs: one repair can show a problem that another hid. */
  readonly repaired: readonly Problem[];
  /** What could be repaired next, but is no edit of the text. */
  readonly rest: readonly Repair[];
}

/** Repairs that show another problem are followed by its repair, this often. */
const ROUNDS = 10;

/**
 * Applies the wanted repairs until none is left. Undefined where they never end, so that a second run always finds nothing to do.
 *
 * @param skill - without the problems of its text
 */
export function editSkillFile(
  skill: Pick<PlacedSkill, 'root' | 'uri' | 'path' | 'name' | 'skillFile' | 'problems'>,
  source: string,
  isWanted: (repair: Repair) => boolean,
): Edited | undefined {
  const repaired: Problem[] = [];
  let text = source;
  for (let round = 0; round < ROUNDS; round++) {
    const repairs = judgeSkillFile(skill, Buffer.from(text)).repairs.filter(isWanted);
    const edits = repairs.filter((repair) => repair.edits !== undefined);
    if (edits.length === 0) return { text, repaired, rest: repairs };
    const chosen = chooseRepairs(edits);
    for (const { problem } of chosen) repaired.push(problem);
    text = applyEdits(
      text,
      chosen.flatMap(({ edits }) => edits ?? []),
    );
  }
  return undefined;
}

/** The repairs that do not get into each other's way, the first ones first; the others have their turn in the next round. */
function chooseRepairs(repairs: readonly Repair[]): Repair[] {
  const taken: TextEdit[] = [];
  return repairs.filter(({ edits = [] }) => {
    const isFree = edits.every((edit) => taken.every((other) => edit.end < other.start || other.end < edit.start));
    if (isFree) for (const edit of edits) taken.push(edit);
    return isFree;
  });
}
