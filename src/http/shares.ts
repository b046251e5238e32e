/** Who comes next of those who share something, by the time that each has used (start-time fair queueing). */
export interface Shares {
  /** Of those who wait, the one who used least; of equals the first. */
  pick<T extends string>(waiting: Iterable<T>): T | undefined;
  /** Begins a turn; what it returns is called with the milliseconds that it took. */
  begin(name: string): (ms: number) => void;
  /** Forgets what was used: where nobody waits, nobody was kept waiting. */
  clear(): void;
}

/** Names that are remembered, before those are forgotten that owe nothing. */
const MOST_NAMES = 1_000;

export function createShares(): Shares {
  /** Where each one's last turn ended, on a clock that counts what was used; who is not here is even with the others. */
  const ends = new Map<string, number>();
  let clock = 0;
  const toBegin = (name: string) => Math.max(clock, ends.get(name) ?? clock);

  return {
    pick<T extends string>(waiting: Iterable<T>) {
      let least: { name: T; begin: number } | undefined;
      for (const name of waiting) {
        const begin = toBegin(name);
        if (least === undefined || begin < least.begin) least = { name, begin };
      }
      return least?.name;
    },
    begin(name) {
      clock = toBegin(name);
      const begin = clock;
      return (ms) => {
        if (ends.size >= MOST_NAMES) for (const [each, end] of ends) if (end <= clock) ends.delete(each);
        ends.set(name, begin + ms);
      };
    },
    clear: () => ends.clear(),
  };
}
