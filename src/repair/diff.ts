import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compareText } from '../catalog/problems.ts';
import { type DiffOptions, formatDiff } from '../report/diff.ts';
import type { Plan } from './plan.ts';

/**
 * The repairs as one unified diff, as `git apply` reads it; the rename of a folder is that of every file in it.
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
  const { root, path, newPath, skillFile, newSkillFile, before, after } = plan;
  const main = formatDiff(
    { path: toPath(`${path}/${skillFile}`), text: before },
    { path: toPath(`${newPath}/${newSkillFile}`), text: after },
    options,
  );
  if (newPath === path) return main;
  const others = listFiles(join(root, path)).filter((file) => file !== skillFile);
  return main + others.map((file) => toRename(toPath(`${path}/${file}`), toPath(`${newPath}/${file}`))).join('');
}

/** Every file and link below a folder, hidden ones too, since its rename takes them along. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort(compareText);
}

function toRename(from: string, to: string): string {
  return formatDiff({ path: from, text: '' }, { path: to, text: '' });
}
