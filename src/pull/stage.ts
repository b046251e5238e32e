// Where pulled files wait until they take their place: a hidden folder, so that nobody ever loads half a skill.
import { copyFile, mkdir, mkdtemp, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ManifestEntry } from '../catalog/foreign.ts';
import { readLanding, readLocalFile, toLocalPath, toSkillFolder } from './landing.ts';

/** What is pulled is never executable, whatever it was elsewhere. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Files by their digests, and the steps that put them into their places. */
export interface Stage {
  /** Keeps the content of a file, which has this digest. */
  put(digest: string, bytes: Uint8Array): Promise<void>;
  /**
   * Puts a skill into its place in one step, and what was there out of it.
   *
   * @param before - the fingerprint of what was there when it was looked at
   * @returns why it was not; undefined where it was
   */
  install(entry: ManifestEntry, before: string | undefined): Promise<string | undefined>;
  /** Removes the stage, with what was replaced. */
  remove(): Promise<void>;
}

/**
 * Makes a stage in the folder that skills are pulled into.
 *
 * @param toFingerprint - of the files that are in the place of a skill
 */
export async function createStage(
  out: string,
  toFingerprint: (files: ManifestEntry['resources']) => string,
): Promise<Stage> {
  await mkdir(out, { recursive: true });
  const root = await mkdtemp(join(out, '.pull-'));
  let count = 0;
  const toBlob = (digest: string) => join(root, 'files', digest.slice('sha256:'.length));
  await mkdir(join(root, 'files'));

  async function build(entry: ManifestEntry, folder: string): Promise<void> {
    const own = toSkillFolder(entry.uri).length + 1;
    for (const { uri, digest } of entry.resources) {
      const path = join(folder, toLocalPath(uri).slice(own));
      await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      await copyFile(toBlob(digest), path);
    }
  }

  return {
    put: (digest, bytes) => writeFile(toBlob(digest), bytes, { mode: FILE_MODE }),
    async install(entry, before) {
      count += 1;
      const [fresh, old] = [join(root, `new-${count}`), join(root, `old-${count}`)];
      await build(entry, fresh);
      const landing = await readLanding(out, entry.uri);
      if ('refused' in landing) return landing.refused;
      const found = landing.files && toFingerprint(landing.files);
      if (found !== before) return 'its folder changed meanwhile: pull again';
      const target = join(out, toSkillFolder(entry.uri));
      await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
      if (found !== undefined) await rename(target, old);
      try {
        await rename(fresh, target);
      } catch (error) {
        if (found !== undefined) await rename(old, target);
        throw error;
      }
      return undefined;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/**
 * Removes the files of a skill that is no longer served, where they are still what was pulled, and the folders that are empty then.
 *
 * @returns the URIs of files that were kept, because they were edited
 */
export async function removeSkill(out: string, { resources }: ManifestEntry): Promise<string[]> {
  const kept: string[] = [];
  const folders = new Set<string>();
  for (const file of resources) {
    const found = await readLocalFile(out, file.uri);
    if (found === undefined) continue;
    const path = toLocalPath(file.uri);
    if (found.digest === file.digest) await unlink(join(out, path));
    else kept.push(file.uri);
    for (let above = dirname(path); above !== '.'; above = dirname(above)) folders.add(above);
  }
  const deepest = [...folders].sort((a, b) => b.split('/').length - a.split('/').length);
  // a folder that has something else in it stays
  for (const folder of deepest) await rmdir(join(out, folder)).catch(() => {});
  return kept;
}
