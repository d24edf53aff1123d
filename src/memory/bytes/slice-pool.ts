/** Bytes a chunk: a slice lies in one chunk. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK - 1;
/** Bytes of a run's first slice; each further one is twice as large, up to the largest. */
const MIN_SLICE_BYTES = 8;
const LEVELS = 8;
/** The end of a slice names the place of the next. */
const POINTER_BYTES = 4;
/** What is known of a run, side by side, for it is asked for together: as many numbers, and which is which. */
const [FIELDS, HEAD, TAIL, LIMIT, LEVEL] = [4, 0, 1, 2, 3] as const;

/**
 * Very many runs of bytes that all grow at their ends, side by side in one pool:
 *
 *     run = slice of 8 bytes → 16 → 32 … → 1024 → 1024      each ends with the place of the next, 4 bytes
 *
 * Most runs stay in their first slice, long ones waste little, and growing copies nothing.
 */
export class SlicePool {
  readonly #chunks: Uint8Array[] = [];
  /** The same memory, for the places of slices. */
  readonly #pointers: Uint32Array[] = [];
  #used = 0;
  /** Of each run: its first byte, its end, where its last slice has no more room, and how large that is. */
  #runs = new Uint32Array(FIELDS * 1024);
  #count = 0;

  /** Bytes of memory. */
  get allocatedBytes(): number {
    return this.#chunks.length * CHUNK + this.#runs.byteLength;
  }

  /** Adds a byte to a run; a run begins with its first byte. */
  push(run: number, byte: number): void {
    if (run >= this.#count) this.#begin(run);
    const runs = this.#runs;
    const of = run * FIELDS;
    let at = runs[of + TAIL]!;
    if (at === runs[of + LIMIT]) at = this.#extend(of);
    this.#chunks[at >>> CHUNK_BITS]![at & CHUNK_MASK] = byte;
    runs[of + TAIL] = at + 1;
  }

  /** Copies a run to `into`, piece by piece. */
  read(run: number, into: (piece: Uint8Array) => void): void {
    if (run >= this.#count) return;
    const of = run * FIELDS;
    let at = this.#runs[of + HEAD]!;
    for (let level = 0; ; level = Math.min(level + 1, LEVELS - 1)) {
      const chunk = this.#chunks[at >>> CHUNK_BITS]!;
      const limit = at + (MIN_SLICE_BYTES << level) - POINTER_BYTES;
      const last = limit === this.#runs[of + LIMIT];
      into(chunk.subarray(at & CHUNK_MASK, (at & CHUNK_MASK) + (last ? this.#runs[of + TAIL]! : limit) - at));
      if (last) return;
      at = this.#pointers[limit >>> CHUNK_BITS]![(limit & CHUNK_MASK) >>> 2]!;
    }
  }

  #begin(run: number): void {
    if ((run + 1) * FIELDS > this.#runs.length) {
      const grown = new Uint32Array(Math.max((run + 1) * FIELDS, this.#runs.length * 2));
      grown.set(this.#runs);
      this.#runs = grown;
    }
    for (; this.#count <= run; this.#count++) {
      const at = this.#allocate(MIN_SLICE_BYTES);
      this.#runs.set([at, at, at + MIN_SLICE_BYTES - POINTER_BYTES, 0], this.#count * FIELDS);
    }
  }

  #extend(of: number): number {
    const runs = this.#runs;
    const level = Math.min(runs[of + LEVEL]! + 1, LEVELS - 1);
    const at = this.#allocate(MIN_SLICE_BYTES << level);
    const full = runs[of + LIMIT]!;
    this.#pointers[full >>> CHUNK_BITS]![(full & CHUNK_MASK) >>> 2] = at;
    runs[of + LEVEL] = level;
    runs[of + LIMIT] = at + (MIN_SLICE_BYTES << level) - POINTER_BYTES;
    return at;
  }

  /** Sizes are multiples of 8, and so are places. */
  #allocate(size: number): number {
    if (this.#chunks.length * CHUNK - this.#used < size) {
      this.#used = this.#chunks.length * CHUNK;
      const chunk = new Uint8Array(CHUNK);
      this.#chunks.push(chunk);
      this.#pointers.push(new Uint32Array(chunk.buffer));
    }
    const at = this.#used;
    this.#used += size;
    return at;
  }
}
