import type { SkillCatalog } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { CODES, type Problem } from '../problems.ts';
import { escapeText } from '../text/escape.ts';
import { cleanText, cutText } from './clean.ts';
import { toPath } from './lookup.ts';

/** Characters of a path that reach a model: a refused skill says nothing else, and not much with its name. */
const PATH_UNITS = 40;

/** The problems that keep something from being published. */
export function findRefused(catalog: SkillCatalog): readonly Problem[] {
  // under --strict a warning keeps a skill out as well
  const broken = new Set(catalog.problems.map(({ severity, skill }) => (severity === 'error' ? skill : undefined)));
  return catalog.problems.filter(
    ({ severity, skill }) =>
      severity === 'error' || (skill !== undefined && !broken.has(skill) && catalog.get(skill) === undefined),
  );
}

/** Whether a path, or the URI of a SKILL.md, is one of a skill that is left out. */
export function isRefused({ problems, get }: SkillCatalog, text: string): boolean {
  const uri = `skill://${toPath(text)}/${SKILL_FILE}`;
  return get(uri) === undefined && problems.some(({ skill }) => skill === uri);
}

/** How many skills are left out because of their problems. */
export function countRefused({ problems, get }: SkillCatalog): number {
  const left = problems.flatMap(({ skill }) => (skill === undefined || get(skill) !== undefined ? [] : [skill]));
  return new Set(left).size;
}

/**
 * A problem in the server's own words: the beginning of the path in quotes, where in the file, and what the code means. The message
 * stays on stderr and in `check`, because it quotes the file.
 */
export function describeRefused({ path, line, column, code }: Problem): string {
  const place = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return `${JSON.stringify(cutText(cleanText(escapeText(path)), PATH_UNITS))}${place}: ${code}: ${CODES[code].title}`;
}
