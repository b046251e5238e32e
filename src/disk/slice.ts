import { setImmediate } from 'node:timers/promises';

/** How long a reading keeps the event loop to itself, in milliseconds. */
const SLICE = 50;

/** Makes a function that gives the event loop a turn whenever it has been kept for a slice. */
export function createPause(): () => Promise<void> {
  let until = performance.now() + SLICE;
  return async () => {
    if (performance.now() < until) return;
    await setImmediate();
    until = performance.now() + SLICE;
  };
}
