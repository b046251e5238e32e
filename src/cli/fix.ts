import { relative, resolve } from 'node:path';
import { type Problem, toProblemKey } from '../problems.ts';
import { applyPlans } from '../repair/apply.ts';
import { type Plan, planRepairs, type RepairOptions } from '../repair/plan.ts';
import { formatPlans } from '../repair/preview.ts';
import { countOf } from '../text/count.ts';
import { disarmLine, escapeText } from '../text/escape.ts';
import { toTypedPath } from '../text/typed.ts';
import type { Judged } from './judging.ts';
import type { Terminal } from './terminal.ts';

/**
 * Makes the repairs, and tells on stderr what was done and what not: stdout is the report's.
 * Returns whether every planned repair was made.
 */
export async function fixSkills(judged: Judged, options: RepairOptions, terminal: Terminal): Promise<boolean> {
  const { plans, refused } = planRepairs(judged.reports, options);
  // before anything is renamed: a plan looks at the disk for what is taken
  const unasked = formatUnasked(judged, options, plans);
  const outcomes = await applyPlans(plans);
  const lines = outcomes.map(({ plan, steps, lost, reason }) => {
    const place = toPlace(judged, plan, plan.file === undefined ? plan.path : `${plan.path}/${plan.file.name}`);
    const rest = lost.length === 0 ? '' : `; not kept: ${lost.join(', ')}`;
    if (reason !== undefined) return `not ${steps > 0 ? 'wholly ' : ''}repaired: ${place}: ${reason}${rest}`;
    return `repaired: ${place}: ${toWhat(plan)}${rest}`;
  });
  lines.push(...formatRefused(judged, refused));
  const done = outcomes.filter(({ reason }) => reason === undefined);
  const count = done.reduce((sum, { plan }) => sum + plan.repaired.length, 0);
  if (lines.length === 0) lines.push('nothing to repair');
  else lines.push(`repaired ${countOf(count, 'problem')} in ${describeDone(done.map(({ plan }) => plan))}`);
  lines.push(...unasked);
  for (const line of lines) terminal.error.write(`${escapeText(line)}\n`);
  return done.length === outcomes.length && refused.size === 0;
}

/** How many skills, and groups, were repaired. */
function describeDone(plans: readonly Plan[]): string {
  const groups = plans.filter(({ file }) => file === undefined).length;
  const skills = plans.length - groups;
  if (groups === 0) return countOf(skills, 'skill');
  return skills === 0 ? countOf(groups, 'group') : `${countOf(skills, 'skill')} and ${countOf(groups, 'group')}`;
}

/**
 * Prints what `--fix` would do, as a unified diff with paths from the working directory where the root is below it; what it would not
 * do is told on stderr.
 */
export function showFixes(judged: Judged, options: RepairOptions, { output, error, env, cwd }: Terminal): void {
  const { plans, refused } = planRepairs(judged.reports, options);
  const toPath = (plan: Plan, path: string) => toWorkingPath(toPlace(judged, plan, path), cwd).replace(/^\/+/, '');
  const diff = formatPlans(plans, toPath, { escape: output.isTTY === true });
  const shown = env['GITHUB_ACTIONS'] ? diff.split('\n').map(disarmLine).join('\n') : diff;
  output.write(shown);
  const lines = [...formatRefused(judged, refused), ...formatUnasked(judged, options, plans)];
  if (diff === '' && lines.length === 0) lines.push('nothing to repair');
  for (const line of lines) error.write(`${escapeText(line)}\n`);
  if (shown !== diff) {
    error.write('lines that a workflow would take for commands are shown changed: this diff cannot be applied\n');
  }
}

function formatRefused(judged: Judged, refused: ReadonlyMap<Plan, string>): string[] {
  return [...refused].map(([plan, reason]) => `not renamed: ${toPlace(judged, plan, plan.path)}: ${reason}`);
}

/** What `--fix=metadata` would repair beside what was asked for. */
function formatUnasked(judged: Judged, options: RepairOptions, plans: readonly Plan[]): string[] {
  const sides = options.sides ?? [];
  if (sides.includes('metadata')) return [];
  const more = planRepairs(judged.reports, { ...options, sides: [...sides, 'metadata'] });
  const isOf = ({ code }: Problem) => code === 'metadata-invalid';
  const count = (some: readonly Plan[]) => some.flatMap(({ repaired }) => repaired.filter(isOf)).length;
  const left = count(more.plans) - count(plans);
  if (left <= 0) return [];
  const added = [...sides, 'metadata'].join(',');
  const what = left === 1 ? 'it as a JSON string' : 'them as JSON strings';
  return [`not repaired: ${countOf(left, 'nested value')} of metadata; --fix=${added} writes ${what}`];
}

/** The problems that the repairs would leave. */
export function keepUnrepaired(judged: Judged, problems: readonly Problem[], options: RepairOptions): Problem[] {
  const repaired = new Set(
    planRepairs(judged.reports, options).plans.flatMap((plan) => plan.repaired.map(toProblemKey)),
  );
  return problems.filter((problem) => !repaired.has(toProblemKey(problem)));
}

function toWhat({ path, newPath, file, repaired }: Plan): string {
  const byCode = new Map<string, number>();
  for (const { code } of repaired) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const codes = [...byCode].map(([code, count]) => (count === 1 ? code : `${code} (${count})`));
  const renames = [
    ...(file === undefined || file.name === file.newName ? [] : [`now ${file.newName}`]),
    ...(path === newPath ? [] : [`now in ${newPath}`]),
  ];
  return [...codes, ...renames].join(', ');
}

/** A path below a root, as the reader would write it. */
function toPlace(judged: Judged, plan: Plan, path: string): string {
  const root = judged.reports.find((report) => report.root.folder === plan.root)?.root.path;
  // in a root that is one skill, a path begins with a dot
  const inner = path.replace(/^\.\//, '');
  return root === undefined ? inner : toTypedPath(root, inner);
}

/** The path of a place, as it is seen from the working directory, relative to a folder where it lies in it, else absolute; `/`-separated. */
export function toWorkingPath(place: string, cwd: string, folder = cwd): string {
  const whole = resolve(cwd, place);
  const path = relative(folder, whole).replaceAll('\\', '/');
  return path === '..' || path.startsWith('../') ? whole.replaceAll('\\', '/') : path;
}
