export type { DirectoryChild, Skill, SkillCatalog, SkillFile, SkillResource } from './catalog/catalog.ts';
export type { LoadOptions } from './disk/loading.ts';
export type { SkillRoot } from './disk/roots.ts';
export { readFrontmatter } from './frontmatter.ts';
export { loadSkills, SkillsError } from './load.ts';
export type { Problem, ProblemCode, Severity } from './problems.ts';
export { type FormatOptions, formatProblems, type ReportFormat } from './report/format.ts';
export type { JsonObject, JsonValue } from './text/jsonvalue.ts';
