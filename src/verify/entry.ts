// Judges one entry of skills/list or skills/get as a strict host does. Knows nothing of connections, and uses nothing of Node.
import type { SkillResource } from '../catalog/catalog.ts';
import { DIGEST, isRecord } from '../catalog/foreign.ts';
import { MAX_BYTES, MAX_FILES, SKILL_FILE } from '../catalog/manifest.ts';
import { formatNumber } from '../text/count.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import type { CheckCode, Fault } from './checks.ts';
import { isNested, showValue } from './difference.ts';
import { judgeFields } from './fieldrules.ts';

/** An entry of a server, as far as it can be used: what is wrong with it is in the faults. */
export interface ServedSkill {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  /** The URI of its folder, with a `/` at the end. */
  readonly folder: string;
  readonly frontmatter: JsonObject;
  /** The files that have a URI below the folder, a digest and a size, each once and in the order of the entry; or `dynamic`. */
  readonly resources: readonly SkillResource[] | 'dynamic';
  /** The files below the folder that the entry lists without a right digest and size; absent where there are none. */
  readonly unread?: readonly string[];
}

/** What {@link judgeEntry} found. */
export interface JudgedEntry {
  /** Absent where the entry has no URI of a SKILL.md, no frontmatter or no resources: there is nothing to ask for. */
  readonly skill?: ServedSkill;
  /** In the order of the entry's members. Their `skill` is the URI of the entry, where it has one. */
  readonly faults: readonly Fault[];
}

const URI = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s][^?#\s]*$/;
/** Half of a pair, which no URI and no UTF-8 can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;
/** Of an entry: one more than the deepest frontmatter that hosts parse. */
const MAX_DEPTH = 33;

/**
 * Judges one entry: its members, its URI, the rules of Agent Skills for its frontmatter, its files and the limits of the extension. No
 * rule asks for the scheme `skill`, which the extension recommends only.
 */
export function judgeEntry(value: unknown): JudgedEntry {
  if (!isRecord(value)) {
    return { faults: [{ code: 'entry-shape', message: `an entry is ${showValue(value)}, not an object` }] };
  }
  const uri = typeof value['uri'] === 'string' ? value['uri'] : undefined;
  if (isNested(value, MAX_DEPTH)) {
    const message = `the entry is nested deeper than ${MAX_DEPTH} levels, which no host parses`;
    return { faults: [{ code: 'entry-shape', message, ...(uri === undefined ? {} : { skill: uri }) }] };
  }
  const faults: Fault[] = [];
  const add = (code: CheckCode, message: string, file?: string) => {
    faults.push({
      code,
      message,
      ...(uri === undefined ? {} : { skill: uri }),
      ...(file === undefined ? {} : { file }),
    });
  };
  judgeMembers(value, add);
  const folder = uri === undefined ? undefined : toFolder(uri);
  const { frontmatter } = value;
  if (uri !== undefined && folder === undefined) {
    add('uri-form', `the URI ${showValue(uri)} does not end with a folder and "/${SKILL_FILE}"`);
  }
  if (isRecord(frontmatter)) {
    judgeFields(frontmatter, add);
    if (folder !== undefined) judgeLastSegment(folder, frontmatter, add);
  }
  const unread: string[] = [];
  const resources = judgeResources(value['resources'], uri, folder, add, unread);
  if (uri === undefined || folder === undefined || !isRecord(frontmatter)) return { faults };
  if (resources === undefined) return { faults };
  const skill = { uri, folder, frontmatter: frontmatter as JsonObject, resources };
  return { skill: unread.length === 0 ? skill : { ...skill, unread }, faults };
}

type Add = (code: CheckCode, message: string, file?: string) => void;

function judgeMembers(entry: Readonly<Record<string, unknown>>, add: Add): void {
  const { uri, frontmatter, resources } = entry;
  if (typeof uri !== 'string') add('entry-shape', `"uri" is ${showValue(uri)}, not a string`);
  if (!isRecord(frontmatter)) add('entry-shape', `"frontmatter" is ${showValue(frontmatter)}, not an object`);
  if (!Array.isArray(resources) && resources !== 'dynamic') {
    add('entry-shape', `"resources" is ${showValue(resources)}, not a list or "dynamic"`);
  }
  reportUnknown(entry, ['uri', 'frontmatter', 'resources', '_meta'], 'the entry', add);
}

function reportUnknown(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  owner: string,
  add: Add,
  file?: string,
): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  add('entry-shape', `${owner} has members that the extension does not define: ${showValue(unknown)}`, file);
}

