/** Runs `make` for `client` when it is its turn; undefined where `signal` is aborted before. */
export type Lane = <T>(client: string, signal: AbortSignal, make: () => Promise<T>) => Promise<T | undefined>;

/** What has not been made by then lets the next one begin: it waits for something, and holds no memory yet. */
const PATIENCE_MS = 100;
/** Answers are made without a rest for so long. */
const REST_MS = 5;

/**
 * Makes answers one after another, the clients taking turns: what one answer holds is known before the next one is made,
 * and who asks for many waits for his own.
 */
export function createLane(): Lane {
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;
  let rested = performance.now();

  function next(): void {
    const [first] = waiting;
    isBusy = first !== undefined;
    if (first === undefined) return;
    const [client, turns] = first;
    const start = turns.shift();
    waiting.delete(client);
    // Behind the others.
    if (turns.length > 0) waiting.set(client, turns);
    start?.();
  }

  function rest(): void {
    rested = performance.now();
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
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // What was made gets to its client, and others are heard, before more is made; for small answers not each time.
      if (performance.now() - rested < REST_MS) next();
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
