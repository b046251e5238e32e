import type { PinnedSkill } from '../catalog/catalog.ts';
import type { RootReport } from '../judge/judge.ts';
import type { SkillReport } from '../judge/skill.ts';
import type { Problem } from '../problems.ts';

/** What was read of the roots, as it counts. */
export interface Reading {
  readonly reports: readonly RootReport[];
  /** Sorted by root; under `--strict` warnings are errors here. */
  readonly problems: readonly Problem[];
  /** Whether a skill without errors of its own is published. */
  readonly isWanted: (skill: SkillReport) => boolean;
}

/** A skill that is published, and where it came from. */
export interface Published {
  readonly pinned: PinnedSkill;
  /** The root, as problems name it. */
  readonly base: string;
  /** The folder, relative to the root. */
  readonly path: string;
  /** When this version was read first. */
  readonly since: Date;
}

/** A reading of reports as they are. */
export function readReports(reports: readonly RootReport[]): Reading {
  return { reports, problems: reports.flatMap(({ problems }) => problems), isWanted: () => true };
}
