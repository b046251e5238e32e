/** Runs `make` for `client` when it is its turn; undefined where `signal` is aborted before. */
export type Lane = <T>(client: string, signal: AbortSignal, make: () => Promise<T>) => Promise<T | undefined>;

/** What has not been made by then lets the next one begin: it waits for something, and holds no memory yet. */
const PATIENCE_MS = 100;
/** Answers are made without a rest for so long. */
const REST_MS = 5;

/** Clients whose time is remembered, before those are forgotten that owe nothing. */
const MOST_CLIENTS = 1_000;

/**
 * Makes answers one after another: what one answer holds is known before the next one is made. The client has the next turn whose answers
 * took the least time so far, so that who asks for many, or for large ones, waits for his own, and small ones wait for one large one at
 * the most (start-time fair queueing).
 *
 * @param now - in milliseconds
 */
export function createLane(now: () => number = () => performance.now()): Lane {
  const waiting = new Map<string, (() => void)[]>();
  /** When each client's last answer ended, on a clock of its own that counts what it used; who is not here is even with the others. */
  const ends = new Map<string, number>();
  let clock = 0;
  let isBusy = false;
  let rested = now();

  function findNext(): string | undefined {
    let next: { client: string; begin: number } | undefined;
    for (const client of waiting.keys()) {
      const begin = Math.max(clock, ends.get(client) ?? clock);
      if (next === undefined || begin < next.begin) next = { client, begin };
    }
    return next?.client;
  }

  function next(): void {
    const client = findNext();
    isBusy = client !== undefined;
    if (client === undefined) {
      // where nobody waits, nobody was kept waiting
      ends.clear();
      return;
    }
    const turns = waiting.get(client) ?? [];
    const start = turns.shift();
    waiting.delete(client);
    // Behind those who used as much.
    if (turns.length > 0) waiting.set(client, turns);
    start?.();
  }

  /** Counts a turn that began at `began` for a client; it began on the clock where its last one ended, or where the others are. */
  function count(client: string, begin: number, began: number): void {
    if (ends.size >= MOST_CLIENTS) for (const [name, end] of ends) if (end <= clock) ends.delete(name);
    ends.set(client, begin + now() - began);
  }

  function rest(): void {
    rested = now();
    next();
  }

  /** Whether its turn came before `signal` was aborted: what waits would keep all that its connection holds. */
  function wait(client: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const turns = waiting.get(client) ?? [];
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      const giveUp = () => {
        turns.splice(turns.indexOf(start), 1);
        if (turns.length === 0) waiting.delete(client);
        resolve(false);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      turns.push(start);
      waiting.set(client, turns);
    });
  }

  return async (client, signal, make) => {
    if (signal.aborted || (isBusy && !(await wait(client, signal)))) return undefined;
    isBusy = true;
    let isOver = false;
    const began = now();
    clock = Math.max(clock, ends.get(client) ?? clock);
    const begin = clock;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      count(client, begin, began);
      // What was made gets to its client, and others are heard, before more is made; for small answers not each time.
      if (now() - rested < REST_MS) next();
      else setImmediate(rest);
    };
    const timer = setTimeout(leave, PATIENCE_MS);
    try {
      return signal.aborted ? undefined : await make();
    } finally {
      leave();
    }
  };
}
