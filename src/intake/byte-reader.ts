const NEWLINE = 0x0a;

/** Reads lines and ranges of bytes from chunks, and keeps no more than what is asked for. */
export class ByteReader {
  #pending: Buffer = Buffer.alloc(0);
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns the next line without its end; null at the end of the data, and `'too_long'` beyond `max` bytes. */
  async readLine(max: number): Promise<Buffer | null | 'too_long'> {
    for (let searched = 0; ; ) {
      const end = this.#pending.indexOf(NEWLINE, searched);
      if (end > max || (end === -1 && this.#pending.length > max)) return 'too_long';
      if (end !== -1) return this.#take(end, end + 1);
      searched = this.#pending.length;
      if (await this.#fill()) continue;
      return searched === 0 ? null : this.#take(searched, searched);
    }
  }

  /** Returns the next `count` bytes; null when fewer are left. */
  async readBytes(count: number): Promise<Buffer | null> {
    while (this.#pending.length < count) if (!(await this.#fill())) return null;
    return this.#take(count, count);
  }

  /** Returns everything that is left. */
  async readRest(): Promise<Buffer> {
    const parts = [this.#pending];
    this.#pending = Buffer.alloc(0);
    while (await this.#fill()) parts.push(this.#take(this.#pending.length, this.#pending.length));
    return Buffer.concat(parts);
  }

  /** Drops `count` bytes; false when fewer are left. */
  async skipBytes(count: number): Promise<boolean> {
    for (let left = count; ; ) {
      const dropped = Math.min(left, this.#pending.length);
      this.#take(dropped, dropped);
      left -= dropped;
      if (left === 0) return true;
      if (!(await this.#fill())) return false;
    }
  }

  /** Drops the rest of the line. */
  async skipLine(): Promise<void> {
    for (;;) {
      const end = this.#pending.indexOf(NEWLINE);
      if (end !== -1) return void this.#take(end, end + 1);
      this.#take(this.#pending.length, this.#pending.length);
      if (!(await this.#fill())) return;
    }
  }

  #take(end: number, next: number): Buffer {
    const bytes = this.#pending.subarray(0, end);
    this.#pending = this.#pending.subarray(next);
    return bytes;
  }

  /** Appends the next chunk; false at the end of the data. */
  async #fill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next();
    if (done) return false;
    this.#pending = this.#pending.length === 0 ? value : Buffer.concat([this.#pending, value]);
    return true;
  }
}
