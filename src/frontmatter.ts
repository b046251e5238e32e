import { judgeFrontmatter } from './judge/document.ts';
import type { Problem } from './problems.ts';
import type { JsonObject } from './text/jsonvalue.ts';

/**
 * Reads the frontmatter of one SKILL.md as every host reads it, or says why some host would not: no folder, no rule that the name
 * equals the folder's. `frontmatter` is present exactly when no problem is an error of the YAML itself; `problems` also holds
 * errors of the field rules and warnings, with `SKILL.md` as their path. Never throws.
 */
export function readFrontmatter(skillMd: string | Uint8Array): {
  frontmatter?: JsonObject;
  body?: string;
  problems: Problem[];
} {
  const { frontmatter, body, findings } = judgeFrontmatter(skillMd);
  return {
    ...(frontmatter === undefined ? {} : { frontmatter }),
    ...(body === undefined ? {} : { body }),
    problems: findings.map(({ problem }) => problem),
  };
}
