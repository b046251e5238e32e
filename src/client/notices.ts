/** Milliseconds between two refreshes that a server asks for, so that a flood of notifications is no flood of requests. */
const PAUSE = 1000;

/**
 * Makes a function that refreshes after each time it is called: at once, and while that or the pause after it lasts, once more after it.
 *
 * @param onError - called with the error of a refresh that failed; what was held stays
 * @returns the function, and one that ends it
 */
export function createRefresher(
  refresh: () => Promise<void>,
  onError: (error: unknown) => void,
): { readonly request: () => void; readonly end: () => void } {
  let isBusy = false;
  let isWanted = false;
  let isOver = false;
  const run = async () => {
    isBusy = true;
    isWanted = false;
    await refresh().catch(onError);
    const timer: unknown = setTimeout(() => {
      isBusy = false;
      if (isWanted && !isOver) void run();
    }, PAUSE);
    // a pause does not keep a process of Node alive
    (timer as { unref?: () => void }).unref?.();
  };
  return {
    request: () => {
      if (isOver) return;
      isWanted = true;
      if (!isBusy) void run();
    },
    end: () => {
      isOver = true;
    },
  };
}
