import { SKILL_FILE } from '../catalog/manifest.ts';
import { type ResolvedRoot, toRootLabel } from '../disk/roots.ts';
import { say } from '../messages/say.ts';
import { compareText, type Problem, toProblem } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import { toTypedPath } from '../text/typed.ts';
import type { SkillReport } from './skill.ts';

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
 * Refuses what several skills claim together: a path below or above the prefix of another root (the skill that is not that root's), one URI (all of
 * them), and a path inside another skill's (the inner one). The folders of one root can do neither while they name their skills.
 */
export function refuseOverlaps(reports: readonly RootSkills[]): RootSkills[] {
  const refused = findOverlaps(reports);
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

/** What overlaps, by the skill that is refused for it. */
export function findOverlaps(reports: readonly RootSkills[]): Map<SkillReport, Problem[]> {
  const refused = new Map<SkillReport, Problem[]>();
  const refuse = ({ skill }: Placed, problem: Problem) => refused.set(skill, [...(refused.get(skill) ?? []), problem]);
  const owners = reports.map(({ root }) => root).filter((root) => toGiven(root) !== '');
  const placed = reports
    .flatMap(({ root, skills }) => skills.map((skill) => ({ root, skill })))
    .filter((each) => {
      const owner = findOwner(each, owners);
      if (owner !== undefined) refuse(each, toPrefixTaken(each, owner));
      return owner === undefined;
    });
  const byUri = groupBy(placed, ({ skill }) => skill.uri);
  for (const claimants of byUri.values()) {
    const isOneRoot = claimants.every(({ root }) => root === claimants[0]?.root);
    for (const claimant of claimants.length > 1 ? claimants : []) {
      refuse(claimant, toDuplicate(claimant, claimants, isOneRoot));
    }
  }
  for (const each of placed) {
    const outer = findOuter(each.skill.uri, byUri);
    if (outer !== undefined) refuse(each, toInner(each, outer));
  }
  return refused;
}

/**
 * The root whose given prefix the path of a skill of another root is, lies below, or would hold as a skill holds its folders: what a
 * prefix stands for is its root's alone.
 */
function findOwner({ root, skill }: Placed, owners: readonly ResolvedRoot[]): ResolvedRoot | undefined {
  const path = `${skill.uri.slice('skill://'.length, -SKILL_FILE.length - 1)}/`;
  return owners.find((owner) => {
    const prefix = `${toGiven(owner)}/`;
    const isLonger = prefix.length - 1 > toGiven(root).length;
    return isLonger && (path.startsWith(prefix) || prefix.startsWith(path));
  });
}

/** The prefix as somebody wrote it: what tells the matches of a glob apart is made of the names of their folders. */
function toGiven({ prefix, match }: ResolvedRoot): string {
  return match === undefined ? prefix : match.prefix;
}

function findOuter(uri: string, byUri: ReadonlyMap<string, readonly Placed[]>): Placed | undefined {
  const folder = uri.slice(0, -SKILL_FILE.length - 1);
  for (let end = folder.lastIndexOf('/'); end > 'skill://'.length; end = folder.lastIndexOf('/', end - 1)) {
    const [outer] = byUri.get(`${folder.slice(0, end)}/${SKILL_FILE}`) ?? [];
    if (outer !== undefined) return outer;
  }
  return undefined;
}

function toPrefixTaken({ root, skill }: Placed, owner: ResolvedRoot): Problem {
  const prefix = toGiven(owner);
  const isUnder = skill.uri.startsWith(`skill://${prefix}/`);
  return toProblem({
    ...say('prefix-taken', { uri: skill.uri, prefix, owner: owner.path, isUnder }),
    root: toRootLabel(root),
    path: skill.path,
    skill: skill.uri,
  });
}

/** How many of the other claimants of a URI a problem names. */
const OTHERS_SHOWN = 5;

function toDuplicate(claimant: Placed, all: readonly Placed[], isOneRoot: boolean): Problem {
  const { root, skill } = claimant;
  const others = all
    .slice(0, OTHERS_SHOWN + 1)
    .filter((other) => other !== claimant)
    .slice(0, OTHERS_SHOWN);
  const more = all.length - 1 - others.length;
  const places = others.map(toPlace).sort(compareText);
  return toProblem({
    ...say('duplicate-uri', { uri: skill.uri, places, more, repair: { isOneRoot } }),
    root: toRootLabel(root),
    path: skill.path,
    skill: skill.uri,
  });
}

function toInner({ root, skill }: Placed, outer: Placed): Problem {
  return toProblem({
    ...say('nested-skill/inside', { uri: skill.uri, outer: outer.skill.uri, place: toPlace(outer) }),
    root: toRootLabel(root),
    path: skill.path,
    skill: skill.uri,
  });
}

function toPlace({ root, skill }: Placed): string {
  return `"${toTypedPath(root.path, skill.path === '.' ? '' : skill.path)}"`;
}
