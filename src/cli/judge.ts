import { delimiter, join } from 'node:path';
import { judgeSkills, type RootReport } from '../catalog/load.ts';
import type { Problem } from '../catalog/problems.ts';
import { parseRoot, type SkillRoot } from '../catalog/roots.ts';
import type { CheckedSkill } from '../report/json.ts';
import type { Terminal } from './terminal.ts';

/** What all commands know of the roots: the reports, and where a problem or a skill lies. */
export interface Judged {
  readonly reports: readonly RootReport[];
  /** Of all roots, severities as the options ask. */
  readonly problems: readonly Problem[];
  readonly skills: readonly CheckedSkill[];
  /** The root of a problem, as it was typed. */
  readonly baseOf: (problem: Problem) => string;
  /** The text that a problem points into. */
  readonly sourceOf: (problem: Problem) => string | undefined;
}

/** The roots of a command line: its arguments, else `$SKILLS_DIR`, else the skills of this package. */
export function toRoots(args: readonly string[], { env, home }: Pick<Terminal, 'env' | 'home'>): SkillRoot[] {
  if (args.length > 0) return args.map(parseRoot);
  const listed = (env['SKILLS_DIR'] ?? '').split(delimiter).filter((root) => root !== '');
  return listed.length > 0 ? listed.map(parseRoot) : [{ path: join(home, 'skills-example') }];
}

/** Judges the roots of a command line. */
export async function judgeRoots(
  args: readonly string[],
  options: { readonly exclude: readonly string[]; readonly strict?: boolean },
  terminal: Terminal,
): Promise<Judged> {
  const reports = await judgeSkills(toRoots(args, terminal), { exclude: options.exclude });
  const bases = new Map<Problem, string>();
  const sources = new Map<Problem, string>();
  const toSeverity = (problem: Problem): Problem =>
    options.strict === true && problem.severity === 'warning' ? { ...problem, severity: 'error' } : problem;
  const problems: Problem[] = [];
  const skills: CheckedSkill[] = [];
  for (const { root, problems: found, skills: judged } of reports) {
    const textOf = new Map(
      judged.flatMap(({ source, problems }) =>
        source === undefined ? [] : problems.map((problem) => [problem, source] as const),
      ),
    );
    for (const each of found) {
      const problem = toSeverity(each);
      problems.push(problem);
      bases.set(problem, root.path.replace(/(?<=.)\/+$/, ''));
      const source = textOf.get(each);
      if (source !== undefined) sources.set(problem, source);
    }
    for (const { uri, path, name, files, bytes, digest, pinned, problems } of judged) {
      const published = pinned !== undefined && (options.strict !== true || problems.length === 0);
      skills.push({ uri, path, name, files, bytes, digest: digest ?? null, published });
    }
  }
  return {
    reports,
    problems,
    skills,
    baseOf: (problem) => bases.get(problem) ?? '',
    sourceOf: (problem) => sources.get(problem),
  };
}
