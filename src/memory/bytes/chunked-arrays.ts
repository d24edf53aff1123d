import { addSection, type Draft, type ShardFile } from './container.ts';

/** Elements a chunk: growing never copies, so that building needs no more memory than it holds. */
const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const CHUNK_MASK = CHUNK - 1;

/** A list of whole numbers up to 2^32 - 1 that grows at its end. */
export class ChunkedUint32Array {
  readonly #chunks: Uint32Array[] = [];
  length = 0;

  /** Bytes of memory. */
  get allocatedBytes(): number {
    return this.#chunks.length * CHUNK * 4;
  }

  push(value: number): void {
    if ((this.length & CHUNK_MASK) === 0) this.#chunks.push(new Uint32Array(CHUNK));
    this.#chunks[this.length >>> CHUNK_BITS]![this.length & CHUNK_MASK] = value;
    this.length++;
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS]![index & CHUNK_MASK]!;
  }

  /** All elements in pieces, at least one. */
  chunks(): Uint32Array[] {
    return trimChunks(this.#chunks, this.length, new Uint32Array(0));
  }
}

/** A list of bytes that grows at its end, by numbers or whole runs. */
export class ChunkedUint8Array {
  readonly #chunks: Uint8Array[] = [];
  length = 0;

  /** Bytes of memory. */
  get allocatedBytes(): number {
    return this.#chunks.length * CHUNK;
  }

  push(value: number): void {
    if ((this.length & CHUNK_MASK) === 0) this.#chunks.push(new Uint8Array(CHUNK));
    this.#chunks[this.length >>> CHUNK_BITS]![this.length & CHUNK_MASK] = value;
    this.length++;
  }

  append(run: Uint8Array): void {
    for (let at = 0; at < run.length; ) {
      if ((this.length & CHUNK_MASK) === 0) this.#chunks.push(new Uint8Array(CHUNK));
      const place = this.length & CHUNK_MASK;
      const part = run.subarray(at, at + CHUNK - place);
      this.#chunks[this.length >>> CHUNK_BITS]!.set(part, place);
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
    const place = start & CHUNK_MASK;
    if (start === end) return new Uint8Array(0);
    if (place + end - start <= CHUNK) return this.#chunks[chunk]!.subarray(place, place + end - start);
    const copy = new Uint8Array(end - start);
    for (let at = start; at < end; ) {
      const part = this.slice(at, Math.min(end, (at | CHUNK_MASK) + 1));
      copy.set(part, at - start);
      at += part.length;
    }
    return copy;
  }

  /** All elements in pieces, at least one. */
  chunks(): Uint8Array[] {
    return trimChunks(this.#chunks, this.length, new Uint8Array(0));
  }

  toArray(): Uint8Array {
    return Buffer.concat(this.chunks(), this.length);
  }
}

function trimChunks<T extends Uint8Array | Uint32Array>(chunks: readonly T[], length: number, none: T): T[] {
  return length === 0 ? [none] : chunks.map((chunk, i) => chunk.subarray(0, length - i * CHUNK) as T);
}

/** Values grouped by key: those of key k are `values[starts[k]]` up to `values[starts[k + 1]]`, in the order given. */
export interface Groups {
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
}

/** Groups `values` by the keys beside them; keys run from 0 to `keyCount - 1`. A counting sort. */
export function groupByKey(keys: ChunkedUint32Array, values: ChunkedUint32Array, keyCount: number): Groups {
  const starts = new Uint32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) starts[keys.at(i) + 1]!++;
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
  const next = starts.slice();
  const grouped = new Uint32Array(values.length);
  for (let i = 0; i < keys.length; i++) grouped[next[keys.at(i)]!++] = values.at(i);
  return { starts, values: grouped };
}

/** The values of one key. */
export function valuesOf(groups: Groups, key: number): Uint32Array {
  return groups.values.subarray(groups.starts[key], groups.starts[key + 1]);
}

/** Adds groups to a draft as `<name>.starts` and `<name>.values`. */
export function addGroups(draft: Draft, name: string, groups: Groups): void {
  addSection(draft, `${name}.starts`, groups.starts);
  addSection(draft, `${name}.values`, groups.values);
}

/** Groups that were written as `<name>.starts` and `<name>.values`. */
export function openGroups(file: ShardFile, name: string): Groups {
  return { starts: file.u32(`${name}.starts`), values: file.u32(`${name}.values`) };
}

/** Where each of several runs begins, and where the last one ends. */
export function prefixSums(counts: readonly number[]): Uint32Array {
  const sums = new Uint32Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i]! + count;
  });
  return sums;
}

/** The last place of an ascending list, but for its end, whose value is at most `wanted`. */
export function lastAtMost(ascending: Uint32Array, wanted: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (ascending[middle]! <= wanted) low = middle;
    else high = middle;
  }
  return low;
}
