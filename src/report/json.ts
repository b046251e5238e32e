import type { Problem } from '../problems.ts';
import { compareText } from '../problems.ts';
import { toJson } from '../text/escape.ts';
import { arrangeProblems, type Base, countProblems, limitProblems } from './arrange.ts';

/** A root as it was given. */
export interface CheckedRoot {
  readonly path: string;
  readonly prefix: string;
}

/** A skill that was judged, published or not. */
export interface CheckedSkill {
  readonly uri: string;
  /** Relative to its root, `/`-separated. */
  readonly path: string;
  /** Of the folder. */
  readonly name: string | null;
  readonly files: number;
  readonly bytes: number;
  /** Over all files of the skill; null where not all were read. */
  readonly digest: string | null;
  readonly published: boolean;
}

export interface JsonInput {
  readonly roots: readonly CheckedRoot[];
  readonly skills: readonly CheckedSkill[];
  readonly problems: readonly Problem[];
}

export interface JsonOptions {
  /** Only for the order where there are several roots: a path stays relative to its root. */
  readonly base?: Base | undefined;
  /** How many problems to print; all by default. The summary counts all of them. */
  readonly max?: number | undefined;
}

/** For scripts and editors: one object whose keys and their order are part of the public contract. */
export function formatJson({ roots, skills, problems }: JsonInput, { base, max }: JsonOptions = {}): string {
  const placed = arrangeProblems(problems, base);
  const { errors, warnings } = countProblems(placed);
  return toJson({
    version: 1,
    ok: errors === 0,
    roots: roots.map(({ path, prefix }) => ({ path, prefix })),
    skills: [...skills]
      .sort((a, b) => compareText(a.uri, b.uri) || compareText(a.path, b.path))
      .map(({ uri, path, name, files, bytes, digest, published }) => {
        return { uri, path, name, files, bytes, digest, published };
      }),
    problems: limitProblems(placed, max).map(({ problem }) => {
      const { code, severity, path, line, column, length, message, hint, skill, count } = problem;
      return { code, severity, path, line, column, length, message, hint, skill, count };
    }),
    summary: { skills: skills.length, published: skills.filter((skill) => skill.published).length, errors, warnings },
  });
}
