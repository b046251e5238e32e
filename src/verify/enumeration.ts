// Reads skills/list to its end, and judges the pages and their entries.

import { isRecord } from '../catalog/foreign.ts';
import { compareText } from '../problems.ts';
import { countOf, formatNumber } from '../text/count.ts';
import type { Fault } from './checks.ts';
import type { Reply, ReplyError, Session } from './dialogue.ts';
import { showValue } from './difference.ts';
import { judgeEntry, type ServedSkill } from './entry.ts';
import { ConnectionError } from './wire.ts';

/** An entry as it was received, and as far as it can be used. */
export interface ListedSkill {
  readonly raw: object;
  readonly skill: ServedSkill;
  /** Whether its files can be read: not where there are more than any host takes. */
  readonly isReadable: boolean;
}

export interface Listing {
  /** Those that are to be verified, each URI once. */
  readonly skills: readonly ListedSkill[];
  /** Of every entry that has one. */
  readonly uris: readonly string[];
  /** How many entries there are. */
  readonly count: number;
  readonly faults: readonly Fault[];
  /** Present where the first page was answered with an error. */
  readonly error?: ReplyError;
}

export interface ListingOptions {
  /** How many skills are verified at most. */
  readonly maxSkills: number;
  /** Which skills are verified, by the URI of their SKILL.md. */
  readonly isWanted: (uri: string) => boolean;
}

const MAX_PAGES = 200;
const LARGE_PAGE = 1024 * 1024;
/** The official client closes a stdio connection at a longer message. */
const REFUSED_PAGE = 10 * 1024 * 1024;
/** Of all pages of a listing, in bytes: entries wait in memory until their files were read. */
const MAX_LISTING = 32 * 1024 * 1024;

/** @throws ConnectionError where the listing is larger than what this program keeps */
export async function readListing(session: Session, options: ListingOptions): Promise<Listing> {
  const faults: Fault[] = [];
  const uris: string[] = [];
  const seen = new Set<string>();
  const skills = new Map<string, ListedSkill>();
  const twice = new Set<string>();
  let count = 0;
  let left = 0;
  const { error, pages } = await walkPages(session, 'skills/list', {}, 'skills', faults, (entries) => {
    for (const raw of entries) {
      count += 1;
      const judged = judgeEntry(raw);
      const uri = isRecord(raw) && typeof raw['uri'] === 'string' ? raw['uri'] : undefined;
      if (uri !== undefined) {
        if (seen.has(uri)) twice.add(uri);
        seen.add(uri);
        uris.push(uri);
        if (!options.isWanted(uri)) continue;
      }
      faults.push(...judged.faults);
      const { skill } = judged;
      if (skill === undefined || skills.has(skill.uri) || !isRecord(raw)) continue;
      if (skills.size < options.maxSkills) skills.set(skill.uri, { raw, skill, isReadable: isReadable(judged.faults) });
      else left += 1;
    }
  });
  faults.push(...judgePages(pages), ...judgeOrder(uris));
  for (const uri of twice)
    faults.push({ code: 'entry-twice', message: 'the listing has this skill more than once', skill: uri });
  if (left > 0) {
    const message = `${countOf(left, 'skill')} of the listing ${left === 1 ? 'was' : 'were'} not verified, because of --max-skills ${options.maxSkills}`;
    faults.push({ code: 'not-verified', message });
  }
  return { skills: [...skills.values()], uris, count, faults, ...(error === undefined ? {} : { error }) };
}

function isReadable(faults: readonly Fault[]): boolean {
  return !faults.some(({ code }) => code === 'too-many-files' || code === 'too-many-bytes');
}

interface Page {
  readonly size: number;
  readonly cacheScope: unknown;
}

/**
 * Reads all pages of a listing, whatever its method.
 *
 * @param field - the list in each page
 * @param faults - gets what is wrong with the pages; an error of the first page is returned instead
 */
export async function walkPages(
  session: Session,
  method: string,
  params: Readonly<Record<string, unknown>>,
  field: string,
  faults: Fault[],
  take: (items: readonly unknown[]) => void,
): Promise<{ error?: ReplyError; pages: readonly Page[] }> {
  const pages: Page[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let bytes = 0; ; ) {
    const reply: Reply = await session.request(method, cursor === undefined ? params : { ...params, cursor });
    if (reply.error !== undefined) {
      if (pages.length === 0) return { error: reply.error, pages };
      const message = `page ${pages.length + 1} of ${method} was answered with ${describeError(reply.error)}`;
      faults.push({ code: 'list-failed', message });
      return { pages };
    }
    const { result, size } = reply;
    bytes += size;
    if (bytes > MAX_LISTING) {
      throw new ConnectionError(`the pages of ${method} have more than ${formatNumber(MAX_LISTING)} bytes`);
    }
    const { [field]: items, nextCursor, cacheScope } = result;
    pages.push({ size, cacheScope });
    if (!Array.isArray(items)) {
      faults.push({ code: 'list-shape', message: `"${field}" of ${method} is ${showValue(items)}, not a list` });
      return { pages };
    }
    take(items);
    if (nextCursor === undefined) return { pages };
    if (typeof nextCursor !== 'string') {
      faults.push({
        code: 'list-shape',
        message: `"nextCursor" of ${method} is ${showValue(nextCursor)}, not a string`,
      });
      return { pages };
    }
    if (cursors.has(nextCursor)) {
      faults.push({
        code: 'cursor-repeats',
        message: `the cursor ${showValue(nextCursor)} of ${method} repeats on page ${pages.length}`,
      });
      return { pages };
    }
    cursors.add(nextCursor);
    cursor = nextCursor;
    if (pages.length < MAX_PAGES) continue;
    faults.push({ code: 'cursor-endless', message: `${method} has more than ${MAX_PAGES} pages` });
    return { pages };
  }
}

function judgePages(pages: readonly Page[]): Fault[] {
  const faults: Fault[] = [];
  const large = pages.findIndex(({ size }) => size > LARGE_PAGE);
  const size = pages[large]?.size ?? 0;
  if (large !== -1) {
    faults.push({
      code: 'page-large',
      message: `page ${large + 1} of skills/list has ${formatNumber(size)} bytes`,
      hint: 'list fewer entries a page, and give a nextCursor',
      ...(pages.some((page) => page.size > REFUSED_PAGE) ? { severity: 'error' as const } : {}),
    });
  }
  const scopes = [...new Set(pages.map(({ cacheScope }) => cacheScope))];
  if (scopes.length > 1) {
    faults.push({
      code: 'cache-scope-differs',
      message: `the pages of skills/list have the cache scopes ${scopes.map(showValue).join(' and ')}`,
    });
  }
  return faults;
}

function judgeOrder(uris: readonly string[]): Fault[] {
  const at = uris.findIndex((uri, index) => index > 0 && compareText(uris[index - 1] ?? '', uri) > 0);
  if (at === -1) return [];
  return [{ code: 'listing-unsorted', message: `${showValue(uris[at])} is listed after ${showValue(uris[at - 1])}` }];
}

/** An error of a server as a sentence names it. */
export function describeError({ code, message }: ReplyError): string {
  const shown = showValue(message);
  return code === undefined ? `the error ${shown}` : `the error ${code}, ${shown}`;
}
