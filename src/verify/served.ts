// Verifies one skill: its entry by skills/get, then its files.
import type { SkillResource } from '../catalog/catalog.ts';
import { isRecord } from '../catalog/foreign.ts';
import { MAX_BYTES } from '../catalog/manifest.ts';
import { formatNumber } from '../text/count.ts';
import type { Fault } from './checks.ts';
import { digestOf, judgeBytes, readContent, type ServedContent } from './content.ts';
import type { Session } from './dialogue.ts';
import { findDifference, isNested, showValue } from './difference.ts';
import { judgeEntry, type ServedSkill } from './entry.ts';
import { describeError, type ListedSkill } from './enumeration.ts';
import { compareFrontmatter } from './parsers.ts';
import { MAX_MESSAGE } from './wire.ts';

/** What is counted while skills are verified. */
export interface Tally {
  files: number;
  bytes: number;
  /** Bytes that may still be read. */
  left: number;
}

/** Gets the content of a file that is what its entry lists. */
export type Take = (file: SkillResource, content: ServedContent) => Promise<void>;

/** How often a skill that changes while it is verified is verified again. */
const MAX_AGAIN = 2;
/** How many bytes of JSON a byte of text can take. */
const ESCAPED = 6;
/** What a response may have beyond the file that is listed, so that a wrong size is reported as that. */
const SLACK = 4 * 1024 * 1024;
/** Files of more bytes are read one after another. */
const LARGE = 2 * 1024 * 1024;
/** No entry is nested deeper: what is deeper is not compared. */
const MAX_DEPTH = 40;
const SKILL_TYPE = /^text\/markdown\s*(?:;|$)/i;

/** What {@link verifySkill} found. */
export interface VerifiedSkill {
  /** The entry that was verified last: another one than was listed where the skill changed meanwhile. */
  readonly skill: ServedSkill;
  readonly faults: readonly Fault[];
}

/**
 * Verifies a listed skill.
 *
 * @param take - gets the content of each file that is what its entry lists
 */
export async function verifySkill(
  session: Session,
  listed: ListedSkill,
  tally: Tally,
  take: Take = async () => {},
): Promise<VerifiedSkill> {
  const { uri } = listed.skill;
  const faults: Fault[] = [];
  const place = (found: readonly Fault[]) => found.map((fault) => ({ ...fault, skill: uri }));
  const first = await getEntry(session, uri);
  if ('fault' in first) faults.push({ ...first.fault, skill: uri });
  else faults.push(...place(compareEntries(listed.raw, first.raw)));
  if (!listed.isReadable) return { skill: listed.skill, faults };

  let current = listed;
  for (let again = 0; ; again++) {
    const found = await verifyFiles(session, current.skill, tally, take);
    const doubtful = found.doubts.length > 0 ? await getEntry(session, uri) : undefined;
    const changed = doubtful !== undefined && 'raw' in doubtful ? findChange(current, doubtful.raw) : undefined;
    if (changed === undefined || again === MAX_AGAIN) {
      faults.push(...place([...found.faults, ...(await judgeDoubts(session, found.doubts))]));
      return { skill: current.skill, faults };
    }
    faults.push({
      code: 'changed-during-run',
      message: 'the entry of the skill changed, and it was verified again',
      skill: uri,
    });
    current = changed;
  }
}

/** Asks for one entry, and gives it as it was received. */
export async function getEntry(session: Session, uri: string): Promise<{ raw: object } | { fault: Fault }> {
  const reply = await session.request('skills/get', { uri });
  if (reply.error !== undefined) {
    return { fault: { code: 'get-failed', message: `skills/get was answered with ${describeError(reply.error)}` } };
  }
  const { skill } = reply.result;
  if (isRecord(skill) && !isNested(skill, MAX_DEPTH)) return { raw: skill };
  return { fault: { code: 'get-failed', message: `"skill" of skills/get is ${showValue(skill)}, not an entry` } };
}

function compareEntries(listed: unknown, got: unknown): Fault[] {
  const difference = findDifference(listed, got);
  if (difference === undefined) return [];
  const { path, left, right } = difference;
  return [
    {
      code: 'get-differs',
      message: `${path} is ${showValue(left)} in skills/list and ${showValue(right)} in skills/get`,
    },
  ];
}

/** The entry that took the place of another one; undefined where it is the same, or cannot be used. */
function findChange(before: ListedSkill, raw: object): ListedSkill | undefined {
  if (findDifference(before.raw, raw) === undefined) return undefined;
  const { skill, faults } = judgeEntry(raw);
  return skill === undefined || faults.length > 0 || skill.uri !== before.skill.uri
    ? undefined
    : { raw, skill, isReadable: true };
}

