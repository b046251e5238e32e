/** Runs `make` for `client` when it is its turn; undefined where `signal` is aborted before. */
export type Lane = <T>(client: string, signal: AbortSignal, make: () => T | Promise<T>) => Promise<T | undefined>;

/** Where nothing is made for so long, the next one begins: the response waits for something else. */
const PATIENCE_MS = 100;
/** Responses are made without a rest for so long. */
const REST_MS = 5;
/** Clients whose use is remembered, before those are forgotten that owe nothing. */
const MOST_CLIENTS = 1_000;

/**
 * Makes responses, and pieces of long ones, one after another. The client comes next whose responses took the least time so far (start-time
 * fair queueing), so that who asks for many waits for his own.
 *
 * @param now - in milliseconds
 */
export function createLane(now: () => number = () => performance.now()): Lane {
  const waiting = new Map<string, (() => void)[]>();
  /** Where each client's last turn ended, on a clock that counts use; who is not here is even with the others. */
  const ends = new Map<string, number>();
  let clock = 0;
  let isBusy = false;
  let rested = now();
  const toBegin = (client: string) => Math.max(clock, ends.get(client) ?? clock);

  function next(): void {
    let least: { client: string; begin: number } | undefined;
    for (const client of waiting.keys()) {
      const begin = toBegin(client);
      if (least === undefined || begin < least.begin) least = { client, begin };
    }
    isBusy = least !== undefined;
    if (least === undefined) {
      // where nobody waits, nobody was kept waiting
      ends.clear();
      return;
    }
    const turns = waiting.get(least.client) ?? [];
    const start = turns.shift();
    waiting.delete(least.client);
    // after those who used as much
    if (turns.length > 0) waiting.set(least.client, turns);
    start?.();
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

  function begin(client: string): () => void {
    const began = now();
    const at = toBegin(client);
    clock = at;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (ends.size >= MOST_CLIENTS) for (const [each, end] of ends) if (end <= clock) ends.delete(each);
      ends.set(client, at + now() - began);
      if (now() - rested < REST_MS) return next();
      // What was made gets to its client, and others are heard, before more is made; for small responses not each time.
      setImmediate(() => {
        rested = now();
        next();
      });
    };
    const timer = setTimeout(leave, PATIENCE_MS);
    return leave;
  }

  return async (client, signal, make) => {
    if (signal.aborted || (isBusy && !(await wait(client, signal)))) return undefined;
    isBusy = true;
    const leave = begin(client);
    try {
      return signal.aborted ? undefined : await make();
    } finally {
      leave();
    }
  };
}
