import { createShares, type Shares } from './shares.ts';

/** How much work a response is, as far as that is known before it is made; a piece of a long one is large. */
type Size = 'small' | 'large';

/** Runs `make` for `client` when it is its turn; undefined where `signal` is aborted before. */
export type Lane = <T>(
  client: string,
  signal: AbortSignal,
  make: () => T | Promise<T>,
  size?: Size,
) => Promise<T | undefined>;

/** Where nothing is made for so long, the next one begins: the response waits for something, and holds no memory yet. */
const PATIENCE_MS = 100;
/** Responses are made without a rest for so long. */
const REST_MS = 5;
/** And the event loop goes round no more often in a rest, whoever arrives. */
const MOST_ROUNDS = 256;

/** Those who wait with responses of one size, and what each client has used. */
interface Queue {
  readonly waiting: Map<string, (() => void)[]>;
  readonly shares: Shares;
}

/**
 * Makes responses, and the pieces of long ones, one after another: what one holds is known before the next one is made. Small and large ones
 * have as much time, so that a small one waits for one large one at the most, however many clients ask for large ones; and of each the client
 * comes next whose responses took the least time so far, so that who asks for many waits for his own. (With one queue for both sizes, a
 * client that asked for small things waited 2.7 s at p99 beside 200 that read files of 6 MiB.)
 *
 * @param arrivals - how many connections and requests there were so far: the event loop takes in one connection each time round, so that
 *   a new one would wait for as many large responses as there are connections before it
 * @param now - in milliseconds
 */
export function createLane(arrivals: () => number = () => 0, now: () => number = () => performance.now()): Lane {
  const queues: Readonly<Record<Size, Queue>> = {
    small: { waiting: new Map(), shares: createShares() },
    large: { waiting: new Map(), shares: createShares() },
  };
  const sizes = createShares();
  let isBusy = false;
  let rested = now();

  function next(): void {
    const size = sizes.pick((['small', 'large'] as const).filter((each) => queues[each].waiting.size > 0));
    isBusy = size !== undefined;
    if (size === undefined) {
      for (const shares of [sizes, queues.small.shares, queues.large.shares]) shares.clear();
      return;
    }
    const { waiting, shares } = queues[size];
    const client = shares.pick(waiting.keys()) ?? '';
    const turns = waiting.get(client) ?? [];
    const start = turns.shift();
    waiting.delete(client);
    // Behind those who used as much.
    if (turns.length > 0) waiting.set(client, turns);
    start?.();
  }

  /** Until nobody new is heard. */
  function rest(rounds = MOST_ROUNDS): void {
    const heard = arrivals();
    setImmediate(() => {
      if (arrivals() !== heard && rounds > 1) {
        rest(rounds - 1);
        return;
      }
      rested = now();
      next();
    });
  }

  /** Whether its turn came before `signal` was aborted: what waits would keep all that its connection holds. */
  function wait({ waiting }: Queue, client: string, signal: AbortSignal): Promise<boolean> {
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

  return async (client, signal, make, size = 'small') => {
    if (signal.aborted || (isBusy && !(await wait(queues[size], client, signal)))) return undefined;
    isBusy = true;
    let isOver = false;
    const began = now();
    const counts = [sizes.begin(size), queues[size].shares.begin(client)];
    const leave = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      for (const count of counts) count(now() - began);
      // What was made gets to its client, and others are heard, before more is made; for small responses not each time.
      if (now() - rested < REST_MS) next();
      else rest();
    };
    const timer = setTimeout(leave, PATIENCE_MS);
    try {
      return signal.aborted ? undefined : await make();
    } finally {
      leave();
    }
  };
}
