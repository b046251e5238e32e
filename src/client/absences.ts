/** How long, in milliseconds, a server is not asked again for a skill that it did not have, and for how many skills. */
const KEPT_FOR = 60_000;
const MOST = 100;

/** The skills that a server did not have when it was asked for them, those of the last minute. */
export class Absences {
  readonly #now: () => number;
  /** Until when each URI is not asked for again, the oldest first. */
  readonly #until = new Map<string, number>();

  /** @param now - the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether the server need not be asked for this URI. */
  has(uri: string): boolean {
    return (this.#until.get(uri) ?? 0) > this.#now();
  }

  /** Remembers that the server does not have this URI. */
  add(uri: string): void {
    this.#until.delete(uri);
    this.#until.set(uri, this.#now() + KEPT_FOR);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= MOST) break;
      this.#until.delete(oldest);
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#until.clear();
  }
}
