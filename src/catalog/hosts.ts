import { countOf } from '../report/count.ts';
import type { SkillReport } from './judge.ts';
import { CODES, compareText, type Problem, type ProblemCode, type ProblemInit, toProblem } from './problems.ts';
import type { RootReport } from './reports.ts';

/** What a host imports at most, where it imports less than the specifications allow. Sizes are in bytes. */
export interface HostProfile {
  /** As a sentence names it. */
  readonly title: string;
  readonly skills: number;
  /** Of a skill, SKILL.md included. */
  readonly files: number;
  /** Of all files of a skill together. */
  readonly skillSize: number;
  readonly skillFileSize: number;
  /** Of any other file. */
  readonly fileSize: number;
  readonly uniqueNames: boolean;
  /** Whether one skill that it does not import costs all the others as well. */
  readonly allOrNothing: boolean;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The hosts that `check --host` knows. The OpenAI importer also follows 10 pages of a listing at most: 5 skills never fill as many,
 * whatever the size of a page.
 */
export const PROFILES = {
  openai: {
    title: "ChatGPT's import",
    skills: 5,
    files: 100,
    skillSize: 5 * MIB,
    skillFileSize: 256 * KIB,
    fileSize: MIB,
    uniqueNames: true,
    allOrNothing: true,
  },
} as const satisfies Record<string, HostProfile>;

export type HostName = keyof typeof PROFILES;

/** What of the skills a host would not import: for each root its problems. All roots count as one server. */
export function judgeHost(reports: readonly RootReport[], host: HostProfile): Problem[][] {
  const skills = reports.flatMap((report) => report.skills);
  const byName = new Map<string, SkillReport[]>();
  for (const skill of skills) byName.set(toName(skill), [...(byName.get(toName(skill)) ?? []), skill]);
  return reports.map((report, at) => [
    ...(at === 0 ? judgeCount(skills.length, host) : []),
    ...report.skills.flatMap((skill) => [
      ...judgeName(skill, byName.get(toName(skill)) ?? [], host),
      ...judgeSizes(skill, host),
    ]),
  ]);
}

function toName({ pinned, name }: SkillReport): string {
  return pinned?.entry.frontmatter.name ?? name;
}

function judgeCount(count: number, host: HostProfile): Problem[] {
  if (count <= host.skills) return [];
  return [
    toProblem({
      code: 'host-skill-count',
      path: '.',
      message: `${count} skills, and ${host.title} takes ${host.skills} at most`,
      hint: `serve at most ${host.skills} skills: pass other roots, or leave folders out with --exclude`,
    }),
  ];
}

/** How many skills of the same name a problem spells out. */
const OTHERS_SHOWN = 3;

function judgeName(skill: SkillReport, same: readonly SkillReport[], host: HostProfile): Problem[] {
  if (!host.uniqueNames || same.length < 2) return [];
  const others = same
    .slice(0, OTHERS_SHOWN + 1)
    .filter((other) => other !== skill)
    .map(({ uri }) => uri)
    .sort(compareText)
    .slice(0, OTHERS_SHOWN);
  const more = same.length - 1 - others.length;
  return [
    toProblem({
      code: 'host-name-twice',
      path: skill.path,
      message: `the name "${toName(skill)}" is also that of ${others.join(', ')}${more > 0 ? ` and ${more} more` : ''}, and ${host.title} takes each name once`,
      hint: 'rename one of the folders, and write its new name into its SKILL.md',
      skill: skill.uri,
    }),
  ];
}

function judgeSizes({ uri, path, files, bytes, resources }: SkillReport, host: HostProfile): Problem[] {
  const problems: Problem[] = [];
  const report = (init: Omit<ProblemInit, 'skill'>) => problems.push(toProblem({ ...init, skill: uri }));
  if (files > host.files) {
    report({
      code: 'host-file-count',
      path,
      message: `${files} files, and ${host.title} takes ${host.files} a skill at most`,
      hint: 'leave files out with --exclude, or split the skill',
    });
  }
  if (bytes > host.skillSize) {
    report({
      code: 'host-skill-size',
      path,
      message: `${formatNumber(bytes)} bytes in all, and ${host.title} takes ${formatNumber(host.skillSize)} a skill at most`,
      hint: 'leave files out with --exclude, or split the skill',
    });
  }
  for (const resource of resources) {
    const isSkillFile = resource.uri === uri;
    const most = isSkillFile ? host.skillFileSize : host.fileSize;
    if (resource.size <= most) continue;
    report({
      code: isSkillFile ? 'host-skill-file-size' : 'host-file-size',
      path: `${path}/${resource.uri.slice(uri.lastIndexOf('/') + 1)}`,
      message: `${formatNumber(resource.size)} bytes, and ${host.title} takes ${formatNumber(most)} at most ${isSkillFile ? 'for SKILL.md' : 'a file'}`,
      hint: isSkillFile ? 'move details into files of their own' : 'make it smaller, or leave it out with --exclude',
    });
  }
  return problems;
}

/** Why a host would import nothing, one reason a line; empty where it would import everything. */
export function explainHost(problems: readonly Problem[], host: HostProfile, name: string): string[] {
  // not that of the problem: to a host, --strict is nothing
  const errors = problems.filter(({ code }) => CODES[code].severity === 'error');
  if (errors.length === 0) return [`${host.title} would take all of it (--host ${name})`];
  const broken = new Set(errors.map(({ skill, path }) => skill ?? path));
  const byCode = new Map<ProblemCode, number>();
  for (const { code } of errors) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const what = host.allOrNothing ? 'none of it, because one failure costs all' : `not what has one of these`;
  return [
    `${host.title} would take ${what}; ${countOf(errors.length, 'reason')} in ${countOf(broken.size, 'place')} (--host ${name}):`,
    ...[...byCode]
      .sort((a, b) => compareText(a[0], b[0]))
      .map(([code, count]) => `  ${count} x ${code}: ${CODES[code].title}`),
  ];
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US');
}
