import type { SkillResource } from '../catalog/catalog.ts';
import { MAX_BYTES, SKILL_FILE } from '../catalog/manifest.ts';
import { findDifference } from '../verify/difference.ts';
import { quote } from './ask.ts';
import type { ByteCache, KeptFile } from './bytecache.ts';
import type { HeldEntry } from './entries.ts';
import { fetchFile } from './fetched.ts';
import { type ReadFrontmatter, readManual } from './manuals.ts';
import type { NotLoaded } from './outcomes.ts';
import { createNotLoaded } from './prompt.ts';
import type { ServedSkill } from './servedskill.ts';
import type { SkillServer } from './serving.ts';

/** What a served skill is loaded with. */
export interface Loader {
  readonly cache: ByteCache;
  readonly readFrontmatter: ReadFrontmatter | undefined;
}

/** A served skill that is loaded, in one conversation. */
export interface LoadedSkill {
  readonly name: string;
  readonly server: SkillServer;
  readonly skill: ServedSkill;
  /** By which it was loaded; its files are verified against this one, whatever entry is held by now. */
  readonly entry: HeldEntry;
  /** Bytes of a dynamic skill that were read so far. */
  unverified: number;
}

/** Loads a served skill: its SKILL.md is read and verified before anything of it is used. */
export async function loadServed(
  server: SkillServer,
  skill: ServedSkill,
  loader: Loader,
  signal?: AbortSignal,
): Promise<{ readonly loaded: LoadedSkill; readonly body: string } | NotLoaded> {
  const { name } = skill;
  const failure = skill.isStale ? await server.renew(skill, signal) : undefined;
  if (failure !== undefined) return createNotLoaded('failed', name, failure);
  const { entry } = skill;
  if (entry === undefined) return describeGone(skill);
  const refusal = await findReviewRefusal(server, skill, entry);
  if (refusal !== undefined) return createNotLoaded('refused', name, refusal);
  const manual = await readServedManual(server, entry, loader, signal);
  if ('failed' in manual) return createNotLoaded('failed', name, manual.failed);
  if ('wrong' in manual) return renewAfter(server, skill, entry, manual.wrong, signal);
  // it may have retired meanwhile
  if (entry.retired !== undefined) return createNotLoaded('retired', name, entry.retired);
  skill.loaded.add(entry);
  const loaded = { name, server, skill, entry, unverified: manual.unverified };
  return { loaded, body: manual.body };
}

function describeGone({ name, reason }: ServedSkill): NotLoaded {
  return reason === undefined
    ? createNotLoaded('unknown', name, 'its server no longer serves it')
    : createNotLoaded('unavailable', name, reason);
}

async function readServedManual(
  server: SkillServer,
  entry: HeldEntry,
  loader: Loader,
  signal?: AbortSignal,
): Promise<{ body: string; unverified: number } | { wrong: string } | { failed: string }> {
  const read = await readServed(server, entry, SKILL_FILE, MAX_BYTES, loader, signal);
  if (!('bytes' in read)) return read;
  const manual = readManual(read.bytes, entry.frontmatter, loader.readFrontmatter);
  if ('reason' in manual) return { wrong: manual.reason };
  return { body: manual.body, unverified: entry.files === 'dynamic' ? read.bytes.length : 0 };
}

/** After a failed check the entry is asked for once, and used from the next activation on. */
async function renewAfter(
  server: SkillServer,
  skill: ServedSkill,
  before: HeldEntry,
  wrong: string,
  signal?: AbortSignal,
): Promise<NotLoaded> {
  const { name } = skill;
  const failure = await server.renew(skill, signal);
  if (failure !== undefined) return createNotLoaded('unverified', name, wrong);
  const { entry } = skill;
  if (entry === undefined) return describeGone(skill);
  const isSame = entry.fingerprint === before.fingerprint && !findDifference(before.frontmatter, entry.frontmatter);
  return !isSame
    ? createNotLoaded('changed', name, 'it was changed on its server')
    : createNotLoaded('unverified', name, wrong);
}

