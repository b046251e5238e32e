/** Makes lines of chunks. Each byte is looked at once, and a line that comes in many chunks is put together once. */
export class LineBuffer {
  readonly #most: number;
  #chunks: Buffer[] = [];
  /** Of the chunks, those that are known to hold no end of a line. */
  #searched = 0;
  #length = 0;

  /** @param most - bytes that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that wait. */
  get length(): number {
    return this.#length;
  }

  /** @throws RangeError for more bytes than may wait */
  append(chunk: Buffer): void {
    if (this.#length + chunk.length > this.#most) throw new RangeError(`more than ${this.#most} bytes wait`);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  /** The next whole line without its end and without blanks around it; undefined where none has come. */
  next(): string | undefined {
    return this.take()?.toString('utf8').trim();
  }

  /** The bytes of the next whole line, its end included; undefined where none has come. */
  take(): Buffer | undefined {
    for (; this.#searched < this.#chunks.length; this.#searched += 1) {
      const chunk = this.#chunks[this.#searched];
      const end = chunk?.indexOf(10) ?? -1;
      if (chunk === undefined || end === -1) continue;
      const before = this.#chunks.splice(0, this.#searched + 1);
      const last = chunk.subarray(0, end + 1);
      if (end + 1 < chunk.length) this.#chunks.unshift(chunk.subarray(end + 1));
      this.#searched = 0;
      const line = before.length === 1 ? last : Buffer.concat([...before.slice(0, -1), last]);
      this.#length -= line.length;
      return line;
    }
    return undefined;
  }

  /** Gives all that waits, and holds nothing any more. */
  drain(): Buffer {
    const rest = Buffer.concat(this.#chunks);
    this.clear();
    return rest;
  }

  clear(): void {
    this.#chunks = [];
    this.#searched = 0;
    this.#length = 0;
  }
}
