import { compareText, type Problem } from '../problems.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { toBaseName } from '../text/names.ts';
import { DIRECTORY_TYPE, SKILL_FILE } from './manifest.ts';

/** A file of a skill, as it stands in an entry (Skills extension, "Skill Entries"). */
export interface SkillResource {
  readonly uri: string;
  /** `sha256:` and 64 lowercase hex digits, of the raw bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** The wire entry of a skill, the same in `skills/list` and `skills/get` (Skills extension, "Skill Entries"). */
export interface Skill {
  readonly uri: string;
  readonly frontmatter: JsonObject & { readonly name: string; readonly description: string };
  /** Every file of the skill once, sorted by URI. */
  readonly resources: readonly SkillResource[];
}

/** A file as it is served: what was read when the catalog was loaded. */
export interface SkillFile extends SkillResource {
  readonly mimeType: string;
  /** A copy at each access: what is served cannot be changed. */
  readonly bytes: Uint8Array;
  /** Present where the bytes are strict UTF-8; a byte order mark is kept. Decoded at each access. */
  readonly text?: string;
}

/** A direct child of a directory (Skills extension, "Reading Directories"). */
export interface DirectoryChild {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  /** `inode/directory` for a folder. */
  readonly mimeType: string;
  /** In bytes; absent for a folder. */
  readonly size?: number;
}

/** Everything that is published, pinned when it was loaded. Deeply frozen. */
export interface SkillCatalog {
  /** Sorted by URI, in code units. */
  readonly skills: readonly Skill[];
  /** Warnings, and under `invalid: 'skip'` the errors of what was left out. */
  readonly problems: readonly Problem[];
  /** `sha256:…` over every URI and digest: equal catalogs have equal digests. */
  readonly digest: string;
  /** The entry whose SKILL.md has exactly this URI: nothing is decoded or normalised. */
  get(uri: string): Skill | undefined;
  /** The file that has exactly this URI. */
  read(uri: string): SkillFile | undefined;
  /** The direct children of a skill's folder, a folder in it, or a group, sorted by URI. `uri` has no slash at the end. */
  readDirectory(uri: string): readonly DirectoryChild[] | undefined;
}

/** What a catalog keeps of a file. The bytes belong to the catalog from then on. */
export interface PinnedFile {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly isText: boolean;
}

/** One skill on its way into a catalog: `files` has one pinned file for each of the entry's resources, in their order. */
export interface PinnedSkill {
  readonly entry: Skill;
  readonly files: readonly PinnedFile[];
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Makes the immutable catalog. Pure: no disk and nothing of Node, so that a bundle can carry one.
 *
 * @param skills - with distinct URIs, in any order
 * @param sha256 - of a text in UTF-8, as 64 lowercase hex digits
 */
export function createCatalog(
  skills: readonly PinnedSkill[],
  problems: readonly Problem[],
  sha256: (text: string) => string,
): SkillCatalog {
  const sorted = [...skills].sort((a, b) => compareText(a.entry.uri, b.entry.uri));
  const entries = new Map<string, Skill>();
  const files = new Map<string, { resource: SkillResource; pinned: PinnedFile; entry: Skill }>();
  for (const { entry, files: pinned } of sorted) {
    entries.set(entry.uri, deepFreeze(entry));
    entry.resources.forEach((resource, index) => {
      const file = pinned[index];
      if (file !== undefined) files.set(resource.uri, { resource, pinned: file, entry });
    });
  }
  const directories = new Map<string, readonly DirectoryChild[]>();
  let uris: readonly string[] | undefined;
  const catalog: SkillCatalog = Object.freeze({
    skills: Object.freeze([...entries.values()]),
    problems: deepFreeze([...problems]),
    digest: toDigest(
      [...files.values()].map((file) => file.resource),
      sha256,
    ),
    get: (uri: string) => entries.get(uri),
    read(uri: string) {
      const file = files.get(uri);
      return file === undefined ? undefined : toSkillFile(file.resource, file.pinned);
    },
    readDirectory(uri: string) {
      uris ??= [...files.keys()].sort(compareText);
      const children = directories.get(uri) ?? listDirectory(uri, uris, files);
      if (children !== undefined) directories.set(uri, children);
      return children;
    },
  });
  contents.set(catalog, (uri) => files.get(uri)?.pinned);
  return catalog;
}

const contents = new WeakMap<SkillCatalog, (uri: string) => PinnedFile | undefined>();

/** A file with the very bytes that are pinned, for whoever sends them and changes nothing: `read` copies at each access. */
export function peekFile(catalog: SkillCatalog, uri: string): PinnedFile | undefined {
  const peek = contents.get(catalog);
  if (peek !== undefined) return peek(uri);
  const file = catalog.read(uri);
  return file && { mimeType: file.mimeType, bytes: file.bytes, isText: 'text' in file };
}

/** The text of a file whose bytes are strict UTF-8; a byte order mark is kept. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The digest over URIs and digests, in the order of URIs. */
export function toDigest(resources: readonly SkillResource[], sha256: (text: string) => string): string {
  const lines = resources.map(({ uri, digest }) => `${uri} ${digest}\n`).sort(compareText);
  return `sha256:${sha256(lines.join(''))}`;
}

/**
 * The digest of an entry as a value, whatever the order of its keys: hosts compare it with SKILL.md field by field, and refuse a skill
 * whose entry is another.
 */
export function toEntryDigest(entry: object, sha256: (text: string) => string): string {
  const sortKeys = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)))
      : value;
  return `sha256:${sha256(JSON.stringify(entry, sortKeys))}`;
}

