/** What runs in less says nothing of its cost: it is repeated until it takes that long together. In milliseconds. */
const LEAST = 10;

/** How long a work on a text takes before its growth is measured: then even an eighth of it is long enough to be measured. */
const ENOUGH = 100;

/** The longest text that a growth is looked for in: half of what the files of a skill may have together. */
const LONGEST = 8 * 1024 * 1024;

/**
 * How many times as long eight times the work takes, in one run: about 8 where the cost is linear, about 64 where it is quadratic.
 * Work that is short is repeated, so that its time is measured and not the clock's; what it costs to begin counts as work, so the
 * inputs have to be large enough that their own cost is most of it.
 *
 * @param work - does its work so many times as large
 */
export async function measureGrowth(work: (times: 1 | 8) => unknown): Promise<number> {
  await work(1);
  const look = async () => {
    const once = Math.min(await measure(() => work(1)), await measure(() => work(1)), await measure(() => work(1)));
    return (await measure(() => work(8))) / once;
  };
  let growth = await look();
  // more looks only where the first one is a reason for them, each at both: what else runs makes this process slower as well
  for (let looks = 0; looks < 2 && growth > LINEAR; looks++) growth = Math.min(growth, await look());
  return growth;
}

/**
 * The same for work on a text, which is made longer until the work takes long enough to be measured, or until it is as long as a text
 * of a skill can be: a cost that is quadratic shows wherever it begins to matter.
 *
 * @param work - does its work on a text of so many characters
 */
export async function measureTextGrowth(work: (length: number) => unknown): Promise<number> {
  let length = 1024;
  // a second look, because the first may have waited for the compiler
  const isEnough = async () => (await measureOnce(() => work(length))) >= ENOUGH;
  while (length < LONGEST && !((await isEnough()) && (await isEnough()))) length *= 2;
  return measureGrowth((times) => work(times === 8 ? length : length / 8));
}

/** Between linear and quadratic, for {@link measureGrowth}. */
export const LINEAR = 30;

/** The mean of as many runs as take {@link LEAST} together. */
async function measure(work: () => unknown): Promise<number> {
  let total = 0;
  let runs = 0;
  for (; total < LEAST; runs++) total += await measureOnce(work);
  return total / runs;
}

/** In milliseconds of this process: what other processes do on the machine does not count. */
async function measureOnce(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
