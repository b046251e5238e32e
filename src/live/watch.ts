import type { LiveSkills } from '../catalog/live.ts';
import { assertChoice, assertOptions, type LoadOptions, quoteValue } from '../disk/loading.ts';
import type { SkillRoot } from '../disk/roots.ts';
import { isFatal, type RootsReading, readSkills } from '../judge/judge.ts';
import { assertLoadOptions, LOAD_OPTIONS, toSkillsError } from '../load.ts';
import { followSkills } from './follow.ts';
import { readReports } from './reading.ts';

/** How folders are loaded and followed. */
export interface LiveOptions extends LoadOptions {
  /**
   * `auto` (default): events of the system, or looks at intervals where there are none, such as on a network drive. `false`: only
   * `reload()` reads.
   */
  readonly watch?: 'auto' | 'events' | 'poll' | false;
  /** Seconds between two looks. Default: 2 for `poll`; 60 for `events`, which now and then miss something. */
  readonly interval?: number;
  /** Seconds without a change before the folders are read: a writer may be halfway. At most 5 in a row. Default: 0.3. */
  readonly settle?: number;
  /** Ends the following when aborted, as `close()` does. */
  readonly signal?: AbortSignal;
}

/**
 * Loads skills as `loadSkills` does, and follows what is on disk: after each change the folders are read anew, and where they are
 * good, the new catalog takes the place of the old one. A folder with an error never replaces a good one.
 *
 * @throws SkillsError, TypeError as `loadSkills` does: the first reading must be good
 */
export async function watchSkills(
  roots: string | URL | SkillRoot | readonly (string | URL | SkillRoot)[],
  options: LiveOptions = {},
): Promise<LiveSkills> {
  assertOptions(options, [...LOAD_OPTIONS, 'watch', 'interval', 'settle', 'signal']);
  assertLoadOptions(options);
  const { watch = 'auto', interval, settle, signal, invalid = 'fail', exclude = [], from } = options;
  assertChoice('watch', watch, ['auto', 'events', 'poll', false]);
  assertSeconds('interval', interval);
  assertSeconds('settle', settle);
  signal?.throwIfAborted();
  let previous: RootsReading | undefined;
  const read = async () => {
    previous = await readSkills(roots, { ...options, previous });
    return readReports(previous.reports);
  };
  const start = new Date();
  const reading = await read();
  if (isFatal(reading.reports, invalid)) throw toSkillsError(reading.reports);
  const live = followSkills(
    { reading, start },
    {
      places: { roots, from, exclude },
      ...{ read, invalid, watch, interval, settle, signal },
      onNote: (message) => process.emitWarning(message),
    },
  );
  await live.start();
  return live;
}

function assertSeconds(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value <= MOST_SECONDS)) return;
  throw new TypeError(`${name} must be a number of seconds from 0 to ${MOST_SECONDS}, not ${quoteValue(value)}`);
}

/** A day. */
const MOST_SECONDS = 86_400;
