import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createCatalog, type PinnedSkill, type SkillCatalog, type SkillResource, toEntryDigest } from './catalog.ts';
import { assertDistinct, DIGEST, isRecord, readEntry, readFrontmatter, toKind } from './foreign.ts';
import { SKILL_FILE } from './manifest.ts';
import { toMediaType } from './mediatype.ts';

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
  assertDistinct(pinned.map(({ entry }) => entry));
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
  const { uri, resources } = readEntry(value);
  const folder = uri.slice(0, -SKILL_FILE.length);
  const files = resources.map((resource) => {
    const bytes = readBytes(resource, contents);
    const isText = isUtf8(bytes);
    return { mimeType: toMediaType(resource.uri.slice(folder.length), isText), bytes, isText };
  });
  return {
    entry: { uri, frontmatter: readFrontmatter(uri, (value as { frontmatter?: unknown }).frontmatter), resources },
    files,
  };
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
