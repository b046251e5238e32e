import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { posix } from 'node:path';
import { type PinnedFile, type PinnedSkill, type Skill, type SkillResource, toDigest } from '../catalog/catalog.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { toMediaType } from '../catalog/mediatype.ts';
import { rehint, say } from '../messages/say.ts';
import { compareProblems, type Problem, toProblem, toProblemPath, type Whereabouts } from '../problems.ts';
import { isName } from '../text/names.ts';
import type { Finding } from '../yaml/findings.ts';
import { writeName } from '../yaml/plain.ts';
import { type Judgement, judgeFrontmatter } from './document.ts';
import { judgeHidden } from './paths.ts';
import type { PlacedSkill } from './placement.ts';
import { isLfsPointer } from './pointer.ts';
import { toPointerProblem } from './refusals.ts';
import { chooseFolderName, findRightNames, type Repair, toRepairs } from './repairs.ts';
import { readTextLink, type TextLink, toTextLinkFiles, toTextLinkSkill } from './textlink.ts';

/** What was found out about one skill. */
export interface SkillReport {
  /** As it was given. */
  readonly root?: string;
  /** The URI that its SKILL.md has, or would have. */
  readonly uri: string;
  /** The folder, relative to the root. */
  readonly path: string;
  readonly name: string;
  readonly files: number;
  /** Of all files together; 0 where there were too many to look at. */
  readonly bytes: number;
  /** Over every URI and digest of the skill; absent where its bytes were not all read. */
  readonly digest?: string;
  /** Present where nothing about the skill is an error. */
  readonly pinned?: PinnedSkill;
  /** The path of SKILL.md as it is spelled, as problems have it. */
  readonly file: string;
  /** SKILL.md as it was read, a byte order mark included, where a problem points into it or can be repaired. */
  readonly source?: string;
  /** What was read of it, in the order of paths. */
  readonly resources: readonly SkillResource[];
  /** What of its problems has a safe repair. */
  readonly repairs: readonly Repair[];
  /** Sorted. */
  readonly problems: readonly Problem[];
}

/** The longest message that the official TypeScript client takes over stdio, in bytes: a longer one closes the connection. */
const MESSAGE_BYTES = 10 * 1024 * 1024;

/** The client counts what it has with what comes next, which may be the start of another message: a chunk is as long as a pipe gives. */
const CHUNK_BYTES = 64 * 1024;

/** What an answer holds beside the content and the URI: the envelope, the type, the server's own name. */
const ENVELOPE_BYTES = 2048;

/** SHA-256, as 64 lowercase hex digits. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** What only `check` looks for, given to the judge so that serving does not pay for it. */
export type Lint = (skill: PlacedSkill, judgement: Judgement | undefined) => readonly Problem[];

/** Judges one skill, and pins it where nothing about it is an error. */
export function judgeSkill(scanned: PlacedSkill, lint?: Lint): SkillReport {
  const { uri, path, name, skillFile } = scanned;
  const label = scanned.root === undefined ? {} : { root: scanned.root };
  const where = { ...label, skill: uri };
  const problems: Problem[] = [];
  const folder = uri.slice(0, -SKILL_FILE.length);
  const resources: SkillResource[] = [];
  const files: PinnedFile[] = [];
  const links: TextLink[] = [];
  const isKnownFrom = (inner: string) => (target: string) => {
    const known = `${path}/${posix.join(posix.dirname(inner), target)}`;
    return scanned.files.some((file) => file.path === known) || (inner === skillFile && target.endsWith('.md'));
  };
  let judgement: Judgement | undefined;
  let found: readonly Finding[] = [];
  for (const file of scanned.files) {
    const isText = isUtf8(file.bytes);
    const inner = file.path.slice(path.length + 1);
    const address = folder + inner;
    resources.push({ uri: address, digest: `sha256:${sha256(file.bytes)}`, size: file.bytes.length });
    files.push({ mimeType: toMediaType(inner, isText), bytes: file.bytes, isText });
    const target = readTextLink(file.bytes, isKnownFrom(inner));
    if (target !== undefined && inner !== skillFile) links.push({ path: file.path, target });
    const isPointer = isLfsPointer(file.bytes);
    if (isPointer) problems.push({ ...toPointerProblem(file.path, `${path}/${skillFile}`), ...where });
    if (inner === skillFile && isPointer) continue;
    if (inner === skillFile && target !== undefined) {
      problems.push(toTextLinkSkill({ path: file.path, target }, where));
    } else if (inner === skillFile) {
      judgement = judgeFrontmatter(file.bytes, { ...where, path: file.path });
      found = judgeName(scanned, judgement);
      for (const { problem } of found) problems.push(problem);
    }
    if (isMessageTooLong(file.bytes, isText, address))
      problems.push(toMessageSize({ ...where, path: file.path }, file.bytes.length));
  }
  for (const problem of toTextLinkFiles(path, links)) problems.push({ ...problem, ...where });
  for (const problem of judgeHidden(scanned, judgement?.text)) problems.push({ ...problem, ...where });
  const ofFolder = nameFolder(scanned, judgement);
  for (const problem of ofFolder) problems.push(problem);
  for (const problem of lint?.(scanned, judgement) ?? []) problems.push({ ...problem, ...label });
  problems.sort(compareProblems);
  // what is no text cannot be written back as it was
  const repairs = judgement?.text === undefined ? [] : toRepairs({ ...scanned, problems: ofFolder }, judgement, found);
  const { frontmatter } = judgement ?? {};
  const isComplete = scanned.files.length === scanned.fileCount && scanned.fileCount > 0;
  const isSound =
    scanned.isBlocked !== true &&
    isComplete &&
    frontmatter !== undefined &&
    problems.every(({ severity }) => severity !== 'error');
  return {
    ...label,
    uri,
    path,
    name,
    files: scanned.fileCount,
    bytes: scanned.byteCount,
    ...(isComplete ? { digest: toDigest(resources, sha256) } : {}),
    // without an error, name and description are there and are texts
    ...(isSound
      ? { pinned: { entry: { uri, frontmatter: frontmatter as Skill['frontmatter'], resources }, files } }
      : {}),
    file: toProblemPath(`${path}/${skillFile}`),
    ...toSource(scanned, repairs.length > 0 || problems.some(({ line }) => line !== undefined)),
    resources,
    repairs,
    problems,
  };
}

