/** Numbers a chunk: growing never copies, so that building needs no more memory than it holds. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;

/** A list of whole numbers up to 2^32 - 1 that grows at its end. */
export class GrowingNumbers {
  readonly #chunks: Uint32Array[] = [];
  length = 0;

  push(value: number): void {
    if ((this.length & (CHUNK - 1)) === 0) this.#chunks.push(new Uint32Array(CHUNK));
    this.#chunks[this.length >>> CHUNK_BITS]![this.length & (CHUNK - 1)] = value;
    this.length++;
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & (CHUNK - 1)]!;
  }

  toArray(): Uint32Array {
    const array = new Uint32Array(this.length);
    for (let i = 0; i < this.#chunks.length; i++) {
      array.set(this.#chunks[i]!.subarray(0, this.length - i * CHUNK), i * CHUNK);
    }
    return array;
  }
}

/** A list of bytes that grows at its end, by numbers or whole runs. */
export class GrowingBytes {
  #bytes = new Uint8Array(CHUNK);
  length = 0;

  push(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  append(run: Uint8Array): void {
    this.#reserve(run.length);
    this.#bytes.set(run, this.length);
    this.length += run.length;
  }

  at(index: number): number {
    return this.#bytes[index]!;
  }

  /** A view, valid until the next change. */
  toArray(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.length + more, Math.ceil(this.#bytes.length * 1.5)));
    grown.set(this.toArray());
    this.#bytes = grown;
  }
}

/** Values grouped by key: those of key k are `values[starts[k]]` up to `values[starts[k + 1]]`, in the order given. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Groups `values` by the keys beside them; keys run from 0 to `keyCount - 1`. A counting sort. */
export function group(keys: GrowingNumbers, values: GrowingNumbers, keyCount: number): Groups {
  const starts = new Uint32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) starts[keys.at(i) + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const grouped = new Uint32Array(values.length);
  for (let i = 0; i < keys.length; i++) grouped[next[keys.at(i)]!++] = values.at(i);
  return { starts, values: grouped };
}

/** The values of one key. */
export function groupOf(groups: Groups, key: number): Uint32Array {
  return groups.values.subarray(groups.starts[key], groups.starts[key + 1]);
}
