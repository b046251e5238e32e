import { Writable } from 'node:stream';
import { type Follower, type FollowOptions, followSkills } from '../live/follow.ts';
import type { Reading } from '../live/reading.ts';
import { type Judged, toRoots } from './judging.ts';
import { createIsWanted, judgeForPublishing, type PublishOptions } from './publish.ts';
import type { Terminal } from './terminal.ts';

/** The options of `serve` that decide how changes on disk are followed. */
export interface WatchFlags {
  /** False for `--no-watch`; undefined where nothing was said. */
  readonly watch?: 'auto' | 'events' | 'poll' | false;
  /** In seconds. */
  readonly watchInterval?: number;
}

/** What follows roots. */
export interface FollowedRoots extends Pick<FollowOptions, 'watch' | 'interval' | 'onReading' | 'onNote' | 'accept'> {
  /** Files that count beside the roots, absolute. */
  readonly beside?: readonly string[];
  readonly roots: readonly string[];
  readonly options: PublishOptions;
  /** The first reading, and when it began. */
  readonly judged: Judged;
  readonly start: Date;
  /** Hears of every reading, before anything of it is served. */
  readonly onJudged: (judged: Judged) => void;
}

/** Follows the roots of a command line, which are judged each time as at the start. */
export function followRoots(followed: FollowedRoots, terminal: Terminal): Follower {
  const { roots, options, judged, start, onJudged, beside = [], ...others } = followed;
  // what is said of the roots was said at the start
  const quiet = { ...terminal, signal: terminal.signal, error: createSink() };
  const toReading = ({ reports, problems }: Judged): Reading => ({
    ...{ reports, problems },
    isWanted: createIsWanted(options),
  });
  const { exclude, invalid } = options;
  let last = judged;
  return followSkills(
    { reading: toReading(judged), start },
    {
      ...others,
      places: { roots: toRoots(roots, quiet), exclude, beside },
      invalid,
      async read() {
        last = await judgeForPublishing(roots, options, quiet, last);
        onJudged(last);
        return toReading(last);
      },
    },
  );
}

function createSink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
