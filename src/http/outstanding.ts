/** What the answers that clients have not taken yet hold in memory. */
export interface Outstanding {
  /** In bytes, over all clients. */
  readonly bytes: number;
  /** Opens an account for one answer of one client. */
  open(): Account;
  /**
   * Whether an answer for `client` may be made, or `client` has to take answers first. Where all memory is in use, the client that
   * stands most in the way loses an answer, and the one that asks gets its own.
   */
  judge(client: string): 'free' | 'client';
}

interface Account {
  /**
   * Notes that the answer holds `bytes` now, for `client`, who has still to take `left` of them; `breakOff` says how to
   * end it before its time. What cannot be ended is in work, and whoever works keeps that within bounds: it is no reason to refuse
   * or to end another.
   */
  hold(client: string, bytes: number, breakOff?: () => void, left?: number): void;
  /** The memory is free. */
  close(): void;
}

interface Held {
  client: string;
  bytes: number;
  /** Of them, what was not taken yet: all are in memory until the last one has left. */
  left: number;
  /** When it was made, or the client last took some of it. */
  since: number;
  breakOff: (() => void) | undefined;
}

/** One client that takes nothing must not use up what the others need, so each may hold a part of `limit` bytes. */
const SHARES = 4;
/** So long a client that was broken off is refused while all memory is in use, rather than breaking off another. */
const SLOW_MS = 30_000;

/**
 * Keeps account of answers in memory. An answer is counted when it is made, so one of any size still gets through.
 * `now` is in milliseconds.
 */
export function createOutstanding(limit: number, now: () => number): Outstanding {
  const accounts = new Set<Held>();
  const shares = new Map<string, number>();
  /** Who was broken off, and when; the latest last. */
  const slow = new Map<string, number>();
  let total = 0;
  /** Of them, what can be given back by breaking off. */
  let waiting = 0;

  function change(held: Held, bytes: number, breakOff: Held['breakOff']): void {
    const share = (shares.get(held.client) ?? 0) + bytes - held.bytes;
    total += bytes - held.bytes;
    waiting += (breakOff === undefined ? 0 : bytes) - (held.breakOff === undefined ? 0 : held.bytes);
    held.bytes = bytes;
    held.breakOff = breakOff;
    if (share === 0) shares.delete(held.client);
    else shares.set(held.client, share);
  }

  function close(held: Held): void {
    change(held, 0, undefined);
    accounts.delete(held);
  }

  /**
   * The oldest answer of the client that stands most in the way: bytes not taken times the time since some were, since
   * neither a large answer that is on its way nor a small one that is slow does harm.
   */
  function findVictim(): Held | undefined {
    const time = now();
    const used = new Map<string, { sum: number; oldest: Held }>();
    for (const held of accounts) {
      if (held.breakOff === undefined) continue;
      const client = used.get(held.client) ?? { sum: 0, oldest: held };
      client.sum += held.left * (time - held.since + 1);
      used.set(held.client, client);
    }
    let worst: { sum: number; oldest: Held } | undefined;
    for (const client of used.values()) if (worst === undefined || client.sum > worst.sum) worst = client;
    return worst?.oldest;
  }

  function remember(client: string): void {
    const time = now();
    for (const [name, at] of slow) if (name === client || time - at >= SLOW_MS) slow.delete(name);
    slow.set(client, time);
  }

  return {
    get bytes() {
      return total;
    },
    open() {
      const held: Held = { client: '', bytes: 0, left: 0, since: 0, breakOff: undefined };
      let isClosed = false;
      return {
        hold(client, bytes, breakOff, left = bytes) {
          if (isClosed) return;
          if (!accounts.has(held)) held.client = client;
          accounts.add(held);
          Object.assign(held, { left, since: now() });
          const end = () => {
            isClosed = true;
            close(held);
            breakOff?.();
          };
          change(held, bytes, breakOff && end);
        },
        close() {
          if (!isClosed) close(held);
          isClosed = true;
        },
      };
    },
    judge(client) {
      if ((shares.get(client) ?? 0) >= limit / SHARES) return 'client';
      // Those who take nothing would break each other off in turn, each time with the work done.
      if (waiting >= limit && now() - (slow.get(client) ?? Number.NEGATIVE_INFINITY) < SLOW_MS) return 'client';
      while (waiting >= limit) {
        const victim = findVictim();
        if (victim === undefined || victim.client === client) return 'client';
        victim.breakOff?.();
        remember(victim.client);
      }
      return 'free';
    },
  };
}
