/** Prefix of the terms that are paths, which no word of a text contains. */
const PATH_MARK = '\0';

/**
 * Key of a term: 48 bits of two hashes over its UTF-16 units (FNV-1a, and a second one with another prime). Two of a
 * million terms collide in about one of 280 indexes; results are verified against the diff anyway.
 */
export function termKey(term: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  return (high >>> 0) * 0x10000 + ((low ^ (low >>> 13)) & 0xffff);
}

/** Key of the postings of a path. */
export function pathKey(path: string): number {
  return termKey(PATH_MARK + path);
}

/** Numbers keys in the order of their first appearance. An open-addressing hash table that grows at two thirds. */
export class KeyTable {
  #slots = new Uint32Array(1 << 12);
  #keys = new Float64Array(1 << 11);
  size = 0;

  /** The number of a key, added if it is new. */
  number(key: number): number {
    const slot = this.#slotOf(key);
    if (this.#slots[slot] !== 0) return this.#slots[slot]! - 1;
    if ((this.size + 1) * 1.5 > this.#slots.length) {
      this.#grow();
      return this.number(key);
    }
    if (this.size === this.#keys.length) this.#keys = doubled(this.#keys);
    this.#keys[this.size] = key;
    this.#slots[slot] = ++this.size;
    return this.size - 1;
  }

  /** All keys by number. */
  keys(): Float64Array {
    return this.#keys.subarray(0, this.size);
  }

  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    // The middle bits, taken from a number beyond 32 bits.
    let slot = Math.floor(key / 0x100) & mask;
    while (this.#slots[slot] !== 0 && this.#keys[this.#slots[slot]! - 1] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let number = 0; number < this.size; number++) {
      this.#slots[this.#slotOf(this.#keys[number]!)] = number + 1;
    }
  }
}

function doubled(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}
