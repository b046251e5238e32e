import { lstatSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { type HeldFolder, isSame, RepairError, withFolder } from '../disk/folder.ts';
import { requireContent, withFile } from '../disk/replace.ts';
import { toBaseName } from '../text/names.ts';
import type { FilePlan, Plan } from './plan.ts';
import { isTaken } from './renames.ts';

/** What became of a plan; with `reason` nothing, or only a part, was done. */
export interface Outcome {
  readonly plan: Plan;
  /** How many of its steps (content, file name, folder name) were made. */
  readonly steps: number;
  readonly reason?: string;
  /** What of the file the system did not let it keep, each as it is printed. */
  readonly lost: readonly string[];
}

/** Applies plans one after the other. A skill that is not as it was judged is left alone, and costs the others nothing. */
export async function applyPlans(plans: readonly Plan[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const plan of plans) outcomes.push(await applyPlan(plan));
  return outcomes;
}

async function applyPlan(plan: Plan): Promise<Outcome> {
  const { root, path, newPath, file } = plan;
  const lost: string[] = [];
  let steps = 0;
  try {
    await withFolder(root, path, async (folder) => {
      if (file !== undefined && file.before !== file.after) {
        const [before, after] = [Buffer.from(file.before), Buffer.from(file.after)];
        lost.push(...(await withFile(folder, file.name, (held) => held.replace(before, after))));
        steps++;
      }
      if (file !== undefined && file.newName !== file.name) {
        await renameFile(folder, file);
        steps++;
      }
      if (newPath !== path) {
        if (file !== undefined) await requireContent(`${folder.path}/${file.newName}`, Buffer.from(file.after));
        await renameFolder(folder, plan);
        steps++;
      }
    });
    return { plan, steps, lost };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof RepairError) && code === undefined) throw error;
    return { plan, steps, lost, reason: error instanceof RepairError ? message : toReason(code, message) };
  }
}

async function renameFile(folder: HeldFolder, { name, newName, after }: FilePlan): Promise<void> {
  const from = `${folder.path}/${name}`;
  await requireContent(from, Buffer.from(after));
  // Which of two spellings is meant, nobody can tell.
  const others = (await readdir(folder.path)).filter((each) => /^skill\.md$/i.test(each) && each !== name);
  if (others.length > 0) throw new RepairError(`"${others[0]}" is beside it`);
  folder.check();
  await renameEntry(from, `${folder.path}/${newName}`);
}

async function renameFolder(folder: HeldFolder, { root, path, newPath }: Plan): Promise<void> {
  await withFolder(root, toParent(path), (above) =>
    withFolder(root, toParent(newPath), async (newAbove) => {
      const from = `${above.path}/${toBaseName(path)}`;
      if (!isSame(lstatSync(from), folder.stats)) {
        throw new RepairError(`the folder "${toBaseName(path)}" was replaced just now`, { isChanged: true });
      }
      above.check();
      newAbove.check();
      await renameEntry(from, `${newAbove.path}/${toBaseName(newPath)}`);
    }),
  );
}

/** Renames where nothing else has the new name yet. */
async function renameEntry(from: string, to: string): Promise<void> {
  if (isTaken(from, to)) throw new RepairError(`"${toBaseName(to)}" exists already`);
  await rename(from, to);
}

function toParent(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function toReason(code: string | undefined, message: string): string {
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'permission denied';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it was removed';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return code ?? message;
}
