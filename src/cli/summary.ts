import { isSource } from '../disk/roots.ts';
import type { Repair, Side } from '../judge/repairs.ts';
import { explainHost, type HostName, PROFILES } from '../lint/importers.ts';
import { type Problem, toProblemKey } from '../problems.ts';
import { findRefusedRenames, isRepairWanted } from '../repair/plan.ts';
import { countOf } from '../text/count.ts';
import { isArchiveLabel, toCheck, toTypedPath } from '../text/typed.ts';
import { isBlocking } from './codes.ts';
import type { Judged } from './judging.ts';
import { describeInvocation } from './notes.ts';

/** What a person wants to know after the last problem. */
export function summarize(judged: Judged, problems: readonly Problem[], host: HostName | undefined): string[] {
  const { skills, reports } = judged;
  // nothing is written to a repository, a package or an archive
  const written = reports.filter(({ root }) => !isSource(root));
  const repairs = written.flatMap((report) => [...report.repairs, ...report.skills.flatMap((skill) => skill.repairs)]);
  const lines: string[] = [];
  const count = (side?: Side) => {
    const refused = side === undefined ? new Set<Repair>() : findRefusedRenames(written, side);
    const sides = side === undefined ? [] : [side];
    const isMade = (repair: Repair) => isRepairWanted(repair, { sides }) && !refused.has(repair);
    const made = new Set(repairs.filter(isMade).map(({ problem }) => toProblemKey(problem)));
    return problems.filter((problem) => made.has(toProblemKey(problem))).length;
  };
  const safe = count();
  const all = countOf(problems.length, 'problem');
  if (safe > 0) lines.push(`${safe} of ${all} can be repaired: --fix`);
  const sided = (['name', 'folder'] as const)
    .map((side) => ({ side, more: count(side) - safe }))
    .filter(({ more }) => more > 0);
  if (sided.length > 0) {
    const most = Math.max(...sided.map(({ more }) => more));
    const ways = sided.map(({ side, more }) => `--fix=${side}${more === most ? '' : ` (${more})`}`).join(' or ');
    lines.push(`${most} of ${all} can be repaired if you say what gives way: ${ways}`);
  }
  const nested = count('metadata') - safe;
  if (nested > 0) {
    lines.push(`${nested} of ${all} can be repaired if nested metadata may become JSON strings: --fix=metadata`);
  }
  if (judged.problems.length === 0 && skills.length > 0) {
    const files = skills.reduce((sum, skill) => sum + skill.files, 0);
    const bytes = skills.reduce((sum, skill) => sum + skill.bytes, 0);
    lines.push(`no problems in ${countOf(files, 'file')}, ${countOf(bytes, 'byte')}`);
  }
  lines.push(...suggestRoots(judged));
  const left = judged.problems.length - problems.length;
  const blocking = judged.problems.filter(({ code }) => isBlocking(code)).length;
  const kept = blocking - problems.filter(({ code }) => isBlocking(code)).length;
  if (left > 0) {
    const skills = kept > 0 ? `; ${kept} of them keep skills from being published` : '';
    lines.push(`${countOf(left, 'problem')} not shown, as --select or --ignore ask${skills}`);
  }
  lines.push(...describeInvocation(judged.reports));
  if (host !== undefined) lines.push(...explainHost(judged.problems, PROFILES[host], host));
  return lines;
}

/** How many of the skills have to lie in one folder for it to be the one that was meant. */
const MOST = 0.8;

/** The folder that was probably meant where a whole repository was passed, and its other folders are taken for groups. */
function suggestRoots({ reports }: Judged): string[] {
  return reports.flatMap(({ root, skills, problems }) => {
    if (!problems.some(({ code }) => code === 'folder-ignored')) return [];
    const byFolder = new Map<string, number>();
    for (const { path } of skills) {
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
      byFolder.set(folder, (byFolder.get(folder) ?? 0) + 1);
    }
    const [folder, count] = [...byFolder].sort((a, b) => b[1] - a[1])[0] ?? ['', 0];
    // the folder of an archive has no way to be written
    if (folder === '' || count < skills.length * MOST || isArchiveLabel(root.path)) return [];
    const prefix = root.prefix === '' ? '' : `${root.prefix}=`;
    const which = count === skills.length ? `all ${count}` : `${count} of ${skills.length}`;
    return [
      `${which} skills are in "${folder}"; if that is the folder you mean: ${toCheck(prefix + toTypedPath(root.path, folder))}`,
    ];
  });
}
