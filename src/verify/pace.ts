// How many requests are made at a time, and how long each may take.
import { ConnectionError } from './wire.ts';

/** How many run at a time; the others wait in their order. */
export function createSlots(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** A signal that is aborted when it is too late, or when the run is stopped; `done` ends it. */
export function createDeadline(ms: number, late: Error, stop: AbortSignal): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(late), ms);
  const abort = () => controller.abort(new ConnectionError('the run was stopped'));
  if (stop.aborted) abort();
  else stop.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    done: () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    },
  };
}
