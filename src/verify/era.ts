// Verifies a server in one era, in the order in which a host would ask.
import { compareText } from '../problems.ts';
import { countOf } from '../text/count.ts';
import type { CheckCode, Fault } from './checks.ts';
import { type Declaration, describeMissing, judgeDeclaration } from './declaration.ts';
import type { Session } from './dialogue.ts';
import { verifyDirectories } from './directories.ts';
import { judgeEntry } from './entry.ts';
import { describeError, type ListedSkill, type Listing, readListing } from './enumeration.ts';
import { askWrongQuestions } from './questions.ts';
import { getEntry, type Take, type Tally, type VerifiedSkill, verifySkill } from './served.ts';

/** What of a server is verified. */
export interface EraOptions {
  /** Which skills are verified, by the URI of their SKILL.md. */
  readonly isWanted: (uri: string) => boolean;
  /** URIs of skills that are in no listing. */
  readonly unlisted: readonly string[];
  /** URIs of skills that are asked for where they are in no listing, and need not be served. */
  readonly expected?: readonly string[];
  /** How many skills have to be listed. */
  readonly minSkills: number;
  /** How many skills are verified at most. */
  readonly maxSkills: number;
  /** How many bytes of files are read at most. */
  readonly maxBytes: number;
  /** Gets the content of each file that is what its entry lists. */
  readonly take?: Take | undefined;
  /** How many skills are verified at a time. */
  readonly concurrency: number;
}

/** What one era showed. */
export interface EraResult {
  readonly declaration: Declaration;
  /** Whether skills/list was answered. */
  readonly isListed: boolean;
  /** The URIs of all entries; undefined where the listing could not be read to its end. */
  readonly listed?: readonly string[];
  /** Every entry that could be used and was verified, sorted by URI; those in no listing come last. */
  readonly skills: readonly (VerifiedSkill & { readonly raw: object })[];
  readonly files: number;
  readonly bytes: number;
  readonly faults: readonly Fault[];
}

/** What leaves open which skills a server has. */
const BROKEN: ReadonlySet<CheckCode> = new Set(['list-failed', 'list-shape', 'cursor-repeats', 'cursor-endless']);

/** @throws ConnectionError where the server stops answering */
export async function verifyEra(session: Session, options: EraOptions): Promise<EraResult> {
  const declaration = judgeDeclaration(session);
  const faults: Fault[] = [...declaration.faults];
  const listing = await readListing(session, options);
  const isListed = listing.error === undefined;
  faults.push(...listing.faults, ...judgeCount(declaration, listing, options));
  const others = await getUnlisted(session, options, listing, faults);
  const tally: Tally = { files: 0, bytes: 0, left: options.maxBytes };
  const sorted = [...listing.skills].sort((a, b) => compareText(a.skill.uri, b.skill.uri));
  const skills = await mapPool([...sorted, ...others], options.concurrency, async (listed) => {
    const verified = await verifySkill(session, listed, tally, options.take);
    const { directoryRead } = declaration;
    const found =
      directoryRead && listed.isReadable ? await verifyDirectories(session, verified.skill, listing.uris) : [];
    return { skill: verified.skill, raw: listed.raw, faults: [...verified.faults, ...found] };
  });
  faults.push(...skills.flatMap((verified) => verified.faults));
  if (isListed) {
    const subject = { skills: skills.map(({ skill }) => skill), directoryRead: declaration.directoryRead };
    faults.push(...(await askWrongQuestions(session, subject)));
  }
  faults.push(...session.faults);
  const isWhole = isListed && !listing.faults.some(({ code }) => BROKEN.has(code));
  const { files, bytes } = tally;
  return { declaration, isListed, ...(isWhole ? { listed: listing.uris } : {}), skills, files, bytes, faults };
}

function judgeCount({ isDeclared }: Declaration, listing: Listing, { minSkills }: EraOptions): Fault[] {
  const { error, count, skills, faults } = listing;
  if (!isDeclared) return [describeMissing(error === undefined)];
  if (error !== undefined)
    return [{ code: 'list-failed', message: `skills/list was answered with ${describeError(error)}` }];
  const isBroken = count === 0 && faults.some(({ code }) => code === 'list-shape');
  if (count < minSkills && !isBroken) {
    return [
      {
        code: 'no-skills',
        message: `${countOf(count, 'skill')} listed, fewer than the ${minSkills} expected (--min-skills)`,
      },
    ];
  }
  const isNothing = minSkills > 0 && count > 0 && skills.length === 0 && faults.length === 0;
  return isNothing ? [{ code: 'no-skills', message: `none of the ${countOf(count, 'skill')} matches --skill` }] : [];
}

/** Asks for the skills that are in no listing: what is served has to be there by its URI. */
async function getUnlisted(
  session: Session,
  { unlisted, expected = [] }: EraOptions,
  { skills }: Listing,
  faults: Fault[],
): Promise<ListedSkill[]> {
  const found: ListedSkill[] = [];
  const listed = new Set(skills.map(({ skill }) => skill.uri));
  for (const uri of new Set([...unlisted, ...expected])) {
    const entry = listed.has(uri) ? undefined : await getEntry(session, uri);
    if (entry === undefined) continue;
    if ('fault' in entry) {
      if (!unlisted.includes(uri)) continue;
      faults.push({ code: 'get-unlisted', message: entry.fault.message, skill: uri });
      continue;
    }
    const judged = judgeEntry(entry.raw);
    faults.push(...judged.faults);
    if (judged.skill?.uri === uri)
      found.push({ raw: entry.raw, skill: judged.skill, isReadable: judged.faults.length === 0 });
    else if (judged.faults.length === 0)
      faults.push({ code: 'get-unlisted', message: 'skills/get returned the entry of another skill', skill: uri });
  }
  return found;
}

/** Runs at most `most` at a time, and gives the results in the order of the items. */
async function mapPool<T, R>(items: readonly T[], most: number, run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await run(items[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return results;
}
