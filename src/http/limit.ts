/** Runs works at most `most` at a time; the rest wait in the order in which they came. */
export function createLimit(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      // the place goes over to the next one, so that nobody who comes between takes it
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
