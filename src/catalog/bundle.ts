import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { compareText } from '../problems.ts';
import type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
import { findForeignCharacter, isName } from '../text/names.ts';
import {
  createCatalog,
  type PinnedSkill,
  type Skill,
  type SkillCatalog,
  type SkillResource,
  toEntryDigest,
} from './catalog.ts';
import { MAX_BYTES, MAX_FILES, SKILL_FILE, toMediaType } from './manifest.ts';

export type { Problem, ProblemCode, Severity } from '../problems.ts';
export type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
export type { DirectoryChild, Skill, SkillCatalog, SkillFile, SkillResource } from './catalog.ts';

/** What `list --json --bytes` prints. */
export interface CatalogJson {
  /** Of the catalog: `sha256:…`. */
  readonly digest: string;
  /** The wire entries; judged when they are loaded, since the type of an imported JSON file says too little or too much. */
  readonly skills: readonly unknown[];
  /** The digest of each entry, by URI. Missing in what versions before 0.2 printed: there an edited entry is not noticed. */
  readonly entryDigests?: Readonly<Record<string, string>>;
  /** Every file's bytes in base64, by URI. */
  readonly files: Readonly<Record<string, string>>;
}

/** No frontmatter that was published is nested deeper. */
const MAX_DEPTH = 32;

const SCHEME = 'skill://';
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const DESCRIPTION_LENGTH = 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Makes a catalog from what `mcp-server-skills list --json --bytes` printed, without a disk and without anything of Node. Verified
 * are the shape, every size and digest, the digests of the catalog and of its entries, and the limits; `problems` is empty.
 *
 * @param json - the text, or the object that it is of; neither is kept or frozen
 * @throws TypeError for what is no such catalog, and Error for content that is not what its entry says; the message names the URI
 */
