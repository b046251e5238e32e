/** Makes lines of chunks. */
export class LineBuffer {
  readonly #most: number;
  #rest: Buffer | undefined;

  /** @param most - bytes that may wait */
  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes that wait. */
  get length(): number {
    return this.#rest?.length ?? 0;
  }

  /** @throws RangeError for more bytes than may wait */
  append(chunk: Buffer): void {
    if (this.length + chunk.length > this.#most) throw new RangeError(`more than ${this.#most} bytes wait`);
    this.#rest = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
  }

  /** The next whole line without its end; undefined where none has come. */
  next(): string | undefined {
    const rest = this.#rest;
    const end = rest?.indexOf(10) ?? -1;
    if (rest === undefined || end === -1) return undefined;
    this.#rest = end + 1 === rest.length ? undefined : rest.subarray(end + 1);
    return rest.toString('utf8', 0, end).trim();
  }

  clear(): void {
    this.#rest = undefined;
  }
}
