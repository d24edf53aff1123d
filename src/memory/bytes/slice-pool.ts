/** Bytes per chunk: a slice lies in one chunk. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK - 1;
/** Bytes of a list's first slice; each further one is twice as large, up to the last level. */
const MIN_SLICE_BYTES = 8;
const LEVELS = 8;
/** Bytes at the end of a slice that point to the next. */
const POINTER_BYTES = 4;
/** Fields of a list, adjacent in memory since they are read together: their number and their indexes. */
const [FIELDS, HEAD, TAIL, LIMIT, LEVEL] = [4, 0, 1, 2, 3] as const;

/**
 * A pool of very many append-only byte lists, as Lucene's ByteBlockPool:
 *
 *     list = slice of 8 bytes → 16 → 32 … → 1024 → 1024      each ends with the offset of the next, 4 bytes
 *
 * Most lists stay in their first slice, long ones waste little, and growing copies nothing.
 */
export class SlicePool {
  readonly #chunks: Uint8Array[] = [];
  /** The same memory as 32-bit numbers, for the offsets of slices. */
  readonly #pointers: Uint32Array[] = [];
  #used = 0;
  /** Of each list: its first byte, its end, the end of its last slice, and the level of that slice. */
  #lists = new Uint32Array(FIELDS * 1024);
  #count = 0;

  get allocatedBytes(): number {
    return this.#chunks.length * CHUNK + this.#lists.byteLength;
  }

  /** Appends a byte to a list. */
  push(list: number, byte: number): void {
    if (list >= this.#count) this.#create(list);
    const lists = this.#lists;
    const of = list * FIELDS;
    let at = lists[of + TAIL]!;
    if (at === lists[of + LIMIT]) at = this.#extend(of);
    this.#chunks[at >>> CHUNK_BITS]![at & CHUNK_MASK] = byte;
    lists[of + TAIL] = at + 1;
  }

  /** Calls `sink` with the bytes of a list, slice by slice. */
  read(list: number, sink: (bytes: Uint8Array) => void): void {
    if (list >= this.#count) return;
    const of = list * FIELDS;
    let at = this.#lists[of + HEAD]!;
    for (let level = 0; ; level = Math.min(level + 1, LEVELS - 1)) {
      const chunk = this.#chunks[at >>> CHUNK_BITS]!;
      const limit = at + (MIN_SLICE_BYTES << level) - POINTER_BYTES;
      const last = limit === this.#lists[of + LIMIT];
      sink(
        chunk.subarray(at & CHUNK_MASK, (at & CHUNK_MASK) + (last ? this.#lists[of + TAIL]! : limit) - at),
      );
      if (last) return;
      at = this.#pointers[limit >>> CHUNK_BITS]![(limit & CHUNK_MASK) >>> 2]!;
    }
  }

  #create(list: number): void {
    if ((list + 1) * FIELDS > this.#lists.length) {
      const grown = new Uint32Array(Math.max((list + 1) * FIELDS, this.#lists.length * 2));
      grown.set(this.#lists);
      this.#lists = grown;
    }
    for (; this.#count <= list; this.#count++) {
      const at = this.#allocate(MIN_SLICE_BYTES);
      this.#lists.set([at, at, at + MIN_SLICE_BYTES - POINTER_BYTES, 0], this.#count * FIELDS);
    }
  }

  #extend(of: number): number {
    const lists = this.#lists;
    const level = Math.min(lists[of + LEVEL]! + 1, LEVELS - 1);
    const at = this.#allocate(MIN_SLICE_BYTES << level);
    const full = lists[of + LIMIT]!;
    this.#pointers[full >>> CHUNK_BITS]![(full & CHUNK_MASK) >>> 2] = at;
    lists[of + LEVEL] = level;
    lists[of + LIMIT] = at + (MIN_SLICE_BYTES << level) - POINTER_BYTES;
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
