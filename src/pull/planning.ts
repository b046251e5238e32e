// Decides what of a verified server is written, from what is on disk and what was pulled before. Reads, and changes nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ManifestEntry, readEntry } from '../catalog/foreign.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { readFrontmatter } from '../frontmatter.ts';
import type { Comparable, ComparedSkill } from '../lock/comparable.ts';
import { type Lock, toFingerprint } from '../lock/lockfile.ts';
import type { ServedSkill } from '../verify/entry.ts';
import { severityOf } from '../verify/print.ts';
import type { VerifyReport } from '../verify/verification.ts';
import { findNameFault, readLanding, toLocalPath, toSkillFolder } from './landing.ts';

/** A skill that is written. */
interface PlannedSkill {
  readonly entry: ManifestEntry;
  /** The fingerprint of what is in its place; absent where there is nothing. */
  readonly before?: string;
}

/** What is to be done. */
export interface PullPlan {
  /** Where nothing is. */
  readonly added: readonly PlannedSkill[];
  /** In the place of something else that was pulled before. */
  readonly changed: readonly PlannedSkill[];
  /** What is on disk already. */
  readonly unchanged: readonly ManifestEntry[];
  /** What is not written, and why; those with errors of verification are in the report alone. */
  readonly refused: readonly { readonly uri: string; readonly reason: string }[];
  /** What was pulled before and is not served any longer. */
  readonly gone: readonly ManifestEntry[];
  /** How what is written differs from what is on disk. */
  readonly before: Comparable;
  readonly after: Comparable;
}

/** What a plan is made of. */
export interface PullInput {
  readonly report: VerifyReport;
  /** The absolute folder that skills are pulled into. */
  readonly out: string;
  /** What was pulled before; undefined for the first time. */
  readonly lock: Lock | undefined;
  /** Which skills are pulled, by the URI of their SKILL.md. */
  readonly isWanted: (uri: string) => boolean;
}

export async function planPull({ report, out, lock, isWanted }: PullInput): Promise<PullPlan> {
  const locked = new Map((lock?.skills ?? []).map((skill) => [skill.uri, skill]));
  const failed = listFailed(report);
  const added: PlannedSkill[] = [];
  const changed: PlannedSkill[] = [];
  const unchanged: ManifestEntry[] = [];
  const refused: { uri: string; reason: string }[] = [];
  const before: ComparedSkill[] = [];
  const after: ComparedSkill[] = [];
  const folders = new Set(report.served.map(({ uri }) => toSkillFolder(uri)));
  for (const skill of report.served.filter(({ uri }) => !failed.has(uri))) {
    const { uri } = skill;
    const found = await judgeSkill(skill, out, folders);
    if ('reason' in found) {
      refused.push({ uri, reason: found.reason });
      continue;
    }
    const { entry, files } = found;
    const fingerprint = files && toFingerprint(files);
    const isSame = fingerprint === toFingerprint(entry.resources);
    if (files !== undefined && !isSame && !locked.has(uri)) {
      refused.push({
        uri,
        reason: `"${toSkillFolder(uri)}" is there, and was not pulled: remove it, or use another --out`,
      });
      continue;
    }
    after.push({ uri, resources: entry.resources, frontmatter: skill.frontmatter });
    if (files !== undefined) before.push({ uri, resources: files, ...(await readFields(out, uri)) });
    if (files === undefined) added.push({ entry });
    else if (isSame) unchanged.push(entry);
    else changed.push({ entry, before: fingerprint ?? '' });
  }
  return {
    added,
    changed,
    unchanged,
    refused,
    gone: listGone(report, lock, isWanted),
    before: { skills: before },
    after: { skills: after },
  };
}

/** The skills with an error, and those that were not read. */
function listFailed({ problems }: VerifyReport): ReadonlySet<string> {
  const failed = problems.filter((fault) => severityOf(fault, false) === 'error' || fault.code === 'not-verified');
  return new Set(failed.flatMap(({ skill }) => skill ?? []));
}

async function judgeSkill(
  skill: ServedSkill,
  out: string,
  folders: ReadonlySet<string>,
): Promise<{ entry: ManifestEntry; files?: ManifestEntry['resources'] } | { reason: string }> {
  if (skill.resources === 'dynamic') return { reason: 'its content is dynamic, and no digest says what it is' };
  let entry: ManifestEntry;
  try {
    entry = readEntry(skill);
    refuseNested(entry);
  } catch (error) {
    // the sentence that it becomes part of names the skill
    return { reason: (error as Error).message.replace(`${skill.uri}: `, '') };
  }
  const segments = toSkillFolder(entry.uri).split('/');
  const around = segments.map((_, at) => segments.slice(0, at).join('/')).find((path) => folders.has(path));
  if (around !== undefined) return { reason: `it is inside the skill "${around}"` };
  const reason = findNameFault(entry);
  if (reason !== undefined) return { reason };
  const landing = await readLanding(out, entry.uri);
  if ('refused' in landing) return { reason: landing.refused };
  return { entry, ...landing };
}

/** The frontmatter that is on disk, as far as it can be parsed. */
async function readFields(out: string, uri: string): Promise<Pick<ComparedSkill, 'frontmatter'>> {
  const bytes = await readFile(join(out, toLocalPath(uri))).catch(() => undefined);
  const { frontmatter } = bytes === undefined ? {} : readFrontmatter(bytes);
  return frontmatter === undefined ? {} : { frontmatter };
}

/** What is locked and is in no listing; nothing where the listing is not known to be whole. */
function listGone(
  { listed, uris, problems }: VerifyReport,
  lock: Lock | undefined,
  isWanted: (uri: string) => boolean,
): ManifestEntry[] {
  // a server that declares nothing, or lists nothing, is more likely broken than empty
  if (listed === undefined || problems.some(({ code }) => code === 'no-skills' || code === 'extension-missing'))
    return [];
  const there = new Set([...listed, ...uris]);
  return (lock?.skills ?? []).filter(({ uri }) => isWanted(uri) && !there.has(uri));
}

/** Another host takes a SKILL.md on the disk for a skill of its own. @throws TypeError that names the URI */
function refuseNested({ uri: skill, resources }: ManifestEntry): void {
  const inner = resources.find(({ uri }) => uri !== skill && uri.endsWith(`/${SKILL_FILE}`));
  if (inner !== undefined) throw new TypeError(`${inner.uri}: a skill inside the skill ${skill}`);
}
