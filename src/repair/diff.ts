import { type DiffOptions, formatDiff } from '../report/diff.ts';
import type { Plan } from './plan.ts';

/**
 * The repairs as one unified diff, as `git apply` reads it; renames of folders are renames of their published files.
 *
 * @param toPath - what is put before a path of a plan's root, for the reader
 */
export function formatPlans(
  plans: readonly Plan[],
  toPath: (plan: Plan, path: string) => string,
  options: DiffOptions = {},
): string {
  return plans.map((plan) => formatPlan(plan, (path) => toPath(plan, path), options)).join('');
}

function formatPlan(plan: Plan, toPath: (path: string) => string, options: DiffOptions): string {
  const { path, newPath, skillFile, newSkillFile, before, after } = plan;
  const main = formatDiff(
    { path: toPath(`${path}/${skillFile}`), text: before },
    { path: toPath(`${newPath}/${newSkillFile}`), text: after },
    options,
  );
  if (newPath === path) return main;
  const others = plan.files.filter((file) => file !== skillFile);
  return main + others.map((file) => toRename(toPath(`${path}/${file}`), toPath(`${newPath}/${file}`))).join('');
}

function toRename(from: string, to: string): string {
  return formatDiff({ path: from, text: '' }, { path: to, text: '' });
}