export function loadCatalog(json: string | CatalogJson): SkillCatalog {
  const { digest, skills, files, entryDigests } = readShape(typeof json === 'string' ? parse(json) : json);
  const pinned = skills.map((skill) => pinSkill(skill, files));
  assertDistinct(pinned);
  const listed = new Set(pinned.flatMap(({ entry }) => entry.resources.map(({ uri }) => uri)));
  const stray = Object.keys(files).find((uri) => !listed.has(uri));
  if (stray !== undefined) throw new Error(`${stray}: no skill of the catalog lists this file`);
  const catalog = createCatalog(pinned, [], toHex);
  if (catalog.digest !== digest) {
    throw new Error(
      `the digest of the catalog is ${catalog.digest}, not ${digest}: a skill is missing, added or renamed`,
    );
  }
  if (entryDigests !== undefined) assertUnedited(catalog, entryDigests);
  return catalog;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new TypeError(`the catalog is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** The members of a printed catalog, not judged any further. */
interface Shape {
  readonly digest: string;
  readonly skills: readonly unknown[];
  readonly files: Record<string, unknown>;
  readonly entryDigests: Record<string, unknown> | undefined;
}

function readShape(value: unknown): Shape {
  if (!isRecord(value))
    throw new TypeError(`a catalog is an object with "digest", "skills" and "files", not ${toKind(value)}`);
  const { digest, skills, files, entryDigests } = value;
  if (typeof digest !== 'string' || !DIGEST.test(digest)) {
    throw new TypeError('the "digest" of the catalog is not "sha256:" and 64 lowercase hex digits');
  }
  if (!Array.isArray(skills)) throw new TypeError('the "skills" of the catalog are not a list');
  if (!isRecord(files)) {
    throw new TypeError('the catalog has no "files": make it with mcp-server-skills list --json --bytes');
  }
  if (entryDigests !== undefined && !isRecord(entryDigests)) {
    throw new TypeError(`the "entryDigests" of the catalog are not an object, but ${toKind(entryDigests)}`);
  }
  return { digest, skills, files, entryDigests };
}

function pinSkill(value: unknown, contents: Record<string, unknown>): PinnedSkill {
  const { uri, frontmatter, resources } = isRecord(value) ? value : {};
  if (typeof uri !== 'string' || !isSkillFileUri(uri)) {
    throw new TypeError(
      `a skill of the catalog has no uri of the form ${SCHEME}<path>/${SKILL_FILE}, but ${toKind(uri)}`,
    );
  }
  if (!Array.isArray(resources)) throw new TypeError(`${uri}: the "resources" of the skill are not a list`);
  if (resources.length > MAX_FILES) throw new TypeError(`${uri}: the skill has more than ${MAX_FILES} files`);
  const folder = uri.slice(0, -SKILL_FILE.length);
  const listed = resources
    .map((resource: unknown) => readResource(uri, folder, resource))
    .sort((a, b) => compareText(a.uri, b.uri));
  if (!listed.some((resource) => resource.uri === uri)) {
    throw new TypeError(`${uri}: the "resources" of the skill do not list it`);
  }
  if (listed.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES) {
    throw new TypeError(`${uri}: the skill has more than ${MAX_BYTES} bytes`);
  }
  const files = listed.map((resource) => {
    const bytes = readBytes(resource, contents);
    const isText = isUtf8(bytes);
    return { mimeType: toMediaType(resource.uri.slice(folder.length), isText), bytes, isText };
  });
  return { entry: { uri, frontmatter: readFrontmatter(uri, frontmatter), resources: listed }, files };
}

function readResource(skill: string, folder: string, value: unknown): SkillResource {
  const { uri, digest, size } = isRecord(value) ? value : {};
  if (typeof uri !== 'string' || !uri.startsWith(folder) || !isFilePath(uri.slice(folder.length))) {
    throw new TypeError(`${skill}: a file of the skill has no uri below ${folder}, but ${toKind(uri)}`);
  }
  if (typeof digest !== 'string' || !DIGEST.test(digest)) {
    throw new TypeError(`${uri}: the "digest" is not "sha256:" and 64 lowercase hex digits, but ${toKind(digest)}`);
  }
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) {
    throw new TypeError(`${uri}: the "size" is not a number of bytes, but ${toKind(size)}`);
  }
  if (uri !== skill && uri.endsWith(`/${SKILL_FILE}`)) throw new TypeError(`${uri}: a skill inside the skill ${skill}`);
  return { uri, digest, size };
}

function readBytes({ uri, digest, size }: SkillResource, contents: Record<string, unknown>): Uint8Array {
  const content = Object.hasOwn(contents, uri) ? contents[uri] : undefined;
  if (typeof content !== 'string') throw new TypeError(`${uri}: the "files" of the catalog have no base64 for it`);
  const bytes = fromBase64(uri, content);
  if (bytes.length !== size) throw new Error(`${uri}: the file has ${bytes.length} bytes, not ${size}`);
  const actual = `sha256:${bytesToHex(sha256(bytes))}`;
  if (actual !== digest) throw new Error(`${uri}: the digest of the file is ${actual}, not ${digest}`);
  return bytes;
}

function fromBase64(uri: string, content: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(content);
  } catch (error) {
    throw new TypeError(`${uri}: the content is not base64`, { cause: error });
  }
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Of SKILL.md itself nothing is parsed: that takes a YAML parser. What was printed is held together by {@link assertUnedited}. */
function readFrontmatter(uri: string, value: unknown): Skill['frontmatter'] {
  if (!isRecord(value)) throw new TypeError(`${uri}: the "frontmatter" is not an object, but ${toKind(value)}`);
  const frontmatter = copyJson(uri, value) as JsonObject;
  const { name, description } = frontmatter;
  const folder = uri.slice(0, -SKILL_FILE.length - 1);
  if (name !== folder.slice(folder.lastIndexOf('/') + 1)) {
    throw new TypeError(`${uri}: the "name" of the frontmatter is not that of the folder, but ${toKind(name)}`);
  }
  if (typeof description !== 'string' || description.trim() === '' || [...description].length > DESCRIPTION_LENGTH) {
    throw new TypeError(
      `${uri}: the "description" of the frontmatter is not a string of 1 to ${DESCRIPTION_LENGTH} characters`,
    );
  }
  return { ...frontmatter, name, description };
}

/** An entry that was edited is no longer what its SKILL.md says, and hosts refuse the skill. */
function assertUnedited({ skills }: SkillCatalog, digests: Record<string, unknown>): void {
  for (const skill of skills) {
    const { uri } = skill;
    if (Object.hasOwn(digests, uri) && digests[uri] === toEntryDigest(skill, toHex)) continue;
    throw new Error(
      `${uri}: the entry was edited after it was printed: edit SKILL.md instead, and print the catalog again with mcp-server-skills list --json --bytes`,
    );
  }
}

function copyJson(uri: string, value: unknown, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) throw new TypeError(`${uri}: the frontmatter is nested deeper than ${MAX_DEPTH} levels`);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copyJson(uri, item, depth + 1));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyJson(uri, item, depth + 1)]));
  }
  throw new TypeError(`${uri}: the frontmatter has a value that is not JSON: ${toKind(value)}`);
}

function assertDistinct(skills: readonly PinnedSkill[]): void {
  const seen = new Set<string>();
  for (const { entry } of skills) {
    for (const { uri } of entry.resources) {
      if (seen.has(uri)) throw new TypeError(`${uri}: the catalog lists this file twice`);
      seen.add(uri);
    }
  }
  for (const { entry } of skills) {
    const groups = entry.uri.slice(SCHEME.length).split('/').slice(0, -2);
    const outer = groups.map((_, at) => `${SCHEME}${groups.slice(0, at + 1).join('/')}/${SKILL_FILE}`);
    const around = outer.find((uri) => seen.has(uri));
    if (around !== undefined) throw new TypeError(`${entry.uri}: a skill inside the skill ${around}`);
  }
}

function isSkillFileUri(uri: string): boolean {
  if (!uri.startsWith(SCHEME) || !uri.endsWith(`/${SKILL_FILE}`)) return false;
  return uri
    .slice(SCHEME.length, -SKILL_FILE.length - 1)
    .split('/')
    .every(isName);
}

function isFilePath(path: string): boolean {
  return path.split('/').every((segment) => /^[^.]/.test(segment) && findForeignCharacter(segment) === undefined);
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function toHex(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toKind(value: unknown): string {
  if (typeof value === 'string') return `"${value.length > 200 ? `${value.slice(0, 200)}…` : value}"`;
  if (value === null || ['undefined', 'number', 'boolean'].includes(typeof value)) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
