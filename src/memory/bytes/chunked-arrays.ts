/**
 * Elements per chunk: growing copies the first one alone, so building allocates little more than it stores. That one begins
 * small, for a refresh fills dozens of arrays with a few elements each.
 */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK - 1;
const MIN_CHUNK = 1 << 8;

/** An append-only array of unsigned 32-bit integers. */
export class ChunkedUint32Array {
  readonly #chunks: Uint32Array[] = [];
  #capacity = 0;
  length = 0;

  get allocatedBytes(): number {
    return this.#capacity * 4;
  }

  push(value: number): void {
    if (this.length === this.#capacity) this.#grow();
    this.#chunks[this.length >>> CHUNK_BITS]![this.length & CHUNK_MASK] = value;
    this.length++;
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & CHUNK_MASK]!;
  }

  /** All elements, in at least one chunk. */
  chunks(): Uint32Array[] {
    return trimChunks(this.#chunks, this.length, new Uint32Array(0));
  }

  #grow(): void {
    const [first] = this.#chunks;
    if (first === undefined || first.length < CHUNK) {
      const grown = new Uint32Array(first ? first.length * 4 : MIN_CHUNK);
      if (first) grown.set(first);
      this.#chunks[0] = grown;
      this.#capacity = grown.length;
      return;
    }
    this.#chunks.push(new Uint32Array(CHUNK));
    this.#capacity += CHUNK;
  }
}

/** An append-only array of bytes. */
export class ChunkedUint8Array {
  readonly #chunks: Uint8Array[] = [];
  #capacity = 0;
  length = 0;

  get allocatedBytes(): number {
    return this.#capacity;
  }

  push(value: number): void {
    if (this.length === this.#capacity) this.#grow();
    this.#chunks[this.length >>> CHUNK_BITS]![this.length & CHUNK_MASK] = value;
    this.length++;
  }

  append(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.length === this.#capacity) this.#grow();
      const offset = this.length & CHUNK_MASK;
      const part = bytes.subarray(at, at + this.#capacity - this.length);
      this.#chunks[this.length >>> CHUNK_BITS]!.set(part, offset);
      this.length += part.length;
      at += part.length;
    }
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & CHUNK_MASK]!;
  }

  /** Elements from `start` up to `end`: a view where they lie in one chunk, otherwise a copy. */
  slice(start: number, end: number): Uint8Array {
    const chunk = start >>> CHUNK_BITS;
    const offset = start & CHUNK_MASK;
    if (start === end) return new Uint8Array(0);
    if (offset + end - start <= CHUNK) return this.#chunks[chunk]!.subarray(offset, offset + end - start);
    const copy = new Uint8Array(end - start);
    for (let at = start; at < end; ) {
      const part = this.slice(at, Math.min(end, (at | CHUNK_MASK) + 1));
      copy.set(part, at - start);
      at += part.length;
    }
    return copy;
  }

  /** All elements, in at least one chunk. */
  chunks(): Uint8Array[] {
    return trimChunks(this.#chunks, this.length, new Uint8Array(0));
  }

  toArray(): Uint8Array {
    return Buffer.concat(this.chunks(), this.length);
  }

  #grow(): void {
    const [first] = this.#chunks;
    if (first === undefined || first.length < CHUNK) {
      const grown = new Uint8Array(first ? first.length * 4 : MIN_CHUNK);
      if (first) grown.set(first);
      this.#chunks[0] = grown;
      this.#capacity = grown.length;
      return;
    }
    this.#chunks.push(new Uint8Array(CHUNK));
    this.#capacity += CHUNK;
  }
}

function trimChunks<T extends Uint8Array | Uint32Array>(chunks: readonly T[], length: number, empty: T): T[] {
  return length === 0 ? [empty] : chunks.map((chunk, i) => chunk.subarray(0, length - i * CHUNK) as T);
}
