import { SKILL_FILE } from '../catalog/manifest.ts';
import type { RootReport } from '../judge/judge.ts';
import type { Repair, Side } from '../judge/repairs.ts';
import type { SkillReport } from '../judge/skill.ts';
import type { Problem } from '../problems.ts';
import { groupBy } from '../text/grouping.ts';
import { editSkillFile } from './edit.ts';
import { type FolderRename, orderRenames } from './renames.ts';

/** What is to be done to one skill, or to a group, which is renamed and nothing else. */
export interface Plan extends FolderRename {
  /** Absent for a group. */
  readonly file?: FilePlan;
  /** What is repaired by all of it. */
  readonly repaired: readonly Problem[];
}

/** What is to be done to a SKILL.md. */
export interface FilePlan {
  /** As it is spelled on disk. */
  readonly name: string;
  /** After the renames; the same as before where it is not renamed. */
  readonly newName: string;
  readonly before: string;
  readonly after: string;
}

/** Which repairs are made. */
export interface RepairOptions {
  /** What only the author can ask for: nothing by default, so that such a problem stays. Never `name` and `folder` together. */
  readonly sides?: readonly Side[] | undefined;
  /** All by default. */
  readonly isWanted?: ((problem: Problem) => boolean) | undefined;
}

/** Whether a repair is among those that are asked for. */
export function isRepairWanted({ problem, side }: Repair, options: RepairOptions): boolean {
  return (side === undefined || options.sides?.includes(side) === true) && (options.isWanted?.(problem) ?? true);
}

/** What is to be done, and what was asked for and cannot be done. */
export interface Planned {
  readonly plans: readonly Plan[];
  /** Renames, and why they cannot be made. */
  readonly refused: ReadonlyMap<Plan, string>;
}

/**
 * Plans the repairs of every skill that has some, and then those of groups, which come last: a rename of a group moves its skills. Of
 * the disk it looks at nothing but whether a name is taken; everything else is checked when a plan is applied.
 */
export function planRepairs(reports: readonly RootReport[], options: RepairOptions): Planned {
  const wanted = eachSkill(reports, (root, skill) =>
    planRepair(root, skill, (repair) => isRepairWanted(repair, options)),
  );
  const { ordered, refused } = orderRenames(wanted);
  // the text is edited all the same
  const edited = [...refused.keys()].flatMap((plan) => {
    const repaired = plan.repaired.filter(({ code }) => code !== 'name-mismatch' && code !== 'folder-name');
    return repaired.length === 0 ? [] : [{ ...plan, newPath: plan.path, repaired }];
  });
  const groups = orderGroups(
    eachRepair(reports, (root, repair) => (isRepairWanted(repair, options) ? toGroupPlan(root, repair) : undefined)),
  );
  return { plans: [...ordered, ...edited, ...groups.ordered], refused: new Map([...refused, ...groups.refused]) };
}

/** The inner ones first, so that a path is still the one that was judged when its turn comes. */
function orderGroups<T extends FolderRename>(
  plans: readonly T[],
): { ordered: readonly T[]; refused: ReadonlyMap<T, string> } {
  const byDepth = groupBy(plans, ({ path }) => String(path.split('/').length));
  const levels = [...byDepth].sort(([a], [b]) => Number(b) - Number(a)).map(([, each]) => orderRenames(each));
  return {
    ordered: levels.flatMap(({ ordered }) => ordered),
    refused: new Map(levels.flatMap(({ refused }) => [...refused])),
  };
}

function toGroupPlan(root: string, { problem, rename }: Repair): Plan | undefined {
  return rename && { root, path: rename.from, newPath: rename.to, repaired: [problem] };
}

/** What is made of each repair of a group; a root that was given twice counts once. */
function eachRepair<T>(reports: readonly RootReport[], make: (root: string, repair: Repair) => T | undefined): T[] {
  const byFolder = new Map(reports.map((report) => [report.root.folder, report]));
  return [...byFolder].flatMap(([folder, { repairs }]) =>
    folder === undefined ? [] : repairs.flatMap((repair) => make(folder, repair) ?? []),
  );
}

/** The renames of folders that a side asks for, and that cannot be made. */
export function findRefusedRenames(reports: readonly RootReport[], side: Side): Set<Repair> {
  const renames = eachSkill(reports, (root, { path, repairs }) => {
    const repair = repairs.find((each) => each.side === side && each.rename?.from === path);
    return repair?.rename === undefined ? undefined : { root, path, newPath: repair.rename.to, repair };
  });
  const groups = eachRepair(reports, (root, repair) =>
    repair.side === side && repair.rename !== undefined
      ? { root, path: repair.rename.from, newPath: repair.rename.to, repair }
      : undefined,
  );
  const refused = [...orderRenames(renames).refused.keys(), ...orderGroups(groups).refused.keys()];
  return new Set(refused.map(({ repair }) => repair));
}

/** What is made of each skill, where there is something; a root that was given twice counts once. */
function eachSkill<T>(reports: readonly RootReport[], make: (root: string, skill: SkillReport) => T | undefined): T[] {
  const seen = new Set<string>();
  return reports.flatMap(({ root: { folder }, skills }) =>
    skills.flatMap((skill) => {
      const key = `${folder}\n${skill.path}`;
      if (folder === undefined || seen.has(key)) return [];
      seen.add(key);
      return make(folder, skill) ?? [];
    }),
  );
}

function planRepair(root: string, skill: SkillReport, isWanted: (repair: Repair) => boolean): Plan | undefined {
  const { uri, path, name, source, problems, root: label } = skill;
  if (source === undefined || !skill.repairs.some(isWanted)) return undefined;
  const fileRename = skill.repairs.find((repair) => repair.problem.code === 'skill-file-case');
  const skillFile = fileRename?.rename?.from.slice(path.length + 1) ?? SKILL_FILE;
  const edited = editSkillFile(
    { ...(label === undefined ? {} : { root: label }), uri, path, name, skillFile, problems: ownProblems(problems) },
    source,
    isWanted,
  );
  if (edited === undefined) return undefined;
  const { text, repaired, rest } = edited;
  const renames = rest.filter((repair) => repair.rename !== undefined);
  const folder = renames.find(({ rename }) => rename?.from === path);
  const file = renames.find(({ problem }) => problem.code === 'skill-file-case');
  return {
    root,
    path,
    newPath: folder?.rename?.to ?? path,
    file: { name: skillFile, newName: file === undefined ? skillFile : SKILL_FILE, before: source, after: text },
    repaired: [...repaired, ...renames.map(({ problem }) => problem)],
  };
}

/** The problems of the folder: those of the text are found again. */
function ownProblems(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ code }) => code === 'skill-file-case' || code === 'folder-name');
}
