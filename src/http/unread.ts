/** What responses hold in memory that clients have not taken yet. Long ones are made while they are taken, and are not here. */
export interface Unread {
  /** In bytes, over all clients. */
  readonly bytes: number;
  /**
   * Whether a response may be made for `client`, or it has to take others first. Where all memory is in use, the response is broken off
   * that is most in the way, by the bytes left of it and the time since some were taken, unless it is one for `client` itself.
   */
  hasRoom(client: string): boolean;
  /** Counts a response; one of any size, since its size is judged before the next one. `breakOff` ends it before its time. */
  hold(client: string, bytes: number, breakOff: () => void): Held;
}

/** One response in memory. */
export interface Held {
  /** Its client has taken some of it, and has still to take `left` bytes. */
  move(left: number): void;
  /** Its memory is free. */
  release(): void;
}

/** One client that takes nothing must not use up what the others need, so each may hold a part of `limit` bytes. */
const SHARES = 4;

interface Entry {
  readonly client: string;
  readonly bytes: number;
  left: number;
  /** When it was made, or some of it was taken last. */
  since: number;
  readonly breakOff: () => void;
}

/**
 * Keeps account of about `limit` bytes.
 *
 * @param now - in milliseconds
 */
export function createUnread(limit: number, now: () => number = () => performance.now()): Unread {
  const entries = new Set<Entry>();
  const shares = new Map<string, number>();
  let total = 0;

  function change(client: string, bytes: number): void {
    total += bytes;
    const share = (shares.get(client) ?? 0) + bytes;
    if (share === 0) shares.delete(client);
    else shares.set(client, share);
  }

  function release(entry: Entry): void {
    if (entries.delete(entry)) change(entry.client, -entry.bytes);
  }

  function findWorst(): Entry | undefined {
    const time = now();
    let worst: { entry: Entry; harm: number } | undefined;
    for (const entry of entries) {
      const harm = entry.left * (time - entry.since + 1);
      if (worst === undefined || harm > worst.harm) worst = { entry, harm };
    }
    return worst?.entry;
  }

  return {
    get bytes() {
      return total;
    },
    hasRoom(client) {
      if ((shares.get(client) ?? 0) >= limit / SHARES) return false;
      while (total >= limit) {
        const worst = findWorst();
        if (worst === undefined || worst.client === client) return false;
        release(worst);
        worst.breakOff();
      }
      return true;
    },
    hold(client, bytes, breakOff) {
      const entry: Entry = { client, bytes, left: bytes, since: now(), breakOff };
      entries.add(entry);
      change(client, bytes);
      return {
        release: () => release(entry),
        move: (left) => void Object.assign(entry, { left, since: now() }),
      };
    },
  };
}
