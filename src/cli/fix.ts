import { relative, resolve } from 'node:path';
import type { Problem } from '../catalog/problems.ts';
import { applyPlans } from '../repair/apply.ts';
import { formatPlans } from '../repair/diff.ts';
import { type Plan, planRepairs, type RepairOptions } from '../repair/plan.ts';
import { countOf } from '../report/count.ts';
import { escapeText } from '../report/escape.ts';
import type { Judged } from './judge.ts';
import type { Terminal } from './terminal.ts';

/**
 * Makes the repairs, and tells on stderr what was done and what not: stdout is the report's.
 * Returns whether every planned repair was made.
 */
export async function fixSkills(judged: Judged, options: RepairOptions, terminal: Terminal): Promise<boolean> {
  const outcomes = await applyPlans(planRepairs(judged.reports, options));
  const lines = outcomes.map(({ plan, steps, reason }) => {
    const place = toPlace(judged, plan, `${plan.path}/${plan.skillFile}`);
    if (reason !== undefined) return `not ${steps > 0 ? 'wholly ' : ''}repaired: ${place}: ${reason}`;
    return `repaired: ${place}: ${toWhat(plan)}`;
  });
  const done = outcomes.filter(({ reason }) => reason === undefined);
  const count = done.reduce((sum, { plan }) => sum + plan.repaired.length, 0);
  if (outcomes.length === 0) lines.push('nothing to repair');
  else lines.push(`repaired ${countOf(count, 'problem')} in ${countOf(done.length, 'skill')}`);
  for (const line of lines) terminal.error.write(`${escapeText(line)}\n`);
  return done.length === outcomes.length;
}

/** What `--fix` would do, as a unified diff with paths from the working directory where the root is below it. */
export function formatFixes(judged: Judged, options: RepairOptions, terminal: Terminal): string {
  const plans = planRepairs(judged.reports, options);
  const { isTTY } = terminal.output;
  return formatPlans(plans, (plan, path) => toDiffPath(toPlace(judged, plan, path), terminal), {
    escape: isTTY === true,
  });
}

/** The problems that the repairs would leave. */
export function keepUnrepaired(judged: Judged, problems: readonly Problem[], options: RepairOptions): Problem[] {
  const toKey = ({ path, code, line, message }: Problem): string => JSON.stringify([path, code, line, message]);
  const repaired = new Set(planRepairs(judged.reports, options).flatMap((plan) => plan.repaired.map(toKey)));
  return problems.filter((problem) => !repaired.has(toKey(problem)));
}

function toWhat({ path, newPath, skillFile, newSkillFile, repaired }: Plan): string {
  const byCode = new Map<string, number>();
  for (const { code } of repaired) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const codes = [...byCode].map(([code, count]) => (count === 1 ? code : `${code} (${count})`));
  const renames = [
    ...(skillFile === newSkillFile ? [] : [`now ${newSkillFile}`]),
    ...(path === newPath ? [] : [`now in ${newPath}`]),
  ];
  return [...codes, ...renames].join(', ');
}

/** A path below a root, as the reader would write it. */
function toPlace(judged: Judged, plan: Plan, path: string): string {
  const root = judged.reports.find((report) => report.root.folder === plan.root)?.root.path.replace(/(?<=.)\/+$/, '');
  if (root === undefined || root === '.') return path;
  return root.endsWith('/') ? root + path : `${root}/${path}`;
}

function toDiffPath(place: string, terminal: Terminal): string {
  return toWorkingPath(place, terminal).replace(/^\/+/, '');
}

/** A place relative to the working directory where it lies in it, else absolute; `/`-separated. */
export function toWorkingPath(place: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  const path = relative(cwd, resolve(cwd, place)).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') ? resolve(cwd, place).replaceAll('\\', '/') : path;
}