/** A file that is not what its entry lists: the skill may have changed, or the server may be wrong. */
interface Doubt {
  readonly file: SkillResource;
  readonly digest: string;
  readonly faults: readonly Fault[];
}

async function verifyFiles(
  session: Session,
  skill: ServedSkill,
  tally: Tally,
  take: Take,
): Promise<{ faults: readonly Fault[]; doubts: readonly Doubt[] }> {
  const { uri, resources } = skill;
  if (resources === 'dynamic') return { faults: await verifyDynamic(session, skill), doubts: [] };
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  if (bytes > tally.left) {
    const message = `the ${formatNumber(bytes)} bytes of its files were not read, because of --max-bytes`;
    return { faults: [{ code: 'not-verified', message }], doubts: [] };
  }
  tally.left -= bytes;
  const found = await Promise.all(
    resources.map(async (file): Promise<{ faults: readonly Fault[]; doubt?: Doubt }> => {
      const read = () => readFile(session, file.uri, file.size);
      const { content, faults } = await (file.size > LARGE ? session.alone(read) : read());
      if (content === undefined) return { faults };
      tally.files += 1;
      tally.bytes += content.bytes.length;
      const wrong = judgeBytes(file, content);
      if (wrong.length > 0) return { faults: [], doubt: { file, digest: digestOf(content.bytes), faults: wrong } };
      await take(file, content);
      return { faults: file.uri === uri ? judgeSkillFile(skill, content) : [] };
    }),
  );
  const faults = [...found.flatMap((each) => each.faults), ...(await verifyUnsized(session, skill, tally))];
  return { faults, doubts: found.flatMap(({ doubt }) => doubt ?? []) };
}

/** Reads the files that are listed without a right digest and size: what else is wrong with them shows all the same. */
async function verifyUnsized(session: Session, skill: ServedSkill, tally: Tally): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const file of skill.unread ?? []) {
    if (tally.left <= 0) {
      faults.push({ code: 'not-verified', message: 'the file was not read, because of --max-bytes', file });
      continue;
    }
    const { content, faults: wrong } = await session.alone(() => readFile(session, file));
    faults.push(...wrong);
    if (content === undefined) continue;
    tally.left -= content.bytes.length;
    if (file === skill.uri) faults.push(...judgeSkillFile(skill, content));
  }
  return faults;
}

/** Nothing verifies what is generated, except that its frontmatter is that of the entry. */
async function verifyDynamic(session: Session, skill: ServedSkill): Promise<readonly Fault[]> {
  const { content, faults } = await readFile(session, skill.uri);
  return content === undefined ? faults : judgeSkillFile(skill, content);
}

function judgeSkillFile({ uri, frontmatter }: ServedSkill, { bytes, mimeType }: ServedContent): readonly Fault[] {
  const { faults } = compareFrontmatter(frontmatter, bytes, uri);
  if (mimeType !== undefined && SKILL_TYPE.test(mimeType)) return faults;
  const message = `the media type of SKILL.md is ${showValue(mimeType)}, not "text/markdown"`;
  return [...faults, { code: 'mime-skill-file', message, file: uri }];
}

/** @param size - in bytes, as it is listed: what is far longer is not read to its end */
async function readFile(session: Session, uri: string, size = MAX_BYTES): Promise<ReturnType<typeof readContent>> {
  const most = Math.min(MAX_MESSAGE, size * ESCAPED + SLACK);
  const reply = await session.request('resources/read', { uri }, most);
  if (reply.error === undefined) return readContent(reply.result, uri);
  const message = `resources/read was answered with ${describeError(reply.error)}`;
  return { faults: [{ code: 'read-failed', message, file: uri }] };
}

/** Reads each doubtful file once more: what differs from read to read is another fault than what is always wrong. */
async function judgeDoubts(session: Session, doubts: readonly Doubt[]): Promise<readonly Fault[]> {
  const judged = doubts.map(async ({ file, digest, faults }): Promise<readonly Fault[]> => {
    const read = () => readFile(session, file.uri, file.size);
    const { content } = await (file.size > LARGE ? session.alone(read) : read());
    if (content === undefined || digestOf(content.bytes) === digest) return faults;
    return [
      { code: 'read-unstable', message: 'two reads of the file differ, and the entry did not change', file: file.uri },
    ];
  });
  return (await Promise.all(judged)).flat();
}
