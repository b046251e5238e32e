/**
 * Makes a work that never runs beside itself, and that is done once more, from its beginning, for whoever asks while it runs: what it
 * finds then is what was there after the last one asked. Those who ask meanwhile share that one run.
 *
 * @returns what asks for a run, and settles with it
 */
export function createLatest<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    next = undefined;
    const current = work().finally(() => {
      if (running === current) running = undefined;
    });
    running = current;
    return current;
  };
  return () => {
    if (running === undefined) return run();
    next ??= running.then(run, run);
    return next;
  };
}
