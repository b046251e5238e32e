export type { DirectoryChild, Skill, SkillCatalog, SkillFile, SkillResource } from './catalog/catalog.ts';
export { loadSkills, SkillsError } from './catalog/load.ts';
export type { LoadOptions } from './catalog/options.ts';
export type { Problem, ProblemCode, Severity } from './catalog/problems.ts';
export type { SkillRoot } from './catalog/roots.ts';
export { readFrontmatter } from './frontmatter/frontmatter.ts';
export type { JsonObject, JsonValue } from './frontmatter/json.ts';
export { type FormatOptions, formatProblems, type ReportFormat } from './report/format.ts';
