/** What responses hold in memory that clients have not taken yet. Long ones are made while they are taken, and are not here. */
export interface Unread {
  /** In bytes, over all clients. */
  readonly bytes: number;
  /**
   * Whether a response may be made for `client`, or it has to take others first. Where all memory is in use, the response is broken off
   * of which nothing was taken for longest, unless that is one for `client` itself.
   */
  hasRoom(client: string): boolean;
  /** Counts a response; one of any size, since its size is judged before the next one. `breakOff` ends it before its time. */
  hold(client: string, bytes: number, breakOff: () => void): Held;
}

/** One response in memory. */
export interface Held {
  /** Its client has taken some of it. */
  move(): void;
  /** Its memory is free. */
  release(): void;
}

/** One client that takes nothing must not use up what the others need, so each may hold a part of `limit` bytes. */
const SHARES = 4;

/** Keeps account of at most about `limit` bytes. */
export function createUnread(limit: number): Unread {
  // the one of which nothing was taken for longest comes first
  const held = new Map<object, { client: string; bytes: number; end: () => void }>();
  const shares = new Map<string, number>();
  let total = 0;

  function change(client: string, bytes: number): void {
    total += bytes;
    const share = (shares.get(client) ?? 0) + bytes;
    if (share === 0) shares.delete(client);
    else shares.set(client, share);
  }

  return {
    get bytes() {
      return total;
    },
    hasRoom(client) {
      if ((shares.get(client) ?? 0) >= limit / SHARES) return false;
      while (total >= limit) {
        const [oldest] = held.values();
        if (oldest === undefined || oldest.client === client) return false;
        oldest.end();
      }
      return true;
    },
    hold(client, bytes, breakOff) {
      const key = {};
      const release = () => {
        if (held.delete(key)) change(client, -bytes);
      };
      const end = () => {
        release();
        breakOff();
      };
      held.set(key, { client, bytes, end });
      change(client, bytes);
      return {
        release,
        move() {
          const entry = held.get(key);
          if (entry === undefined) return;
          held.delete(key);
          held.set(key, entry);
        },
      };
    },
  };
}
