// What is on disk where a skill is to be written, and whether it can be written there. Nothing is followed, nothing is changed.
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillResource } from '../catalog/catalog.ts';
import type { ManifestEntry } from '../catalog/foreign.ts';
import { SKILL_FILE } from '../catalog/manifest.ts';
import { findWindowsFault } from '../lint/windows.ts';

const SCHEME = 'skill://';

/** A skill has 512 files at most: a folder with many more is no copy of one. */
const MAX_FILES = 2000;

/** The path of a skill or a file below the folder that skills are pulled into, `/`-separated. */
export function toLocalPath(uri: string): string {
  return uri.slice(SCHEME.length);
}

/** The folder of a skill below the folder that skills are pulled into. */
export function toSkillFolder(uri: string): string {
  return toLocalPath(uri).slice(0, -SKILL_FILE.length - 1);
}

/** Why some system could not hold the files of a skill as they are; undefined where all can. */
export function findNameFault({ resources }: ManifestEntry): string | undefined {
  const spelled = new Map<string, { readonly path: string; readonly isFile: boolean }>();
  for (const { uri } of resources) {
    const segments = toLocalPath(uri).split('/');
    for (const [at, segment] of segments.entries()) {
      const fault = findWindowsFault(segment);
      if (fault !== undefined) return `the name "${segment}" ${fault}`;
      const path = segments.slice(0, at + 1).join('/');
      const isFile = at === segments.length - 1;
      const known = spelled.get(path.toLowerCase());
      if (known !== undefined && known.path !== path)
        return `"${known.path}" and "${path}" are one path on some systems`;
      if (known !== undefined && known.isFile !== isFile) return `"${path}" is a file and a folder`;
      spelled.set(path.toLowerCase(), { path, isFile });
    }
  }
  return undefined;
}

/** What is in the place of a skill: nothing, its files, or a reason why it is not touched. */
export type Landing = { readonly files?: readonly SkillResource[] } | { readonly refused: string };

/** Looks at the place of a skill. Every file counts, hidden ones as well. */
export async function readLanding(out: string, uri: string): Promise<Landing> {
  const folder = toSkillFolder(uri);
  const segments = folder.split('/');
  for (let count = 1; count <= segments.length; count++) {
    const path = segments.slice(0, count).join('/');
    const stats = await lstatIfAny(join(out, path));
    if (stats === undefined) return {};
    if (!stats.isDirectory()) return { refused: `"${path}" is there, and is not a folder` };
    if (count === segments.length) break;
    const above = await lstatIfAny(join(out, path, SKILL_FILE));
    if (above !== undefined) return { refused: `"${path}" is a skill, and this would be a skill inside it` };
  }
  const files: SkillResource[] = [];
  const refused = await readFiles(join(out, folder), `${SCHEME}${folder}`, files);
  return refused === undefined ? { files } : { refused };
}

async function readFiles(folder: string, uri: string, files: SkillResource[]): Promise<string | undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [path, inner] = [join(folder, entry.name), `${uri}/${entry.name}`];
    if (entry.isDirectory()) {
      const refused = await readFiles(path, inner, files);
      if (refused !== undefined) return refused;
    } else if (entry.isFile()) {
      if (files.length === MAX_FILES) return `the folder has more than ${MAX_FILES} files`;
      files.push(await readState(path, inner));
    } else return `"${toLocalPath(inner)}" is there, and is neither a file nor a folder`;
  }
  return undefined;
}

async function readState(path: string, uri: string): Promise<SkillResource> {
  const bytes = await readFile(path);
  return { uri, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, size: bytes.length };
}

/** A regular file as it is on disk, reached through real folders alone; undefined for anything else. */
export async function readLocalFile(out: string, uri: string): Promise<SkillResource | undefined> {
  const segments = toLocalPath(uri).split('/');
  for (let count = 1; count < segments.length; count++) {
    const stats = await lstatIfAny(join(out, ...segments.slice(0, count)));
    if (stats?.isDirectory() !== true) return undefined;
  }
  const path = join(out, ...segments);
  return (await lstatIfAny(path))?.isFile() === true ? readState(path, uri) : undefined;
}

async function lstatIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
