import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type SkillResource, toDigest } from '../catalog/catalog.ts';
import { MAX_FILES } from '../catalog/manifest.ts';
import { compareText } from '../problems.ts';
import { formatNumber } from '../text/count.ts';
import { escapeText } from '../text/escape.ts';
import type { JsonObject } from '../text/jsonvalue.ts';
import { isRecord } from '../text/jsonvalue.ts';
import type { CheckCode, Fault } from '../verify/checks.ts';
import { findDifference, showValue } from '../verify/difference.ts';
import { judgeEntry, type ServedSkill } from '../verify/entry.ts';
import { isPlain } from './labels.ts';

/** An entry that this host takes, and holds until another takes its place. */
export interface HeldEntry {
  /** The URI of its SKILL.md. */
  readonly uri: string;
  /** The URI of its folder, with a `/` at the end. */
  readonly folder: string;
  readonly frontmatter: JsonObject;
  readonly description: string;
  /** The files by their path below the folder, sorted; `dynamic` for content that cannot be verified. */
  readonly files: ReadonlyMap<string, SkillResource> | 'dynamic';
  /** `sha256:…` over the URIs and digests of the files; absent for a dynamic skill. */
  readonly fingerprint?: string;
  /** Why what was loaded by this entry is not used any more; the reason is a sentence. */
  retired?: string;
}

/** An entry that is taken, or why it is not: one sentence, safe to show. */
export type TakenEntry = { readonly entry: HeldEntry } | { readonly reason: string };

/** Faults of fields that nothing here uses, and of descriptions, which are cut where they are shown. */
const HARMLESS: ReadonlySet<CheckCode> = new Set([
  'license-invalid',
  'compatibility-length',
  'allowed-tools-invalid',
  'metadata-invalid',
  'metadata-reserved',
  'nested-skill',
  'dynamic',
  'description-invalid',
]);

/** Longest URI that is taken, and most characters of JSON of a frontmatter: twice what the format allows in YAML. */
const MAX_URI = 2048;
const MAX_FRONTMATTER = 131_072;

const encoder = new TextEncoder();

/**
 * Takes an entry of `skills/list` or `skills/get`, or says why not. Nothing of the value is kept, because it may change later.
 *
 * @param allowDynamic - whether content that cannot be verified is taken
 */
export function takeEntry(value: unknown, allowDynamic: boolean): TakenEntry {
  const { uri, frontmatter, resources } = isRecord(value) ? value : {};
  if (Array.isArray(resources) && resources.length > MAX_FILES) {
    return { reason: `its entry lists ${formatNumber(resources.length)} files, more than ${MAX_FILES}` };
  }
  const files = Array.isArray(resources) ? resources.map(pickMembers) : resources;
  const { skill, faults } = judgeEntry(isRecord(value) ? { uri, frontmatter, resources: files } : value);
  const serious = faults.find(({ code }) => !HARMLESS.has(code));
  if (serious !== undefined) return { reason: describeFault(serious) };
  // judgeEntry has no skill only where it has a serious fault
  if (skill === undefined) return { reason: 'its entry cannot be used' };
  const reason = findRefusal(skill, allowDynamic);
  return reason === undefined ? { entry: holdEntry(skill) } : { reason };
}

/** A fault as one sentence, with the file that it is about. */
function describeFault({ message, file }: Fault): string {
  return escapeText(file === undefined ? message : `${showValue(file)}: ${message}`);
}

/** What the extension defines of a file: what else an entry holds is for others. */
function pickMembers(file: unknown): unknown {
  return isRecord(file) ? { uri: file['uri'], digest: file['digest'], size: file['size'] } : file;
}

function findRefusal({ uri, frontmatter, resources }: ServedSkill, allowDynamic: boolean): string | undefined {
  if (uri.length > MAX_URI) return `its URI has more than ${MAX_URI} characters`;
  if (!isPlain(uri)) return 'its URI has characters that a URI has to escape';
  const { description } = frontmatter;
  if (typeof description !== 'string' || description.trim() === '') return 'its entry has no description';
  if (JSON.stringify(frontmatter).length > MAX_FRONTMATTER) return 'the frontmatter of its entry is too large';
  if (resources === 'dynamic' && !allowDynamic) {
    return 'its content is dynamic, so it cannot be verified, and this host does not allow that';
  }
  return undefined;
}

function holdEntry({ uri, folder, frontmatter, resources }: ServedSkill): HeldEntry {
  const own = JSON.parse(JSON.stringify(frontmatter)) as JsonObject;
  const held = { uri, folder, frontmatter: own, description: String(own['description']) };
  if (resources === 'dynamic') return { ...held, files: resources };
  const sorted = [...resources].sort((a, b) => compareText(a.uri, b.uri));
  return {
    ...held,
    files: new Map(sorted.map((file) => [file.uri.slice(folder.length), { ...file }])),
    fingerprint: toDigest(sorted, (text) => bytesToHex(sha256(encoder.encode(text)))),
  };
}

/** Whether two entries are of the same files under the same frontmatter, and both in use. A dynamic one is never the same. */
export function isSameEntry(a: HeldEntry, b: HeldEntry): boolean {
  if (a.fingerprint === undefined || a.fingerprint !== b.fingerprint) return false;
  return a.retired === undefined && findDifference(a.frontmatter, b.frontmatter) === undefined;
}
