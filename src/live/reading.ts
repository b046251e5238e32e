import type { PinnedSkill } from '../catalog/catalog.ts';
import type { RootReport } from '../judge/judge.ts';
import type { SkillReport } from '../judge/skill.ts';
import type { Problem } from '../problems.ts';

/** What was read of the roots, as it counts. */
export interface Reading {
  readonly reports: readonly RootReport[];
  /** Sorted by root; under `--strict` warnings are errors here. */
  readonly problems: readonly Problem[];
  /** The root that a problem is of, as it was given. */
  readonly baseOf: (problem: Problem) => string;
  /** Whether a skill without errors of its own is published. */
  readonly isWanted: (skill: SkillReport) => boolean;
}

/** A skill that is published, and where it came from. */
export interface Published {
  readonly pinned: PinnedSkill;
  /** The root, as it was given. */
  readonly base: string;
  /** The folder, relative to the root. */
  readonly path: string;
  /** When this version was read first. */
  readonly since: Date;
}

/** A root as problems name it. */
export function toBase(path: string): string {
  return path.replace(/(?<=.)\/+$/, '');
}

/** A reading of reports as they are. */
export function readReports(reports: readonly RootReport[]): Reading {
  const bases = new Map(reports.flatMap(({ root, problems }) => problems.map((each) => [each, toBase(root.path)])));
  return {
    reports,
    problems: [...bases.keys()],
    baseOf: (problem) => bases.get(problem) ?? '',
    isWanted: () => true,
  };
}
