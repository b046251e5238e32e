import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ManifestEntry } from '../catalog/foreign.ts';
import { writeFile } from '../config/write.ts';
import { compareCatalogs } from '../lock/compare.ts';
import { formatDiffText } from '../lock/describe.ts';
import { LOCK_FILE } from '../lock/filename.ts';
import { formatLock, type Lock, toFingerprint, toLock } from '../lock/lockfile.ts';
import { toLocalPath } from '../pull/landing.ts';
import { type PullPlan, planPull } from '../pull/planning.ts';
import { createStage, removeSkill, type Stage } from '../pull/stage.ts';
import { countOf } from '../text/count.ts';
import { escapeLines } from '../text/escape.ts';
import { formatReport, severityOf } from '../verify/print.ts';
import { verifyServer } from '../verify/verification.ts';
import { readLockFile } from './locked.ts';
import type { TargetOptions } from './reached.ts';
import { openTarget } from './reached.ts';
import { CommandError, EXIT, type Terminal } from './terminal.ts';
import { reach, toFilter, toVerifyOptions } from './verifying.ts';

/** The options of `pull`. */
export interface PullFlags extends TargetOptions {
  readonly out: string;
  /** Default: `mcp-skills.lock.json` in `out`. */
  readonly lock?: string;
  readonly minSkills: number;
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** How many problems of verification are printed. */
const MAX_SHOWN = 50;

/** Verifies a server, and writes its skills into a folder. */
export async function runPull(
  operands: readonly string[],
  args: readonly string[],
  flags: PullFlags,
  terminal: Terminal,
): Promise<number> {
  const target = await reach(() => openTarget(operands, args, flags, terminal, true));
  const { minSkills, dryRun = false } = flags;
  const out = resolve(terminal.cwd, flags.out);
  const file = flags.lock ?? join(flags.out, LOCK_FILE);
  const lock = (await readLockFile(file, terminal))?.lock;
  const isWanted = toFilter(flags.skill);
  const stage = dryRun ? undefined : await failing(`"${flags.out}" cannot be written`, createStage(out, toFingerprint));
  try {
    const options = {
      ...toVerifyOptions(flags, terminal),
      ...(target.isSite === true ? { eras: ['modern'] as const } : {}),
      minSkills,
      expected: (lock?.skills ?? []).map(({ uri }) => uri).filter(isWanted),
      take: stage && (({ digest }: { digest: string }, { bytes }: { bytes: Uint8Array }) => stage.put(digest, bytes)),
    };
    const report = await reach(() => verifyServer(target.connect, options));
    await print(formatReport(report, { target: target.label, isStrict: false, max: MAX_SHOWN }), terminal);
    const plan = await planPull({ report, out, lock, isWanted });
    await print(describePlan(plan, flags), terminal);
    const done = stage === undefined ? undefined : await apply(plan, { stage, out, lock, file, flags }, terminal);
    const isWrong = report.problems.some(
      (fault) => severityOf(fault, false) === 'error' || fault.code === 'not-verified',
    );
    return isWrong || plan.refused.length > 0 || done?.isWhole === false ? EXIT.problems : EXIT.well;
  } finally {
    await stage?.remove();
  }
}

interface Work {
  readonly stage: Stage;
  readonly out: string;
  readonly lock: Lock | undefined;
  /** Of the lock. */
  readonly file: string;
  readonly flags: PullFlags;
}

async function apply(plan: PullPlan, work: Work, terminal: Terminal): Promise<{ isWhole: boolean }> {
  const { stage, out, flags } = work;
  const isAllowed = plan.changed.length === 0 || flags.yes === true || (await ask(plan, terminal));
  const written: ManifestEntry[] = [];
  const failed: string[] = [];
  for (const { entry, before } of [...plan.added, ...(isAllowed ? plan.changed : [])]) {
    const reason = await failing(`"${entry.uri}" cannot be written`, stage.install(entry, before));
    if (reason === undefined) written.push(entry);
    else failed.push(`not written, ${entry.uri}: ${reason}`);
  }
  const kept: string[] = [];
  for (const skill of flags.prune === true ? plan.gone : []) kept.push(...(await removeSkill(out, skill)));
  const removed = flags.prune === true ? plan.gone : [];
  await writeLock([...written, ...plan.unchanged], removed, work, terminal);
  const lines = [
    ...failed,
    ...kept.map((uri) => `kept, because it was edited: ${toLocalPath(uri)}`),
    ...(isAllowed ? [] : [`${countOf(plan.changed.length, 'skill')} changed and not overwritten: --yes overwrites`]),
    `${countOf(written.length, 'skill')} written, ${plan.unchanged.length} unchanged, ${removed.length} removed`,
  ];
  await print(`${escapeLines(lines.join('\n'))}\n`, terminal);
  return { isWhole: isAllowed && failed.length === 0 };
}

/** Asks whether skills may be overwritten, where somebody can answer. */
async function ask({ changed }: PullPlan, { input, output, error }: Terminal): Promise<boolean> {
  if (input.isTTY !== true || output.isTTY !== true) return false;
  const lines = createInterface({ input, output: error });
  try {
    const answer = await lines.question(`overwrite ${countOf(changed.length, 'changed skill')}? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** What was pulled stays in the lock until it is removed: also what has errors now, or was not overwritten. */
async function writeLock(
  present: readonly ManifestEntry[],
  removed: readonly ManifestEntry[],
  { lock, file }: Work,
  { cwd }: Terminal,
): Promise<void> {
  const replaced = new Set([...present, ...removed].map(({ uri }) => uri));
  const skills = [...present, ...(lock?.skills ?? []).filter(({ uri }) => !replaced.has(uri))];
  if (skills.length === 0 && lock === undefined) return;
  const text = formatLock(toLock({ skills }));
  await failing(
    `"${file}" cannot be written`,
    writeFile(resolve(cwd, file), () => text, { scope: 'user', cwd, uid: undefined }),
  );
}

function describePlan({ before, after, refused, gone }: PullPlan, { prune = false }: PullFlags): string {
  const diff = compareCatalogs({ skills: [...before.skills, ...(prune ? gone : [])] }, after);
  const lines = [
    ...refused.map(({ uri, reason }) => `not written, ${uri}: ${reason}`),
    ...(prune ? [] : gone.map(({ uri }) => `no longer served, ${uri}: --prune removes it`)),
  ];
  return `\n${formatDiffText(diff)}${lines.map((line) => `${escapeLines(line)}\n`).join('')}`;
}

/** A failure of the disk is one sentence. */
async function failing<T>(what: string, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(EXIT.failure, `${what}: ${code ?? message}`, { cause: error });
  }
}

/** The process ends when all of it was taken. */
function print(text: string, { output }: Terminal): Promise<void> {
  return new Promise((done) => {
    output.write(text, () => done());
  });
}