/** SKILL.md judged by itself and by its folder, before and after a repair. */
export function judgeSkillFile(
  skill: Pick<PlacedSkill, 'root' | 'uri' | 'path' | 'name' | 'skillFile' | 'problems'>,
  bytes: Uint8Array,
): { problems: readonly Problem[]; repairs: readonly Repair[] } {
  const { root, uri, path, skillFile } = skill;
  const where = { ...(root === undefined ? {} : { root }), skill: uri, path: `${path}/${skillFile}` };
  const judgement = judgeFrontmatter(bytes, where);
  const found = judgeName(skill, judgement);
  return { problems: found.map(({ problem }) => problem), repairs: toRepairs(skill, judgement, found) };
}

function toSource({ path, skillFile, files }: PlacedSkill, isWanted: boolean): { source?: string } {
  const file = isWanted ? files.find((each) => each.path === `${path}/${skillFile}`) : undefined;
  return file === undefined ? {} : { source: new TextDecoder('utf-8', { ignoreBOM: true }).decode(file.bytes) };
}

/** Adds to the problems of the frontmatter what only the folder can tell: that the name is another one (Agent Skills, `name`). */
function judgeName(
  scanned: Pick<PlacedSkill, 'root' | 'uri' | 'path' | 'name' | 'skillFile' | 'isTaken'>,
  judgement: Judgement,
): Finding[] {
  const { name } = judgement;
  const right = findRightNames(scanned.name, name);
  const findings = judgement.findings.map((finding): Finding => {
    const { problem } = finding;
    const isOfName = problem.code === 'name-missing' || problem.code === 'name-invalid';
    return ((isOfName && finding.edits === undefined) || isQuotedInVain(finding, judgement)) && right.name !== undefined
      ? { ...finding, problem: rehint(problem, 'name', { written: writeName(right.name) }) }
      : finding;
  });
  // a folder that can be no skill's is renamed anyway, and its own problem says to what
  if (name !== undefined && isName(name) && isName(scanned.name) && name !== scanned.name) {
    const place = judgement.places.get('name');
    const repair = { name: writeName(scanned.name), isTaken: scanned.isTaken?.(name) === true };
    const problem = toProblem({
      ...say('name-mismatch', { name, folder: scanned.name, repair }),
      path: `${scanned.path}/${scanned.skillFile}`,
      ...(place === undefined ? {} : { line: place.line, column: place.column, length: place.length }),
      ...(scanned.root === undefined ? {} : { root: scanned.root }),
      skill: scanned.uri,
    });
    findings.push({ problem });
  }
  return findings;
}

/** Whether the name is no name even when it is quoted, as `No` is none. */
function isQuotedInVain({ problem, edits = [] }: Finding, { places }: Judgement): boolean {
  const [quoted, other] = edits;
  if (quoted === undefined || other !== undefined || problem.code !== 'yaml-ambiguous') return false;
  const text = /^"(.*)"$/.exec(quoted.text)?.[1];
  return quoted.start === places.get('name')?.start && text !== undefined && !isName(text);
}

/** The problems of the folder, where its hint and that of the name inside say the same. */
function nameFolder({ name, problems, isTaken }: PlacedSkill, judgement: Judgement | undefined): readonly Problem[] {
  const right = findRightNames(name, judgement?.name);
  return problems.map((problem) =>
    problem.code === 'folder-name'
      ? toProblem({
          ...problem,
          ...say('folder-name/skill', { name, repair: chooseFolderName(right, judgement?.name, isTaken) }),
        })
      : problem,
  );
}

function isMessageTooLong(bytes: Uint8Array, isText: boolean, uri: string): boolean {
  const room = MESSAGE_BYTES - CHUNK_BYTES - ENVELOPE_BYTES - uri.length;
  if (!isText) return Math.ceil(bytes.length / 3) * 4 > room;
  // a control character takes six bytes in JSON, so most files need no closer look
  return bytes.length * 6 > room && Buffer.byteLength(JSON.stringify(Buffer.from(bytes).toString())) > room;
}

function toMessageSize(where: Whereabouts & { readonly path: string }, size: number): Problem {
  return toProblem({ ...where, ...say('message-size', { bytes: size }) });
}
