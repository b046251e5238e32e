/** Runs `make` for `client` when it is its turn. */
export type Lane = <T>(client: string, make: () => Promise<T>) => Promise<T>;

/** What has not been made by then lets the next one begin: it waits for something, and holds no memory yet. */
const PATIENCE_MS = 100;

/**
 * Makes answers one after another, the clients taking turns: what one answer holds is known before the next one is made,
 * and who asks for many waits for his own.
 */
export function createLane(): Lane {
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;

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

  return async (client, make) => {
    if (isBusy) {
      await new Promise<void>((resolve) => {
        const turns = waiting.get(client);
        if (turns === undefined) waiting.set(client, [resolve]);
        else turns.push(resolve);
      });
    }
    isBusy = true;
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      // What was made gets to its client before more is made.
      setImmediate(next);
    };
    const timer = setTimeout(leave, PATIENCE_MS);
    try {
      return await make();
    } finally {
      leave();
    }
  };
}
