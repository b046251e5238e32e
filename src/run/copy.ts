import { createHash } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { peekFile, type Skill, type SkillCatalog } from '../catalog/catalog.ts';

/** Who a script runs as, where that is not the user of the server. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** A folder with the pinned bytes of a skill, and nothing else. */
export interface Copy {
  readonly folder: string;
  remove(): void;
}

/**
 * Writes the pinned bytes of a skill into a fresh folder that only one user can open. Nothing is read from the source folder: what
 * was put there after the skill was published cannot run.
 *
 * @param owner - the user who reads it; default: the user of the server
 * @throws Error where bytes are not those of their digest, or the folder cannot be written
 */
export function copySkill(catalog: SkillCatalog, { uri, resources }: Skill, owner?: RunAs): Copy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skill-run-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const base = uri.slice(0, -'SKILL.md'.length);
  try {
    for (const resource of resources) {
      const bytes = peekFile(catalog, resource.uri)?.bytes;
      const digest = `sha256:${createHash('sha256')
        .update(bytes ?? '')
        .digest('hex')}`;
      if (bytes === undefined || digest !== resource.digest) {
        throw new Error(`the bytes of ${resource.uri} are not those of its digest`);
      }
      const target = join(folder, resource.uri.slice(base.length));
      mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
      writeFileSync(target, bytes, { flag: 'wx', mode: 0o444 });
    }
    chmodSync(folder, 0o700);
    if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}
