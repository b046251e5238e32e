/** What the answers that clients have not taken yet hold in memory. */
export interface Outstanding {
  /** In bytes, over all clients. */
  readonly bytes: number;
  /** Opens an account for one answer of one client. */
  open(): Account;
  /**
   * Whether an answer for `client` may be made: `client` has to take answers first, or all memory is in use. Where it is,
   * the client that has used most of it loses an answer instead of the one that asks.
   */
  judge(client: string): 'free' | 'client' | 'all';
}

interface Account {
  /**
   * Notes that the answer holds `bytes` now, for `client`, who has still to take `left` of them; `breakOff` says how to
   * end it before its time.
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

  function change(held: Held, bytes: number): void {
    const share = (shares.get(held.client) ?? 0) + bytes - held.bytes;
    total += bytes - held.bytes;
    held.bytes = bytes;
    if (share === 0) shares.delete(held.client);
    else shares.set(held.client, share);
  }

  function close(held: Held): void {
    change(held, 0);
    accounts.delete(held);
  }

  /**
   * The oldest answer of the client that stands most in the way: bytes not taken times the time since some were, since
   * neither a large answer that is on its way nor a small one that is slow does harm.
   */
  function findVictim(): Held | undefined {
    const time = now();
    const used = new Map<string, { sum: number; oldest: Held | undefined }>();
    for (const held of accounts) {
      const client = used.get(held.client) ?? { sum: 0, oldest: undefined };
      client.sum += held.left * (time - held.since + 1);
      // What is still being compressed cannot be given back by closing a connection.
      if (held.breakOff !== undefined) client.oldest ??= held;
      used.set(held.client, client);
    }
    let worst: { sum: number; oldest: Held | undefined } | undefined;
    for (const client of used.values()) if (worst === undefined || client.sum > worst.sum) worst = client;
    // Without one: to break off those who hold less would cost them their answers, and give little back.
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
          held.breakOff =
            breakOff &&
            (() => {
              isClosed = true;
              close(held);
              breakOff();
            });
          change(held, bytes);
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
      if (total >= limit && now() - (slow.get(client) ?? Number.NEGATIVE_INFINITY) < SLOW_MS) return 'client';
      while (total >= limit) {
        const victim = findVictim();
        if (victim === undefined) return 'all';
        if (victim.client === client) return 'client';
        victim.breakOff?.();
        remember(victim.client);
      }
      return 'free';
    },
  };
}