/** The folder of a SKILL.md, with a `/` at the end; undefined for a URI that is not of a SKILL.md in a folder with a name. */
function toFolder(uri: string): string | undefined {
  if (!URI.test(uri) || LONE_SURROGATE.test(uri) || !uri.endsWith(`/${SKILL_FILE}`)) return undefined;
  const folder = uri.slice(0, -SKILL_FILE.length);
  return /[^/:]\/$/.test(folder) && !hasDotSegment(folder.slice(folder.indexOf('://') + 3, -1)) ? folder : undefined;
}

function judgeLastSegment(folder: string, { name }: Readonly<Record<string, unknown>>, add: Add): void {
  const segment = decodeSegment(folder.slice(folder.lastIndexOf('/', folder.length - 2) + 1, -1));
  if (typeof name !== 'string' || segment === name) return;
  add('uri-form', `the last folder of the URI is ${showValue(segment)}, and the name is ${showValue(name)}`);
}

function judgeResources(
  value: unknown,
  uri: string | undefined,
  folder: string | undefined,
  add: Add,
  unread: string[],
): ServedSkill['resources'] | undefined {
  if (value === 'dynamic') {
    add('dynamic', 'the resources are "dynamic": no host can verify what it reads');
    return 'dynamic';
  }
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) add('resources-empty', 'the entry lists no files, not even its SKILL.md');
  if (value.length > MAX_FILES) {
    add('too-many-files', `the entry lists ${formatNumber(value.length)} files, more than ${MAX_FILES}`);
  }
  const seen = new Set<string>();
  const files = value.flatMap((item: unknown) => judgeResource(item, uri, folder, seen, add, unread) ?? []);
  if (uri !== undefined && value.length > 0 && !seen.has(toSpelling(uri))) {
    add('skill-file-missing', 'the entry does not list its own SKILL.md');
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > MAX_BYTES) {
    add('too-many-bytes', `the files have ${formatNumber(bytes)} bytes, more than ${formatNumber(MAX_BYTES)}`);
  }
  return files;
}

/**
 * @param seen - the spelling of each URI of the entry so far
 * @param unread - takes the URI of a file that cannot be verified
 */
function judgeResource(
  value: unknown,
  skill: string | undefined,
  folder: string | undefined,
  seen: Set<string>,
  add: Add,
  unread: string[],
): SkillResource | undefined {
  if (!isRecord(value) || typeof value['uri'] !== 'string') {
    add('entry-shape', `a file of the entry is ${showValue(value)}, not an object with a "uri"`);
    return undefined;
  }
  const { uri, digest, size } = value;
  reportUnknown(value, ['uri', 'digest', 'size', '_meta'], 'a file', add, uri);
  const isPlace = judgePlace(uri, skill, folder, add);
  const spelling = toSpelling(uri);
  const isTwice = seen.has(spelling);
  if (isTwice) add('file-twice', 'the entry lists this file twice', uri);
  seen.add(spelling);
  const isDigest = typeof digest === 'string' && DIGEST.test(digest);
  if (!isDigest)
    add('digest-form', `the digest is ${showValue(digest)}, not "sha256:" and 64 lowercase hex digits`, uri);
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0;
  if (!isSize) add('size-form', `the size is ${showValue(size)}, not a whole number of bytes`, uri);
  if (isPlace && isDigest && isSize && !isTwice) return { uri, digest, size };
  if (isPlace && !isTwice) unread.push(uri);
  return undefined;
}

/** Whether the URI of a file can be asked for: it is below the folder of the skill, and no segment moves it elsewhere. */
function judgePlace(uri: string, skill: string | undefined, folder: string | undefined, add: Add): boolean {
  if (folder === undefined) return false;
  if (!uri.startsWith(folder) || uri.length === folder.length) {
    add('file-outside', `the file is not below ${showValue(folder)}`, uri);
    return false;
  }
  const path = uri.slice(folder.length);
  if (/[?#\s]/.test(path) || LONE_SURROGATE.test(path) || hasDotSegment(path)) {
    add('file-dot-segment', `the path ${showValue(path)} has a segment that is empty, dots, or hides a separator`, uri);
    return false;
  }
  if (uri !== skill && uri.endsWith(`/${SKILL_FILE}`)) {
    add('nested-skill', `a ${SKILL_FILE} inside the skill: hosts differ in whether it is a skill of its own`, uri);
  }
  return true;
}

/** Whether a segment, decoded, is empty or dots, or holds what separates segments somewhere. */
function hasDotSegment(path: string): boolean {
  return path.split('/').some((segment) => {
    const decoded = decodeSegment(segment);
    return decoded === undefined || decoded === '' || decoded === '.' || decoded === '..' || /[/\\\0]/.test(decoded);
  });
}

/** The one spelling that all ways to write a URI share, as far as percent-encoding goes. */
function toSpelling(uri: string): string {
  return uri
    .split('/')
    .map((segment) => encodeURIComponent((decodeSegment(segment) ?? segment).replace(/\p{Surrogate}/gu, '\ufffd')))
    .join('/');
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