function toSkillFile({ uri, digest, size }: SkillResource, { mimeType, bytes, isText }: PinnedFile): SkillFile {
  const file = {
    uri,
    mimeType,
    size,
    digest,
    get bytes() {
      return bytes.slice();
    },
  };
  if (isText) Object.defineProperty(file, 'text', { enumerable: true, get: () => decodeText(bytes) });
  return Object.freeze(file);
}

/**
 * What lies directly in one directory; undefined where there is none. Found by bisection, so that asking for one of a large catalog costs
 * what it holds, and not what all of them hold.
 *
 * @param uris - of all files, sorted
 */
function listDirectory(
  directory: string,
  uris: readonly string[],
  files: ReadonlyMap<string, { resource: SkillResource; pinned: PinnedFile; entry: Skill }>,
): readonly DirectoryChild[] | undefined {
  const prefix = `${directory}/`;
  // what is above all skills has no URI
  if (!prefix.startsWith('skill://') || prefix === 'skill://') return undefined;
  const children: DirectoryChild[] = [];
  for (let at = findFrom(uris, 0, prefix); uris[at]?.startsWith(prefix) === true; ) {
    const uri = uris[at] ?? '';
    const end = uri.indexOf('/', prefix.length);
    if (end === -1) {
      const file = files.get(uri);
      if (file !== undefined) children.push(toChild(file));
      at += 1;
    } else {
      const inner = uri.slice(0, end);
      children.push(Object.freeze({ uri: inner, name: toBaseName(inner), mimeType: DIRECTORY_TYPE }));
      // the character after the slash
      at = findFrom(uris, at + 1, `${inner}0`);
    }
  }
  return children.length === 0 ? undefined : Object.freeze(children.sort((a, b) => compareText(a.uri, b.uri)));
}

function toChild({
  resource,
  pinned,
  entry,
}: {
  resource: SkillResource;
  pinned: PinnedFile;
  entry: Skill;
}): DirectoryChild {
  const isSkillFile = resource.uri === entry.uri;
  return Object.freeze({
    uri: resource.uri,
    name: isSkillFile ? entry.frontmatter.name : toBaseName(resource.uri),
    ...(isSkillFile ? { description: entry.frontmatter.description } : {}),
    mimeType: pinned.mimeType,
    size: resource.size,
  });
}

/** The first place from `from` whose text is not below `text`; near ones are found in a few steps. */
function findFrom(sorted: readonly string[], from: number, text: string): number {
  const isBelow = (at: number) => at < sorted.length && compareText(sorted[at] ?? '', text) < 0;
  let low = from;
  let step = 1;
  while (isBelow(low + step - 1)) {
    low += step;
    step *= 2;
  }
  for (let high = Math.min(low + step - 1, sorted.length); low < high; ) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The path of a skill, from the URI of its SKILL.md: groups and name, joined by `/`. */
export function toSkillPath(uri: string): string {
  return uri.slice('skill://'.length, -(SKILL_FILE.length + 1));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
