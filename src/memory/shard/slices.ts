/** Bytes a chunk: a slice lies in one chunk. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const INSIDE = CHUNK - 1;
/** Bytes of a run's first slice; each further one is twice as large, up to the largest. */
const FIRST = 8;
const LEVELS = 8;
/** The end of a slice names the place of the next. */
const POINTER = 4;

/**
 * Very many runs of bytes that all grow at their ends, side by side in one pool:
 *
 *     run = slice of 8 bytes → 16 → 32 … → 1024 → 1024      each ends with the place of the next, 4 bytes
 *
 * Most runs stay in their first slice, long ones waste little, and growing copies nothing.
 */
export class Slices {
  readonly #chunks: Uint8Array[] = [];
  #used = 0;
  #heads = new Uint32Array(1024);
  #tails = new Uint32Array(1024);
  /** Where the last slice of each run has no more room. */
  #limits = new Uint32Array(1024);
  #levels = new Uint8Array(1024);
  #count = 0;

  /** Adds a byte to a run; a run begins with its first byte. */
  push(run: number, byte: number): void {
    if (run >= this.#count) this.#begin(run);
    let at = this.#tails[run]!;
    if (at === this.#limits[run]) at = this.#extend(run);
    this.#chunks[at >>> CHUNK_BITS]![at & INSIDE] = byte;
    this.#tails[run] = at + 1;
  }

  /** Copies a run to `into`, piece by piece. */
  read(run: number, into: (piece: Uint8Array) => void): void {
    if (run >= this.#count) return;
    let at = this.#heads[run]!;
    for (let level = 0; ; level = Math.min(level + 1, LEVELS - 1)) {
      const chunk = this.#chunks[at >>> CHUNK_BITS]!;
      const limit = at + (FIRST << level) - POINTER;
      const last = limit === this.#limits[run];
      into(chunk.subarray(at & INSIDE, (at & INSIDE) + (last ? this.#tails[run]! : limit) - at));
      if (last) return;
      at = pointer(chunk).getUint32(limit & INSIDE);
    }
  }

  #begin(run: number): void {
    if (run >= this.#heads.length) {
      const size = Math.max(run + 1, this.#heads.length * 2);
      this.#heads = grown(this.#heads, new Uint32Array(size));
      this.#tails = grown(this.#tails, new Uint32Array(size));
      this.#limits = grown(this.#limits, new Uint32Array(size));
      this.#levels = grown(this.#levels, new Uint8Array(size));
    }
    for (; this.#count <= run; this.#count++) {
      const at = this.#allocate(FIRST);
      this.#heads[this.#count] = at;
      this.#tails[this.#count] = at;
      this.#limits[this.#count] = at + FIRST - POINTER;
    }
  }

  #extend(run: number): number {
    const level = Math.min(this.#levels[run]! + 1, LEVELS - 1);
    const at = this.#allocate(FIRST << level);
    const full = this.#limits[run]!;
    pointer(this.#chunks[full >>> CHUNK_BITS]!).setUint32(full & INSIDE, at);
    this.#levels[run] = level;
    this.#limits[run] = at + (FIRST << level) - POINTER;
    return at;
  }

  #allocate(size: number): number {
    if (this.#chunks.length * CHUNK - this.#used < size) {
      this.#used = this.#chunks.length * CHUNK;
      this.#chunks.push(new Uint8Array(CHUNK));
    }
    const at = this.#used;
    this.#used += size;
    return at;
  }
}

const pointer = (chunk: Uint8Array) => new DataView(chunk.buffer);

function grown<T extends Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
