/** What the answers that clients have not taken yet hold in memory. */
export interface Outstanding {
  /** In bytes, over all clients. */
  readonly bytes: number;
  /** Notes that an answer for `client` holds `bytes` now instead of `before`. */
  change(client: string, before: number, bytes: number): void;
  /** Whether a client has to take answers before it may ask for more, or all of them together do. */
  judge(client: string): 'free' | 'client' | 'all';
}

/** One client that takes nothing must not use up what the others need, so each may hold a part of `limit` bytes. */
const SHARES = 4;

/** Keeps account of answers in memory. An answer is counted when it is made, so one of any size still gets through. */
export function createOutstanding(limit: number): Outstanding {
  const held = new Map<string, number>();
  let total = 0;
  return {
    get bytes() {
      return total;
    },
    change(client, before, bytes) {
      total += bytes - before;
      const left = (held.get(client) ?? 0) + bytes - before;
      if (left === 0) held.delete(client);
      else held.set(client, left);
    },
    judge(client) {
      if ((held.get(client) ?? 0) >= limit / SHARES) return 'client';
      return total >= limit ? 'all' : 'free';
    },
  };
}
