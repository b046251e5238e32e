import { type Skill, type SkillCatalog, toSkillPath } from '../catalog/catalog.ts';
import type { Problem } from '../catalog/problems.ts';
import { countOf } from '../report/count.ts';
import { escapeText } from '../report/escape.ts';
import { cleanText } from './clean.ts';
import { quote, toAdvice } from './find.ts';
import { readOptionalText, refuseOthers, WrongInput } from './input.ts';
import { type Params, type Result, toKey } from './methods.ts';
import { findNearest } from './nearest.ts';
import { createPages, type PageLimits, type Pages } from './pages.ts';
import { createSearch } from './search.ts';

// a page is read by a model: hosts cut or refuse answers of about 100 KB, and some send text and structure both
const PAGE_BYTES = 32 * 1024;
const PROBLEM_LIMITS: PageLimits = { entries: 50, bytes: 16 * 1024 };

interface ListedSkill {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly files: number;
}

/**
 * Makes `skill_list`: the skills, or those that a query finds, page by page, and on the first page what is not published.
 *
 * @param pageSize - entries a page; a page also stays below 32 KiB
 */
export function createListing(catalog: SkillCatalog, pageSize: number): (args: Params) => Promise<Result> {
  const limits: PageLimits = { entries: pageSize, bytes: PAGE_BYTES };
  const search = createSearch(catalog);
  const toPages = (skills: readonly Skill[], query: string) =>
    createPages(skills.map(toListedSkill), limits, toKey(catalog.digest, `skill_list ${query}`));
  let all: Pages<ListedSkill> | undefined;
  return async (args) => {
    refuseOthers(args, ['query', 'cursor']);
    const query = readOptionalText(args, 'query')?.trim() ?? '';
    const cursor = readOptionalText(args, 'cursor');
    const matches = query === '' ? catalog.skills : await search(query);
    const pages = (query === '' ? all : undefined) ?? toPages(matches, query);
    if (query === '') all = pages;
    const page = pages.page(cursor);
    if (page === undefined) {
      throw new WrongInput('unknown cursor: take nextCursor of the page before with the same query, or leave it out');
    }
    const { items: skills, nextCursor } = page;
    const total = matches.length;
    const structured = {
      skills,
      total,
      ...(nextCursor === undefined ? {} : { nextCursor }),
      ...(total === 0 ? { notice: explainNone(catalog, query) } : {}),
      ...(cursor === undefined ? toProblems(catalog) : {}),
    };
    return { content: [{ type: 'text', text: toListText(query, structured) }], structuredContent: structured };
  };
}

function toListedSkill({ uri, frontmatter: { name, description }, resources }: Skill): ListedSkill {
  return { name, path: toSkillPath(uri), description, files: resources.length };
}

/** Why nothing was found, and how to find something: many hosts show a model nothing but the structure of an answer. */
function explainNone({ skills }: SkillCatalog, query: string): string {
  if (query === '' || skills.length === 0) return 'There are no skills.';
  const names = new Set(skills.map(({ frontmatter }) => frontmatter.name));
  const advice = toAdvice(findNearest(query, names)).replace(/^: d/, ' D');
  return `There are no skills for ${quote(query)}.${advice} Leave out query to see all (${skills.length}).`;
}

interface Problems {
  readonly problems?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
  readonly moreProblems?: number;
}

function toProblems(catalog: SkillCatalog): Problems {
  // under --strict a warning keeps a skill out as well
  const broken = new Set(catalog.problems.map(({ severity, skill }) => (severity === 'error' ? skill : undefined)));
  const isLeftOut = ({ severity, skill }: Problem) =>
    severity === 'error' || (skill !== undefined && !broken.has(skill) && catalog.get(skill) === undefined);
  // a name that was refused for what hides in it is shown with that made visible
  const all = catalog.problems
    .filter(isLeftOut)
    .map(({ path, code, message }) => ({ path: escapeText(path), code, message: escapeText(message) }));
  const problems = createPages(all, PROBLEM_LIMITS, '').page(undefined)?.items ?? [];
  return all.length > problems.length ? { problems, moreProblems: all.length - problems.length } : { problems };
}

function toListText(
  query: string,
  found: Problems & { skills: readonly ListedSkill[]; total: number; notice?: string; nextCursor?: string },
): string {
  const { skills, total, notice, nextCursor, problems = [], moreProblems } = found;
  const ofQuery = query === '' ? '' : ` for ${quote(query)}`;
  return [
    notice ??
      `${countOf(total, 'skill')}${ofQuery}, described by their authors. Load one with skill_load and its path.`,
    ...skills.map(({ path, files, description }) => `- ${path} (${countOf(files, 'file')}): ${cleanText(description)}`),
    ...(nextCursor === undefined
      ? []
      : [`More: skill_list with cursor ${JSON.stringify(nextCursor)}${query && ' and the same query'}.`]),
    ...(problems.length === 0 ? [] : ['Not published:']),
    ...problems.map(({ path, code, message }) => `- ${cleanText(path)}: ${code}: ${cleanText(message)}`),
    ...(moreProblems === undefined ? [] : [`and ${moreProblems} more`]),
  ].join('\n');
}
