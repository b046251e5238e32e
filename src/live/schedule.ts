import type { LiveMode } from '../catalog/live.ts';
import { findRemote } from './filesystem.ts';
import type { Look } from './look.ts';
import { createWatchers, MOST_FOLDERS, type Watchers } from './watchers.ts';

/** Of what a look costs, how much longer nothing is looked at after it. */
const REST = 20;

/** How long after a change what was read is read again, in milliseconds: a second change may have left no trace. */
const DOUBT = 3100;

/** How folders are followed. */
export interface ScheduleOptions {
  /** `local`: events, and `off` where there are none. */
  readonly watch: 'auto' | 'events' | 'poll' | 'local';
  /** In seconds; default: 2 for polling, 60 beside events. */
  readonly interval: number | undefined;
  /** Asks for a reading. */
  readonly onDue: () => void;
  /** Hears once why changes are not noticed as they happen. */
  readonly onNote: (message: string) => void;
}

/** Decides when roots are looked at. */
export interface Schedule {
  readonly mode: LiveMode;
  /** Follows the folders of a look. @returns whether one was not followed before: what happened in it until now was not noticed */
  follow(look: Look): Promise<boolean>;
  /** A reading begins: what happens from now on is for the next one. */
  begin(): void;
  /**
   * Waits for the next change.
   *
   * @param cost - of the last look, in milliseconds
   * @param isRacy - whether what was read is in doubt
   */
  rest(cost: number, isRacy: boolean): void;
  close(): void;
}

/** Makes a schedule. Nothing of it keeps a process alive. */
export function createSchedule({ watch, interval, onDue, onNote }: ScheduleOptions): Schedule {
  let mode: LiveMode = watch === 'poll' ? 'poll' : 'events';
  let watchers: Watchers | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the roots may be looked at again. */
  let earliest = 0;
  let isHinted = false;
  let isReading = false;
  let isClosed = false;
  const wake = (time: number) => {
    if (isClosed || mode === 'off') return;
    clearTimeout(timer);
    timer = setTimeout(onDue, Math.max(0, time - performance.now())).unref();
  };
  const onHint = () => {
    if (isHinted) return;
    isHinted = true;
    if (!isReading) wake(earliest);
  };
  const giveUp = (reason: string) => {
    if (mode !== 'events') return;
    watchers?.close();
    watchers = undefined;
    mode = watch === 'local' ? 'off' : 'poll';
    if (mode === 'off') clearTimeout(timer);
    else wake(performance.now() + toMilliseconds(interval ?? 2));
    onNote(
      mode === 'off'
        ? `changes on disk are not followed: ${reason}; --watch=poll looks for them at intervals`
        : `changes on disk are looked for at intervals: ${reason}`,
    );
  };
  const findReason = (look: Look): string | undefined => {
    if (watch === 'events') return undefined;
    for (const { root } of look.roots) {
      const kind = root.folder === undefined ? undefined : findRemote(root.folder);
      if (kind !== undefined) return `"${root.path}" is on ${kind}, which does not report changes`;
    }
    return look.folders > MOST_FOLDERS ? `${look.folders} folders are more than ${MOST_FOLDERS}` : undefined;
  };
  return {
    get mode() {
      return mode;
    },
    async follow(look) {
      if (mode !== 'events' || isClosed) return false;
      const reason = findReason(look);
      if (reason !== undefined) {
        giveUp(reason);
        return false;
      }
      watchers ??= createWatchers(onHint, (error) => giveUp(error.message));
      try {
        return await watchers.update(look);
      } catch (error) {
        giveUp((error as Error).message);
        return false;
      }
    },
    begin() {
      isReading = true;
      isHinted = false;
      clearTimeout(timer);
    },
    rest(cost, isRacy) {
      isReading = false;
      const now = performance.now();
      earliest = now + REST * cost;
      const usual = toMilliseconds(interval ?? (mode === 'poll' ? 2 : 60));
      const wanted = isHinted ? 0 : isRacy ? Math.min(usual, DOUBT) : usual;
      wake(Math.max(now + wanted, earliest));
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      watchers?.close();
    },
  };
}

function toMilliseconds(seconds: number): number {
  return seconds * 1000;
}
