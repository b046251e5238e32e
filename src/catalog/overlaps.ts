import type { SkillReport } from './judge.ts';
import { SKILL_FILE } from './manifest.ts';
import { compareText, type Problem, toProblem } from './problems.ts';
import type { ResolvedRoot } from './roots.ts';

/** A root and its skills, before the problems of the skills are counted to it. */
export interface RootSkills {
  readonly root: ResolvedRoot;
  readonly skills: readonly SkillReport[];
  readonly problems: readonly Problem[];
}

interface Placed {
  readonly root: ResolvedRoot;
  readonly skill: SkillReport;
}

/**
 * Refuses what several roots claim together: two skills of one URI (both), and a skill whose path lies inside another skill's
 * (the inner one), since the folders of one root cannot do either.
 */
export function refuseOverlaps<T extends RootSkills>(reports: readonly T[]): RootSkills[] {
  if (reports.length < 2) return [...reports];
  const refused = findOverlaps(reports.flatMap(({ root, skills }) => skills.map((skill) => ({ root, skill }))));
  return reports.map((report) => ({
    ...report,
    skills: report.skills.map((skill) => {
      const problems = refused.get(skill);
      if (problems === undefined) return skill;
      const { pinned: _, ...rest } = skill;
      return { ...rest, problems: [...skill.problems, ...problems] };
    }),
  }));
}

function findOverlaps(placed: readonly Placed[]): Map<SkillReport, Problem[]> {
  const refused = new Map<SkillReport, Problem[]>();
  const refuse = ({ skill }: Placed, problem: Problem) => refused.set(skill, [...(refused.get(skill) ?? []), problem]);
  const byUri = new Map<string, Placed[]>();
  for (const each of placed) byUri.set(each.skill.uri, [...(byUri.get(each.skill.uri) ?? []), each]);
  for (const claimants of byUri.values()) {
    for (const claimant of claimants.length > 1 ? claimants : []) {
      refuse(
        claimant,
        toDuplicate(
          claimant,
          claimants.filter((other) => other !== claimant),
        ),
      );
    }
  }
  for (const each of placed) {
    const outer = findOuter(each.skill.uri, byUri);
    if (outer !== undefined) refuse(each, toInner(each, outer));
  }
  return refused;
}

function findOuter(uri: string, byUri: ReadonlyMap<string, readonly Placed[]>): Placed | undefined {
  const folder = uri.slice(0, -SKILL_FILE.length - 1);
  for (let end = folder.lastIndexOf('/'); end > 'skill://'.length; end = folder.lastIndexOf('/', end - 1)) {
    const [outer] = byUri.get(`${folder.slice(0, end)}/${SKILL_FILE}`) ?? [];
    if (outer !== undefined) return outer;
  }
  return undefined;
}

function toDuplicate({ skill }: Placed, others: readonly Placed[]): Problem {
  const places = others.map(toPlace).sort(compareText).join(', ');
  return toProblem({
    code: 'duplicate-uri',
    path: skill.path,
    message: `${skill.uri} is claimed by ${places} as well, so none of them is published`,
    hint: 'give one root a prefix (prefix=folder), or rename one of the skills',
    skill: skill.uri,
  });
}

function toInner({ skill }: Placed, outer: Placed): Problem {
  return toProblem({
    code: 'nested-skill',
    path: skill.path,
    message: `${skill.uri} would lie inside the skill ${outer.skill.uri} of ${toPlace(outer)}: skills do not nest`,
    hint: 'give its root another prefix (prefix=folder)',
    skill: skill.uri,
  });
}

function toPlace({ root, skill }: Placed): string {
  return `"${root.path.replace(/[\\/]+$/, '')}/${skill.path}"`;
}
