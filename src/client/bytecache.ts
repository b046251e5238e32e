/** What is kept of a file. Nobody changes the bytes. */
export interface KeptFile {
  readonly bytes: Uint8Array;
  /** What its server says that it is. */
  readonly mimeType?: string | undefined;
}

/** The bytes of verified files, in memory alone and up to a number of bytes: those that were asked for longest ago go first. */
export class ByteCache {
  readonly #most: number;
  readonly #held = new Map<string, KeptFile>();
  #size = 0;

  /** @param most - bytes that are kept together */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many bytes are kept. */
  get size(): number {
    return this.#size;
  }

  /** The file under a key. */
  get(key: string): KeptFile | undefined {
    const file = this.#held.get(key);
    if (file === undefined) return undefined;
    this.#held.delete(key);
    this.#held.set(key, file);
    return file;
  }

  /** Keeps a file, unless it alone is too large. */
  set(key: string, file: KeptFile): void {
    this.delete(key);
    if (file.bytes.length > this.#most) return;
    this.#held.set(key, file);
    this.#size += file.bytes.length;
    for (const oldest of this.#held.keys()) {
      if (this.#size <= this.#most) break;
      this.delete(oldest);
    }
  }

  /** Drops what is under a key. */
  delete(key: string): void {
    this.#size -= this.#held.get(key)?.bytes.length ?? 0;
    this.#held.delete(key);
  }
}
