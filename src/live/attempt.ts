import { ROUNDING } from '../disk/read.ts';
import { toRootLabel } from '../disk/roots.ts';
import { toProblem } from '../problems.ts';
import { type Accept, type Generation, judgeReading, type Verdict } from './generation.ts';
import type { Look } from './look.ts';
import { waitForQuiet } from './quiet.ts';
import type { Reading } from './reading.ts';

/** How often the roots are read while something goes on writing to them. */
const ATTEMPTS = 3;

/** What a reading needs. */
export interface Attempt {
  readonly look: (before: Look) => Promise<Look>;
  readonly read: () => Promise<Reading>;
  /** Called before each reading, with what is there then. */
  readonly onQuiet: (look: Look) => Promise<void>;
  readonly invalid: 'fail' | 'skip';
  readonly accept?: Accept | undefined;
  /** In milliseconds. */
  readonly settle: number;
  readonly signal: AbortSignal;
}

/** A reading, and the look that it is of. */
export interface Attempted {
  readonly verdict: Verdict;
  readonly look: Look;
  /** Whether something was written so shortly before that it may change again without a trace. */
  readonly isRacy: boolean;
}

/** Reads the roots once they are left alone, and again where they were changed meanwhile. */
export async function attemptReading(attempt: Attempt, first: Look, before: Generation): Promise<Attempted> {
  const { settle, signal, invalid } = attempt;
  let look = first;
  for (let count = 1; ; count++) {
    look = await waitForQuiet(attempt.look, look, settle, signal);
    await attempt.onQuiet(look);
    const start = Date.now();
    const reading = await attempt.read();
    const after = await attempt.look(look);
    const isTorn = reading.problems.some(({ code }) => code === 'changed-while-reading');
    const isRacy = look.youngest >= start - ROUNDING;
    const isWhole = after === look && !isTorn;
    // under `skip` what is torn is a skill, and the others do not wait for its writer
    if (isWhole || (count === ATTEMPTS && invalid === 'skip')) {
      const verdict = await judgeReading(reading, before, attempt, new Date(start));
      return { verdict, look, isRacy: isRacy || !isWhole };
    }
    if (count === ATTEMPTS) return { verdict: refuse(reading, isTorn), look, isRacy: true };
    look = after;
  }
}

function refuse(reading: Reading, isTorn: boolean): Verdict {
  if (isTorn) return { isRefused: true, problems: reading.problems };
  const [first] = reading.reports;
  const problem = toProblem({
    code: 'changed-while-reading',
    ...(first === undefined ? {} : { root: toRootLabel(first.root) }),
    path: '.',
    message: 'the folder was changed each time while it was read',
    hint: 'end what writes to it all the time, or have it write elsewhere',
  });
  return { isRefused: true, problems: [problem, ...reading.problems] };
}
