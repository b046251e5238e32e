import { readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Plan } from './plan.ts';
import { isTaken } from './renames.ts';
import { RepairError, replaceFile, requireContent, requireSame, type SeenFolders, seeFolders } from './replace.ts';

/** What became of a plan; with `reason` nothing, or only a part, was done. */
export interface Outcome {
  readonly plan: Plan;
  /** How many of its steps (content, file name, folder name) were made. */
  readonly steps: number;
  readonly reason?: string;
}

/** Applies plans one after the other. A skill that is not as it was judged is left alone, and costs the others nothing. */
export async function applyPlans(plans: readonly Plan[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const plan of plans) outcomes.push(await applyPlan(plan));
  return outcomes;
}

async function applyPlan(plan: Plan): Promise<Outcome> {
  let steps = 0;
  try {
    const folders = await seeFolders(plan.root, plan.path);
    const folder = join(plan.root, plan.path);
    const content = Buffer.from(plan.after);
    if (plan.after !== plan.before) {
      await replaceFile(folders, join(folder, plan.skillFile), Buffer.from(plan.before), content);
      steps++;
    }
    if (plan.newSkillFile !== plan.skillFile) {
      await renameFile(folders, folder, plan, content);
      steps++;
    }
    if (plan.newPath !== plan.path) {
      await requireContent(join(folder, plan.newSkillFile), content);
      await renameEntry(folders, folder, join(plan.root, plan.newPath));
      steps++;
    }
    return { plan, steps };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof RepairError) && code === undefined) throw error;
    return { plan, steps, reason: error instanceof RepairError ? message : toReason(code, message) };
  }
}

async function renameFile(folders: SeenFolders, folder: string, plan: Plan, content: Uint8Array): Promise<void> {
  const from = join(folder, plan.skillFile);
  await requireContent(from, content);
  // Which of two spellings is meant, nobody can tell.
  const others = (await readdir(folder)).filter((name) => /^skill\.md$/i.test(name) && name !== plan.skillFile);
  if (others.length > 0) throw new RepairError(`"${others[0]}" lies beside it`);
  await renameEntry(folders, from, join(folder, plan.newSkillFile));
}

/** Renames where nothing else has the new name yet. */
async function renameEntry(folders: SeenFolders, from: string, to: string): Promise<void> {
  if (isTaken(from, to)) throw new RepairError(`"${basename(to)}" exists already`);
  await requireSame(folders);
  await rename(from, to);
}

function toReason(code: string | undefined, message: string): string {
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return 'permission denied';
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it was removed';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full';
  return code ?? message;
}
