import type { SkillReport } from '../catalog/judge.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import type { Problem } from '../catalog/problems.ts';
import type { Repair, Side } from '../catalog/repairs.ts';
import type { RootReport } from '../catalog/reports.ts';
import { editSkillFile } from './edit.ts';

/** What is to be done to one skill. */
export interface Plan {
  /** The absolute folder of the root, links resolved. */
  readonly root: string;
  /** The skill's folder, relative to the root. */
  readonly path: string;
  /** SKILL.md as it is spelled on disk. */
  readonly skillFile: string;
  readonly before: string;
  readonly after: string;
  /** The names after the renames; the same as before where nothing is renamed. */
  readonly newPath: string;
  readonly newSkillFile: string;
  /** The URIs of the skill's files, relative to its folder, as far as they were read. */
  readonly files: readonly string[];
  /** What is repaired by all of it. */
  readonly repaired: readonly Problem[];
}

/** Which repairs are made. */
export interface RepairOptions {
  /** What gives way where a name and its folder differ: neither by default, so that such a problem stays. */
  readonly side?: Side | undefined;
  /** All by default. */
  readonly isWanted?: ((problem: Problem) => boolean) | undefined;
}

/** Whether a repair is among those that are asked for. */
export function isRepairWanted({ problem, side }: Repair, options: RepairOptions): boolean {
  return (side === undefined || side === options.side) && (options.isWanted?.(problem) ?? true);
}

/** Plans the repairs of every skill that has some. Pure: what a plan does is checked against the disk when it is applied. */
export function planRepairs(reports: readonly RootReport[], options: RepairOptions): Plan[] {
  const plans: Plan[] = [];
  const seen = new Set<string>();
  for (const { root, skills } of reports) {
    for (const skill of skills) {
      const key = `${root.folder}\n${skill.path}`;
      if (root.folder === undefined || seen.has(key)) continue;
      seen.add(key);
      const plan = planRepair(root.folder, skill, (repair) => isRepairWanted(repair, options));
      if (plan !== undefined) plans.push(plan);
    }
  }
  return orderRenames(plans, reports);
}

/**
 * Plans in an order in which every folder is free when another is given its name, so that one run does what can be done. A rename that
 * two folders claim is left out.
 */
function orderRenames(plans: readonly Plan[], reports: readonly RootReport[]): Plan[] {
  const toKey = (root: string | undefined, path: string) => `${root}\n${path}`;
  const taken = new Set(reports.flatMap(({ root, skills }) => skills.map(({ path }) => toKey(root.folder, path))));
  const claims = new Map<string, number>();
  for (const { root, newPath } of plans) claims.set(toKey(root, newPath), (claims.get(toKey(root, newPath)) ?? 0) + 1);
  const ordered: Plan[] = [];
  let waiting = [...plans];
  for (let count = -1; count !== waiting.length; ) {
    count = waiting.length;
    waiting = waiting.filter((plan) => {
      const target = toKey(plan.root, plan.newPath);
      if (plan.newPath !== plan.path && (taken.has(target) || (claims.get(target) ?? 0) > 1)) return true;
      ordered.push(plan);
      taken.delete(toKey(plan.root, plan.path));
      taken.add(target);
      return false;
    });
  }
  // a taken name is found again, and told, when the plan is applied; of two claims neither is made, but the text is edited all the same
  for (const plan of waiting) {
    const repaired = plan.repaired.filter(({ code }) => code !== 'name-mismatch' && code !== 'folder-name');
    if ((claims.get(toKey(plan.root, plan.newPath)) ?? 0) < 2) ordered.push(plan);
    else if (repaired.length > 0) ordered.push({ ...plan, newPath: plan.path, repaired });
  }
  return ordered;
}

function planRepair(root: string, skill: SkillReport, isWanted: (repair: Repair) => boolean): Plan | undefined {
  const { uri, path, name, source, problems } = skill;
  if (source === undefined || !skill.repairs.some(isWanted)) return undefined;
  const fileRename = skill.repairs.find((repair) => repair.problem.code === 'skill-file-case');
  const skillFile = fileRename?.rename?.from.slice(path.length + 1) ?? SKILL_FILE;
  const edited = editSkillFile({ uri, path, name, skillFile, problems: ownProblems(problems) }, source, isWanted);
  if (edited === undefined) return undefined;
  const { text, repaired, rest } = edited;
  const renames = rest.filter((repair) => repair.rename !== undefined);
  const folder = renames.find(({ side }) => side === 'folder');
  const file = renames.find(({ problem }) => problem.code === 'skill-file-case');
  return {
    root,
    path,
    skillFile,
    before: source,
    after: text,
    newPath: folder?.rename?.to ?? path,
    newSkillFile: file === undefined ? skillFile : SKILL_FILE,
    files: skill.resources.map((resource) => resource.uri.slice(uri.length - SKILL_FILE.length)),
    repaired: [...repaired, ...renames.map(({ problem }) => problem)],
  };
}

/** The problems of the folder: those of the text are found again. */
function ownProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code === 'skill-file-case' || code === 'folder-name');
}
