/** Whole numbers from 0 to 2^53 - 1 in 7 bits a byte, lowest first; the eighth bit says that more follow. */

/** Where numbers are written; grows by itself. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(1 << 12);
  length = 0;

  write(value: number): void {
    if (this.length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.#bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  /** A number that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3. */
  writeSigned(value: number): void {
    this.write(value < 0 ? -2 * value - 1 : 2 * value);
  }

  append(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** What was written, valid until the next write. */
  written(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #grow(by: number): void {
    if (this.length + by <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + by));
    this.#bytes.copy(grown, 0, 0, this.length);
    this.#bytes = grown;
  }
}

/** Reads what `VarintWriter` wrote. */
export class VarintReader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  read(): number {
    let byte = this.bytes[this.at++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    do {
      byte = this.bytes[this.at++]!;
      value += (byte & 0x7f) * factor;
      factor *= 0x80;
    } while (byte >= 0x80);
    return value;
  }

  readSigned(): number {
    const value = this.read();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }
}
