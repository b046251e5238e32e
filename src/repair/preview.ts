import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compareText } from '../problems.ts';
import { type DiffOptions, formatDiff } from '../report/patch.ts';
import type { Plan } from './plan.ts';

/**
 * The repairs as one unified diff, as `git apply` reads it; the rename of a folder is that of every file in it. A file is in it once, from
 * where it is to where the last of the plans leaves it: git takes no second rename of a file.
 *
 * @param toPath - what is put before a path of a plan's root, for the reader
 */
export function formatPlans(
  plans: readonly Plan[],
  toPath: (plan: Plan, path: string) => string,
  options: DiffOptions = {},
): string {
  const seen = new Set<string>();
  const formatFile = (plan: Plan, path: string, { before, after }: { before: string; after: string }) => {
    const key = join(plan.root, path);
    if (seen.has(key)) return '';
    seen.add(key);
    const moved = movePath(path, plan.root, plans);
    return formatDiff({ path: toPath(plan, path), text: before }, { path: toPath(plan, moved), text: after }, options);
  };
  return plans
    .flatMap((plan) => {
      const { root, path, newPath, file } = plan;
      const main = file === undefined ? '' : formatFile(plan, `${path}/${file.name}`, file);
      const others = newPath === path ? [] : listFiles(join(root, path));
      return [main, ...others.map((each) => formatFile(plan, `${path}/${each}`, UNCHANGED))];
    })
    .join('');
}

const UNCHANGED = { before: '', after: '' };

/** Where plans leave a file of a root. */
function movePath(path: string, root: string, plans: readonly Plan[]): string {
  let moved = path;
  for (const plan of plans) {
    if (plan.root !== root || !moved.startsWith(`${plan.path}/`)) continue;
    const inner = moved.slice(plan.path.length + 1);
    moved = `${plan.newPath}/${inner === plan.file?.name ? plan.file.newName : inner}`;
  }
  return moved;
}

/** Every file and link below a folder, hidden ones too, since its rename takes them along. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort(compareText);
}
