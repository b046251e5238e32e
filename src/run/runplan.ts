import { posix } from 'node:path';
import type { SkillCatalog } from '../catalog/catalog.ts';
import { copySkill } from './copy.ts';
import { type Captured, execute, STREAM_BYTES } from './execute.ts';
import type { ReadyGrant } from './pinning.ts';
import { type Fence, INSIDE, toFenceArgs, toScriptEnv } from './sandbox.ts';

/** One run, exactly as it will be. */
export interface Plan extends ReadyGrant {
  /** The interpreter, the script, and its arguments: what is executed inside the fence. */
  readonly argv: readonly string[];
}

/** What a run wrote and how it ended, for a model: without values of granted variables. */
export interface RunResult {
  readonly status: number | null;
  readonly signal: string | null;
  readonly isTimedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: readonly ('stdout' | 'stderr')[];
}

/** Arguments of one call, and the characters of each. */
export const MOST_ARGS = 64;
const LONGEST_ARG = 1024;

/**
 * Makes the plan of a run.
 *
 * @returns the plan, or why these arguments are not allowed
 */
export function toPlan(ready: ReadyGrant, args: readonly string[]): Plan | { readonly reason: string } {
  const { grant } = ready;
  const { args: pattern } = grant;
  if (args.length > MOST_ARGS) return { reason: `there are more than ${MOST_ARGS} arguments` };
  if (pattern === undefined && args.length > 0) return { reason: 'the policy allows no arguments for this script' };
  const wrong = args.findIndex(
    (arg) => arg.length > LONGEST_ARG || arg.includes('\0') || /\p{Cs}/u.test(arg) || pattern?.test(arg) === false,
  );
  if (wrong !== -1) return { reason: `the policy does not allow argument ${wrong + 1}` };
  const argv = [grant.interpreter, posix.join(INSIDE.skill, grant.script), ...grant.leading, ...args];
  return { ...ready, argv };
}

/**
 * Runs a plan from a fresh copy of the pinned bytes.
 *
 * @param env - the environment of the server: only what the plan is granted is taken from it
 * @throws Error where the copy cannot be made or bwrap cannot be started
 */
export async function runPlan(
  plan: Plan,
  {
    catalog,
    fence,
    env,
    signal,
  }: {
    readonly catalog: SkillCatalog;
    readonly fence: Fence;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
  },
): Promise<RunResult> {
  const values = Object.fromEntries(
    plan.grant.env.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const copy = copySkill(catalog, plan.skill, fence.runAs);
  try {
    const outcome = await execute({
      program: fence.bwrap,
      args: toFenceArgs(fence, { grant: plan.grant, folder: copy.folder, argv: plan.argv }),
      // not as arguments of bwrap: everybody sees those in the list of processes
      env: toScriptEnv(values),
      runAs: fence.runAs,
      timeoutMs: plan.grant.timeout * 1000,
      signal,
      spare: Math.max(0, ...Object.values(values).map((value) => Buffer.byteLength(value))),
    });
    const { status, signal: ended, isTimedOut, stdout, stderr } = outcome;
    return {
      status,
      signal: ended,
      isTimedOut,
      stdout: toText(stdout, values),
      stderr: toText(stderr, values),
      truncated: [
        ...(stdout.isTruncated ? ['stdout' as const] : []),
        ...(stderr.isTruncated ? ['stderr' as const] : []),
      ],
    };
  } finally {
    copy.remove();
  }
}

/** A name takes the place of each value of a variable that a script prints; the longest value is looked for first. */
function toText({ bytes }: Captured, values: Readonly<Record<string, string>>): string {
  const text = Buffer.from(bytes).toString('utf8');
  const hidden = Object.entries(values)
    .filter(([, value]) => value !== '')
    .sort(([, a], [, b]) => b.length - a.length)
    .reduce((shown, [name, value]) => shown.replaceAll(value, `[value of ${name}]`), text);
  return cutBytes(hidden, STREAM_BYTES);
}

function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  return new TextDecoder().decode(bytes.subarray(0, most), { stream: true });
}
