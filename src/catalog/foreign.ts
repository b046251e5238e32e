import { compareText } from '../problems.ts';
import type { JsonObject, JsonValue } from '../text/jsonvalue.ts';
import { findForeignCharacter, isName } from '../text/names.ts';
import type { Skill, SkillResource } from './catalog.ts';
import { MAX_BYTES, MAX_FILES, SKILL_FILE } from './manifest.ts';

/** What an entry says of the files of a skill. */
export interface ManifestEntry {
  readonly uri: string;
  /** Sorted by URI. */
  readonly resources: readonly SkillResource[];
}

const SCHEME = 'skill://';

const DESCRIPTION_LENGTH = 1024;

/** No frontmatter that was published is nested deeper. */
const MAX_DEPTH = 32;

/** A digest as entries have it. */
export const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads the URI and the files of an entry that comes from elsewhere. Checked are the forms, that SKILL.md is listed, and the limits.
 *
 * A SKILL.md below the skill is a file of it: it may be published with `nested: 'files'`.
 *
 * @throws TypeError that names the URI
 */
export function readEntry(value: unknown): ManifestEntry {
  const { uri, resources } = isRecord(value) ? value : {};
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
  return { uri, resources: listed };
}

/**
 * Reads the frontmatter of an entry that comes from elsewhere. Of SKILL.md itself nothing is parsed.
 *
 * @throws TypeError that names the URI
 */
export function readFrontmatter(uri: string, value: unknown): Skill['frontmatter'] {
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
  return { uri, digest, size };
}

/**
 * Refuses a file that is listed twice, and a skill inside another one.
 *
 * @throws TypeError that names the URI
 */
export function assertDistinct(skills: readonly ManifestEntry[]): void {
  const seen = new Set<string>();
  for (const { resources } of skills) {
    for (const { uri } of resources) {
      if (seen.has(uri)) throw new TypeError(`${uri}: the catalog lists this file twice`);
      seen.add(uri);
    }
  }
  for (const { uri } of skills) {
    const groups = uri.slice(SCHEME.length).split('/').slice(0, -2);
    const outer = groups.map((_, at) => `${SCHEME}${groups.slice(0, at + 1).join('/')}/${SKILL_FILE}`);
    const around = outer.find((each) => seen.has(each));
    if (around !== undefined) throw new TypeError(`${uri}: a skill inside the skill ${around}`);
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

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value from elsewhere, as a message quotes it. */
export function toKind(value: unknown): string {
  if (typeof value === 'string') return `"${value.length > 200 ? `${value.slice(0, 200)}…` : value}"`;
  if (value === null || ['undefined', 'number', 'boolean'].includes(typeof value)) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
