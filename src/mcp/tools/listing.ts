import { type Skill, type SkillCatalog, toSkillPath } from '../../catalog/catalog.ts';
import { countOf } from '../../text/count.ts';
import type { Audience } from '../audience.ts';
import { cleanText } from '../clean.ts';
import { quote, toAdvice } from '../lookup.ts';
import type { Params, Result } from '../methods.ts';
import type { ToolNames } from '../naming.ts';
import { findNearest } from '../nearest.ts';
import { countBytes, createPages, type Listing } from '../pages.ts';
import { readOptionalText, refuseOthers, WrongInput } from './input.ts';
import type { Room } from './room.ts';
import type { Search } from './search.ts';
import { describeUnpublished, type UnpublishedOptions } from './unpublished.ts';

/** What of a page's room is left for sentences around the list. */
const AROUND_BYTES = 1024;

const SOME_REFUSED = 'Some skills are not published because of errors: leave out query to see them.';

/** How the listing is made. */
export interface ListingOptions extends UnpublishedOptions {
  readonly names: ToolNames;
  /** Entries a page. */
  readonly pageSize: number;
}

/**
 * Makes the tool that lists the skills for models, or those that a query finds, unlisted ones included, page by page. The first page
 * also has what is not published.
 */
export function createListing(
  catalog: SkillCatalog,
  { forModel, findable }: Audience,
  options: ListingOptions,
): (args: Params, room: Room) => Promise<Result> {
  const { names, pageSize } = options;
  let search: Search | undefined;
  const find: Search = async (query) => {
    // a start does not pay for what only a query needs
    const { createSearch } = await import('./search.ts');
    search ??= createSearch(catalog, findable);
    return search(query);
  };
  const toPages = (skills: readonly Skill[], query: string, notes: readonly string[], room: Room) => {
    const limits = { entries: pageSize, bytes: room.page - AROUND_BYTES };
    const [first] = skills;
    const beside = countBytes(notes.join('\n'));
    // the notes are on the first page alone
    const measure = (skill: Skill) => measureLine(skill) + (skill === first ? beside : 0);
    const kind = `skill_list ${query}`;
    if (query === '') return createPages(skills, limits, { kind, measure, toKey: ({ uri }) => uri });
    return createPages(skills, limits, { kind, measure, ...toRanked(skills) });
  };
  return async (args, room) => {
    refuseOthers(args, ['query', 'cursor']);
    const query = readOptionalText(args, 'query')?.trim() ?? '';
    const cursor = readOptionalText(args, 'cursor');
    const matches = query === '' ? forModel : await find(query);
    const whole = describeUnpublished(catalog, room, options);
    // who has found something does not need the list, which may be longer than what was found
    const refused = query === '' || matches.length === 0 || whole.length === 0 ? whole : [SOME_REFUSED];
    const page = toPages(matches, query, refused, room).page(cursor);
    if (page === undefined) {
      throw new WrongInput(
        'unknown cursor: take the cursor of the page before with the same query, or leave it out to begin again',
      );
    }
    const { items, nextCursor } = page;
    const same = query === '' ? '' : ' and the same query';
    const lines = [
      matches.length === 0 ? explainNone(forModel, findable, query) : toHeading(matches.length, query, names),
      // first, because what a host cuts is the middle or the end
      ...(nextCursor === undefined ? [] : [`Go on with ${names.list}, cursor "${nextCursor}"${same}, for more.`]),
      ...items.map(toLine),
      ...(cursor === undefined ? refused : []),
    ];
    return { content: [{ type: 'text', text: lines.join('\n') }] };
  };
}

/** What was found is in the order of a search, so a cursor also has the place: it holds where the skill is gone or found no more. */
function toRanked(skills: readonly Skill[]): Pick<Listing<Skill>, 'toKey' | 'findAfter'> {
  return {
    toKey: ({ uri }, at) => `${at} ${uri}`,
    findAfter(key) {
      const [place, uri] = key.split(' ', 2);
      const found = skills.findIndex((skill) => skill.uri === uri);
      // whoever makes up a cursor makes up its place
      return found === -1 ? Math.min(Number.parseInt(place ?? '', 10) || 0, skills.length) : found + 1;
    },
  };
}

function toLine({ uri, frontmatter: { description }, resources }: Skill): string {
  return `- ${toSkillPath(uri)} (${countOf(resources.length, 'file')}): ${cleanText(description)}`;
}

function measureLine(skill: Skill): number {
  return countBytes(toLine(skill));
}

function toHeading(total: number, query: string, names: ToolNames): string {
  const ofQuery = query === '' ? '' : ` for ${quote(query)}`;
  return `${countOf(total, 'skill')}${ofQuery}, described by their authors. Load one with ${names.load} and its path.`;
}

/** Why nothing was found, and how to find something. */
function explainNone(skills: readonly Skill[], findable: readonly Skill[], query: string): string {
  if (query === '' || findable.length === 0) return 'There are no skills.';
  const names = new Set(findable.map(({ frontmatter }) => frontmatter.name));
  const advice = toAdvice(findNearest(query, names)).replace(/^: d/, ' D');
  return `There are no skills for ${quote(query)}.${advice} Leave out query to see all (${skills.length}).`;
}
