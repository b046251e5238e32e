import type { SkillCatalog } from '../catalog/catalog.ts';
import { type CatalogChange, findChange, isEmptyChange } from '../catalog/change.ts';
import type { LiveSkills, LiveStatus, ReloadResult } from '../catalog/live.ts';
import { ROUNDING } from '../disk/read.ts';
import { createLatest } from '../latest.ts';
import { compareProblems, type Problem, toProblem } from '../problems.ts';
import { type Attempted, attemptReading } from './attempt.ts';
import { type Accept, type Generation, toGeneration, type Verdict } from './generation.ts';
import { type Look, lookAtRoots, type Places } from './look.ts';
import type { Reading } from './reading.ts';
import { createSchedule, type Schedule, type ScheduleOptions } from './schedule.ts';

/** What came of a reading, for a log. */
export interface ReadingEvent {
  readonly problems: readonly Problem[];
  readonly result: ReloadResult;
  /** Of the reading, in milliseconds. */
  readonly duration: number;
  readonly status: LiveStatus;
  readonly catalog: SkillCatalog;
  /** Why it was refused, where no problem says it. */
  readonly reason?: string;
}

/** What is followed, and how. */
export interface FollowOptions {
  readonly places: Places;
  readonly read: () => Promise<Reading>;
  readonly invalid: 'fail' | 'skip';
  readonly watch: ScheduleOptions['watch'] | false;
  /** In seconds. */
  readonly interval?: number | undefined;
  /** Whether some roots are not folders, and report no change. */
  readonly isMute?: boolean | undefined;
  /** In seconds; default 0.3. */
  readonly settle?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What else keeps a catalog from being served. */
  readonly accept?: Accept | undefined;
  /** Hears of every reading of the folders, and not of looks at which nothing was new. */
  readonly onReading?: (event: ReadingEvent) => void;
  readonly onNote?: (message: string) => void;
}

/** The first reading, which is good. */
export interface FirstReading {
  readonly reading: Reading;
  /** When it began. */
  readonly start: Date;
}

/** Skills that follow what is on disk, as this package itself starts them. */
export interface Follower extends LiveSkills {
  /** The readings since the start, the first one and looks at which nothing was new aside. */
  readonly readings: {
    readonly changed: number;
    readonly unchanged: number;
    readonly refused: number;
    /** Of all of them together. */
    readonly seconds: number;
  };
  /** Takes the first look, and follows from then on. Settles when changes are noticed. */
  start(): Promise<void>;
}

/**
 * Follows folders from a first reading on. Nothing happens by itself before `start()`.
 *
 * The first reading is taken apart, so that its bytes do not live as long as the functions below.
 */
