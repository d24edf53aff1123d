import { MAX_DIMENSIONS, openDotProducts } from './dot-products.ts';
import { type SharedWasmMemory, WASM_PAGE_BYTES, webAssembly } from './web-assembly.ts';

/** Vectors by document number, in memory that any thread can read. */
export interface QuantizedVectors {
  readonly count: number;
  /** Inner products of one of the documents with all: 1 for like ones where vectors have length 1. */
  similarities(document: number): Float32Array;
  /** The same of any other vector; numbers beyond the width are passed over. */
  products(query: Float32Array): Float32Array;
  /** What another thread hands to `openVectors`. */
  readonly shared: SharedVectors;
}

/**
 * Memory that threads share: `width` signed bytes a vector, one after the other, then a 32-bit float a vector, by
 * which its bytes are multiplied.
 */
export interface SharedVectors {
  readonly count: number;
  readonly width: number;
  readonly memory: SharedWasmMemory;
}

const MAX_INT8 = 127;
const MIN_WIDTH = 32;

/** Bytes that a vector of so many numbers takes: a multiple of 8, the last ones zero. Throws a RangeError beyond MOST_WIDE. */
export function paddedWidth(dimensions: number): number {
  if (dimensions > MAX_DIMENSIONS) throw new RangeError(`A vector has at most ${MAX_DIMENSIONS} numbers.`);
  return Math.max(MIN_WIDTH, Math.ceil(dimensions / 8) * 8);
}

/** Room for so many vectors. Throws a RangeError beyond 4 GiB: 16 million vectors of 256 numbers, 2.7 million of 1536. */
export function allocateVectors(count: number, width: number): SharedVectors {
  const pages = Math.ceil((count * (width + 4)) / WASM_PAGE_BYTES);
  return { count, width, memory: new webAssembly.Memory({ initial: pages, maximum: pages, shared: true }) };
}

/** Rounds vectors, `dimensions` numbers each, to 8 bits a number; each has the scale of its largest one. */
export function quantize(vectors: Float32Array, dimensions: number): QuantizedVectors {
  const width = paddedWidth(dimensions);
  const shared = allocateVectors(vectors.length / dimensions, width);
  const { bytes, factors } = viewVectors(shared);
  for (let document = 0; document < shared.count; document++) {
    const vector = vectors.subarray(document * dimensions, (document + 1) * dimensions);
    factors[document] = quantizeVector(vector, bytes.subarray(document * width, (document + 1) * width));
  }
  return openVectors(shared);
}

/** Writes the rounded vector to `bytes` and returns by what these are to be multiplied; 0 for a vector of zeros. */
export function quantizeVector(vector: Float32Array, bytes: Int8Array): number {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return 0;
  const length = Math.min(vector.length, bytes.length);
  for (let i = 0; i < length; i++) bytes[i] = Math.round((vector[i]! / largest) * MAX_INT8);
  return largest / MAX_INT8;
}

/** The vectors of a shared memory, in this thread. */
export function openVectors(shared: SharedVectors): QuantizedVectors {
  const { count, width } = shared;
  const { bytes, factors } = viewVectors(shared);
  const dots = openDotProducts(shared.memory, width);
  const rounded = new Int8Array(width);
  const multiply = (query: Int8Array, factor: number) => {
    const sums = dots.all(query, count);
    const products = new Float32Array(count);
    for (let i = 0; i < count; i++) products[i] = sums[i]! * factors[i]! * factor;
    return products;
  };
  return {
    count,
    shared,
    similarities: (document) =>
      multiply(bytes.subarray(document * width, (document + 1) * width), factors[document]!),
    products: (query) => {
      const factor = quantizeVector(query, rounded.fill(0));
      return multiply(rounded, factor);
    },
  };
}

/** The bytes of all vectors, and what each is multiplied by. */
export function viewVectors({ count, width, memory }: SharedVectors): {
  bytes: Int8Array;
  factors: Float32Array;
} {
  return {
    bytes: new Int8Array(memory.buffer, 0, count * width),
    factors: new Float32Array(memory.buffer, count * width, count),
  };
}
