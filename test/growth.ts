/**
 * How many times as long eight times the work takes, in one run: about 8 where the cost is linear, about 64 where it is quadratic.
 * Work that is over in a few milliseconds says nothing.
 *
 * @param work - does its work so many times as large
 */
export async function measureGrowth(work: (times: 1 | 8) => unknown): Promise<number> {
  const measure = async (times: 1 | 8): Promise<number> => {
    const start = performance.now();
    await work(times);
    return performance.now() - start;
  };
  await measure(1);
  const once = Math.min(await measure(1), await measure(1), await measure(1));
  return Math.min(await measure(8), await measure(8)) / Math.max(once, 5);
}

/** Between linear and quadratic, for {@link measureGrowth}. */
export const LINEAR = 30;
