import { setImmediate } from 'node:timers/promises';

/** How long a reading keeps the event loop to itself, in milliseconds. */
const SLICE = 50;

/**
 * Makes a function that gives the event loop a turn whenever it has been kept for a slice; undefined until then, which costs no turn.
 *
 * @param slice - in milliseconds
 */
export function createPause(slice = SLICE): () => Promise<void> | undefined {
  let until = performance.now() + slice;
  const pause = async () => {
    await setImmediate();
    until = performance.now() + slice;
  };
  return () => (performance.now() < until ? undefined : pause());
}
