// A report for people, and as JSON.
import { countOf, formatNumber } from '../text/count.ts';
import { disarmLine, escapeText, toJson } from '../text/escape.ts';
import { CHECKS, type Fault } from './checks.ts';
import { REVISIONS } from './dialogue.ts';
import type { FoundFault, VerifyReport } from './verification.ts';

export interface PrintOptions {
  /** What was verified, as a person typed it and without what may be secret. */
  readonly target: string;
  readonly isStrict: boolean;
  /** False by default. */
  readonly color?: boolean;
  /** How many problems are printed; all by default. */
  readonly max?: number;
}

/** How much a fault weighs. */
export function severityOf({ code, severity }: Fault, isStrict: boolean): 'error' | 'warning' {
  return isStrict ? 'error' : (severity ?? CHECKS[code].severity);
}

/** Where a fault is: a file of a skill by its path, a skill, or the server. */
export function toPlace({ skill, file }: Fault, server: string): string {
  if (skill === undefined) return file ?? server;
  if (file === undefined || file === skill) return skill;
  const folder = skill.slice(0, skill.lastIndexOf('/') + 1);
  return `${skill}#${file.startsWith(folder) ? file.slice(folder.length) : file}`;
}

/** For people: the server, a line a problem, and a last line with what was verified. */
export function formatReport(report: VerifyReport, options: PrintOptions): string {
  const { target, isStrict, color = false, max = report.problems.length } = options;
  const paint = (style: string, text: string) => (color ? `\u001b[${style}m${text}\u001b[0m` : text);
  const { server, eras, problems } = report;
  const name = [server.name, server.version].filter((part) => part !== '').join(' ');
  const lines = [disarmLine(escapeText(`${target}${name === '' ? '' : `: ${name}`}`))];
  for (const { era, refused } of eras) {
    if (refused !== undefined) lines.push(`${REVISIONS[era]} is not spoken: ${escapeText(refused)}`);
  }
  lines.push('');
  for (const fault of problems.slice(0, max)) {
    const severity = severityOf(fault, isStrict);
    const mark = paint(severity === 'error' ? '1;31' : '1;33', `${severity}:`);
    const place = disarmLine(escapeText(toPlace(fault, 'server')));
    lines.push(
      `${paint('1', `${place}:`)} ${mark} ${escapeText(fault.message)}${describeEras(fault, report)} ${paint('2', `[${fault.code}]`)}`,
    );
    if (fault.hint !== undefined) lines.push(`  ${paint('36', '= hint:')} ${escapeText(fault.hint)}`);
  }
  if (problems.length > max) lines.push(`and ${countOf(problems.length - max, 'more problem')}`);
  if (problems.length > 0) lines.push('');
  lines.push(summarizeReport(report, isStrict));
  return `${lines.join('\n')}\n`;
}

/** `2 skills, 5 files and 1,234 bytes verified on 2026-07-28 and 2025-11-25 with 60 requests; 0 errors, 0 warnings`. */
function summarizeReport({ skills, files, bytes, eras, requests, problems }: VerifyReport, isStrict: boolean): string {
  const spoken = eras.flatMap(({ revision }) => revision ?? []);
  const errors = problems.filter((fault) => severityOf(fault, isStrict) === 'error').length;
  return (
    `${countOf(skills, 'skill')}, ${countOf(files, 'file')} and ${formatNumber(bytes)} bytes verified on ${spoken.join(' and ')} ` +
    `with ${countOf(requests, 'request')}; ${countOf(errors, 'error')}, ${countOf(problems.length - errors, 'warning')}`
  );
}

/** In which revision a fault was found, where there are two and it was found in one. */
function describeEras({ eras }: FoundFault, report: VerifyReport): string {
  const spoken = report.eras.filter(({ revision }) => revision !== undefined).length;
  return eras.length === 1 && spoken > 1 ? ` (on ${eras.map((era) => REVISIONS[era]).join()})` : '';
}

/** For scripts: one object, whose keys and their order stay. */
export function formatReportJson(report: VerifyReport, { target, isStrict }: PrintOptions): string {
  const { server, eras, skills, files, bytes, requests, problems } = report;
  return toJson({
    version: 1,
    ok: !problems.some((fault) => severityOf(fault, isStrict) === 'error'),
    target,
    server,
    eras: eras.map(({ era, revision = null, refused = null }) => ({ era, revision, refused })),
    skills,
    files,
    bytes,
    requests,
    problems: problems.map((fault) => {
      const { code, message, hint, skill, file, eras: found } = fault;
      return { code, severity: severityOf(fault, isStrict), message, hint, skill, file, eras: found };
    }),
  });
}