export function followSkills({ reading, start: started }: FirstReading, options: FollowOptions): Follower {
  const { places, read, invalid, accept, watch, settle = 0.3, onReading, onNote = () => undefined } = options;
  const stop = new AbortController();
  const listeners = new Set<(change: CatalogChange) => void>();
  let generation: Generation = toGeneration(reading, started);
  let status: Omit<LiveStatus, 'mode'> = {
    generation: 1,
    loadedAt: started,
    state: 'current',
    since: started,
    problems: generation.catalog.problems,
    keptSkills: Object.freeze([]),
  };
  let last: { look: Look; isRacy: boolean; result: ReloadResult } | undefined;
  let cost = 0;
  const readings = { changed: 0, unchanged: 0, refused: 0, seconds: 0 };
  const look = async (before?: Look): Promise<Look> => {
    const start = performance.now();
    const seen = await lookAtRoots(places, before);
    cost = performance.now() - start;
    return seen;
  };

  /** One reading, if there is anything to read. */
  const readOnce = async (): Promise<ReloadResult> => {
    const seen = await look(last?.look);
    if (last === undefined && seen.youngest < started.getTime() - ROUNDING) {
      last = { look: seen, isRacy: false, result: { outcome: 'unchanged' } };
    }
    if (last?.look === seen && !last.isRacy) {
      return last.result.outcome === 'refused' ? last.result : { outcome: 'unchanged' };
    }
    const start = performance.now();
    const attempted = await attemptReading(
      {
        ...{ look, read, invalid, accept, settle: settle * 1000, signal: stop.signal },
        onQuiet: async (quiet) => void (await schedule?.follow(quiet)),
      },
      seen,
      generation,
    );
    return settleReading(attempted, performance.now() - start);
  };

  const settleReading = ({ verdict, look: seen, isRacy }: Attempted, duration: number): ReloadResult => {
    const { problems } = verdict;
    const result = verdict.isRefused ? refuse(verdict) : take(verdict);
    last = { look: seen, isRacy, result };
    readings[result.outcome] += 1;
    readings.seconds += duration / 1000;
    const { reason } = verdict as { reason?: string };
    onReading?.({
      ...{ result, duration, problems, catalog: generation.catalog, status: toStatus() },
      ...(reason === undefined ? {} : { reason }),
    });
    if (result.outcome === 'changed') tell(result.change);
    return result;
  };

  const toState = (state: LiveStatus['state']) => ({
    state,
    since: state === status.state ? status.since : new Date(),
  });
  const refuse = ({ problems }: Verdict): ReloadResult => {
    status = { ...status, ...toState('stale'), problems: freeze(problems) };
    return { outcome: 'refused', problems: status.problems };
  };

  const take = (verdict: Verdict & { isRefused: false }): ReloadResult => {
    const { kept, problems } = verdict;
    const change = findChange(generation.catalog, verdict.generation.catalog);
    const isUnchanged = isEmptyChange(change);
    // what is published is the same, and so is its catalog, unless its problems are others or something was read again
    const isSame =
      isUnchanged && areSame(generation.catalog.problems, problems) && holdsSame(generation, verdict.generation);
    if (!isSame) generation = verdict.generation;
    status = {
      generation: status.generation + (isUnchanged ? 0 : 1),
      loadedAt: isUnchanged ? status.loadedAt : new Date(),
      ...toState(kept.length > 0 ? 'stale' : 'current'),
      problems: generation.catalog.problems,
      keptSkills: Object.freeze(kept),
    };
    return isUnchanged ? { outcome: 'unchanged' } : { outcome: 'changed', change };
  };

  const tell = (change: CatalogChange) => {
    for (const listener of [...listeners]) {
      try {
        listener(change);
      } catch (error) {
        process.emitWarning(`a listener of skills failed: ${(error as Error)?.stack ?? String(error)}`);
      }
    }
  };

  let idle: Promise<unknown> = Promise.resolve();
  const run = createLatest(() => {
    const reading = readSafely();
    idle = reading;
    return reading;
  });
  const readSafely = async (): Promise<ReloadResult> => {
    if (stop.signal.aborted) return { outcome: 'unchanged' };
    schedule?.begin();
    try {
      return await readOnce();
    } catch (error) {
      return stop.signal.aborted ? { outcome: 'unchanged' } : settleFailure(error);
    } finally {
      schedule?.rest(cost, last === undefined || last.isRacy);
    }
  };

  /** What no problem of a skill describes, such as a folder that fails under its reader. */
  const settleFailure = (error: unknown): ReloadResult => {
    const message = `the skills cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    const problem = toProblem({ code: 'root-unreadable', path: '.', message });
    const result = refuse({ isRefused: true, problems: [problem] });
    onReading?.({ result, duration: 0, problems: [problem], catalog: generation.catalog, status: toStatus() });
    return result;
  };

  const schedule: Schedule | undefined =
    watch === false
      ? undefined
      : createSchedule({ watch, interval: options.interval, isMute: options.isMute, onDue: () => void run(), onNote });
  const toStatus = (): LiveStatus => Object.freeze({ ...status, mode: schedule?.mode ?? 'off' });

  const close = async () => {
    stop.abort(new Error('the following has ended'));
    schedule?.close();
    listeners.clear();
    await idle;
  };
  const follower: Follower = {
    readings,
    get catalog() {
      return generation.catalog;
    },
    get status() {
      return toStatus();
    },
    async reload() {
      if (stop.signal.aborted) throw new Error('these skills are no longer followed: close() was called');
      return hold(run());
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
    async start() {
      if (schedule === undefined || stop.signal.aborted) return;
      await hold(run());
      // what happened in a folder before it was watched was not noticed
      if (last !== undefined && (await schedule.follow(last.look))) await hold(run());
    },
  };
  options.signal?.addEventListener('abort', () => void close(), { once: true });
  return follower;
}

/** Keeps the process alive for whoever waits: nothing else of a reading may do so. */
function hold<T>(reading: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 2 ** 30);
  return reading.finally(() => clearInterval(timer));
}

/** Whether two generations have the very same files in memory. */
function holdsSame(a: Generation, b: Generation): boolean {
  return [...b.published].every(([uri, { pinned }]) => a.published.get(uri)?.pinned === pinned);
}

function freeze(problems: readonly Problem[]): readonly Problem[] {
  return Object.freeze([...problems]);
}

function areSame(a: readonly Problem[], b: readonly Problem[]): boolean {
  const toText = (problems: readonly Problem[]) => JSON.stringify([...problems].sort(compareProblems));
  return toText(a) === toText(b);
}