async function findReviewRefusal(
  server: SkillServer,
  { name }: ServedSkill,
  entry: HeldEntry,
): Promise<string | undefined> {
  const { reviewSkill } = server.options;
  const { uri, frontmatter, fingerprint, files } = entry;
  if (reviewSkill === undefined || (fingerprint !== undefined && server.reviewed.has(fingerprint))) return undefined;
  const listed = files === 'dynamic' ? files : [...files].map(([path, { size, digest }]) => ({ path, size, digest }));
  const review = { name, uri, frontmatter, ...(fingerprint === undefined ? {} : { fingerprint }), files: listed };
  try {
    if ((await reviewSkill(review)) !== true) return 'this host did not let it be loaded';
  } catch {
    return 'this host could not review it';
  }
  if (fingerprint !== undefined) server.reviewed.add(fingerprint);
  return undefined;
}

/** What came of a file. */
type ServedBytes = KeptFile | { readonly wrong: string } | { readonly failed: string };

/** A file of an entry, from memory or from its own server alone; verified, unless the skill is dynamic. */
async function readServed(
  server: SkillServer,
  entry: HeldEntry,
  path: string,
  most: number,
  loader: Loader,
  signal?: AbortSignal,
): Promise<ServedBytes> {
  const file = entry.files === 'dynamic' ? { uri: `${entry.folder}${path}` } : entry.files.get(path);
  if (file === undefined) return { wrong: `the entry does not list ${quote(path)}` };
  const key = 'digest' in file ? toKey(server, entry, file) : undefined;
  const kept = key === undefined ? undefined : loader.cache.get(key);
  if (kept !== undefined) return kept;
  const fetched = await fetchFile(server.connection, file, server.toPatience(signal), most);
  if (!('content' in fetched)) return fetched;
  const { bytes, mimeType } = fetched.content;
  const read = { bytes, mimeType };
  if (key !== undefined && entry.retired === undefined) loader.cache.set(key, read);
  return read;
}

function toKey(
  { label }: { readonly label: string },
  { uri }: HeldEntry,
  { uri: file, digest }: SkillResource,
): string {
  return [label, uri, file, digest].join('\n');
}

/** Drops from memory what an entry has and another, that takes its place, has not. */
export function dropBytes(cache: ByteCache, label: string, entry: HeldEntry, next?: HeldEntry): void {
  if (entry.files === 'dynamic') return;
  for (const [path, file] of entry.files) {
    const kept = next === undefined || next.files === 'dynamic' ? undefined : next.files.get(path);
    if (kept?.digest !== file.digest) cache.delete(toKey({ label }, entry, file));
  }
}

/** Reads a file of a skill that is loaded. One that fails retires the skill. */
export async function readLoaded(
  loaded: LoadedSkill,
  path: string,
  loader: Loader,
  signal?: AbortSignal,
): Promise<KeptFile | NotLoaded> {
  const { name, server, skill, entry } = loaded;
  if (entry.retired !== undefined) return createNotLoaded('retired', name, entry.retired);
  const refusal = findPathRefusal(entry, path);
  if (refusal !== undefined) return createNotLoaded('refused', name, refusal);
  const read = await readServed(server, entry, path, MAX_BYTES - loaded.unverified, loader, signal);
  if ('failed' in read) return createNotLoaded('failed', name, read.failed);
  if ('wrong' in read) {
    const reason = `the file ${quote(path)} is not what its entry lists: ${read.wrong}`;
    server.retire(skill, entry, reason);
    return createNotLoaded('retired', name, reason);
  }
  // it may have retired meanwhile
  if (entry.retired !== undefined) return createNotLoaded('retired', name, entry.retired);
  if (entry.files === 'dynamic') loaded.unverified += read.bytes.length;
  return read;
}

/** Whether a path is one of the skill's, found without a request. */
function findPathRefusal({ files }: HeldEntry, path: string): string | undefined {
  if (files !== 'dynamic') {
    return files.has(path) ? undefined : `${quote(path)} is not a file of the skill`;
  }
  const isClean = path.length <= 1024 && path.split('/').every((segment) => /^(?!\.+$)[A-Za-z0-9._~-]+$/.test(segment));
  return isClean ? undefined : `${quote(path)} is not the path of a file below the skill`;
}
