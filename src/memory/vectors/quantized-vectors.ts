import { MAX_DIMENSIONS, openDotProducts } from './dot-products.ts';
import { type SharedWasmMemory, WASM_PAGE_BYTES, webAssembly } from './web-assembly.ts';

/** Vectors by document number, in memory that threads share. */
export interface QuantizedVectors {
  readonly count: number;
  /** Inner products of one document with all: cosines where vectors have length 1. */
  similarities(document: number): Float32Array;
  /** Inner products of any vector with all; dimensions beyond the width are ignored. */
  products(query: Float32Array): Float32Array;
  /** Argument of `openVectors` for another thread. */
  readonly shared: SharedVectors;
}

/**
 * Memory that threads share: `width` signed bytes per vector, then a 32-bit float per vector, by which its bytes are
 * multiplied.
 */
export interface SharedVectors {
  readonly count: number;
  readonly width: number;
  readonly memory: SharedWasmMemory;
}

const MAX_INT8 = 127;
const MIN_WIDTH = 32;

/** Bytes of a vector: a multiple of 8, the last ones zero. Throws a RangeError beyond MAX_DIMENSIONS. */
export function paddedWidth(dimensions: number): number {
  if (dimensions > MAX_DIMENSIONS) throw new RangeError(`A vector has at most ${MAX_DIMENSIONS} dimensions.`);
  return Math.max(MIN_WIDTH, Math.ceil(dimensions / 8) * 8);
}

/** Allocates vectors. Throws a RangeError beyond 4 GiB: 16 million of 256 dimensions, 2.7 million of 1536. */
export function allocateVectors(count: number, width: number): SharedVectors {
  const pages = Math.ceil((count * (width + 4)) / WASM_PAGE_BYTES);
  return { count, width, memory: new webAssembly.Memory({ initial: pages, maximum: pages, shared: true }) };
}

/** Quantizes vectors of `dimensions` numbers each to 8 bits per number, scaled by the largest of each vector. */
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

/** Writes the quantized vector to `bytes` and returns their factor; 0 for a vector of zeros. */
export function quantizeVector(vector: Float32Array, bytes: Int8Array): number {
  const largest = vector.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  if (largest === 0) return 0;
  const length = Math.min(vector.length, bytes.length);
  for (let i = 0; i < length; i++) bytes[i] = Math.round((vector[i]! / largest) * MAX_INT8);
  return largest / MAX_INT8;
}

/** Opens shared vectors in this thread. */
export function openVectors(shared: SharedVectors): QuantizedVectors {
  const { count, width } = shared;
  const { bytes, factors } = viewVectors(shared);
  const dots = openDotProducts(shared.memory, width);
  const quantized = new Int8Array(width);
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
      const factor = quantizeVector(query, quantized.fill(0));
      return multiply(quantized, factor);
    },
  };
}

/** Views of the bytes and the factors of all vectors. */
export function viewVectors({ count, width, memory }: SharedVectors): {
  bytes: Int8Array;
  factors: Float32Array;
} {
  return {
    bytes: new Int8Array(memory.buffer, 0, count * width),
    factors: new Float32Array(memory.buffer, count * width, count),
  };
}
