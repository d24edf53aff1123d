import { DIMENSIONS } from './dimensions.ts';
import { openDotProducts } from './dot-products.ts';
import { PAGE, type SharedWasmMemory, webAssembly } from './web-assembly.ts';

/** Vectors by document number, in memory that any thread can read. Made by `quantize`. */
export interface Vectors {
  readonly count: number;
  /** Inner products of one of the documents with all: 1 for like ones where vectors have length 1. */
  like(document: number): Float32Array;
  /** The same of any other vector of DIMENSIONS numbers. */
  products(query: Float32Array): Float32Array;
  /** What another thread hands to `openVectors`. */
  readonly shared: SharedVectors;
}

/**
 * Memory that threads share: DIMENSIONS signed bytes a vector, one after the other, then a 32-bit float a vector, by
 * which its bytes are multiplied.
 */
export interface SharedVectors {
  readonly count: number;
  readonly memory: SharedWasmMemory;
}

const MOST = 127;
/** Bytes of a vector with its factor. */
const VECTOR_BYTES = DIMENSIONS + 4;

/** Room for so many vectors. Throws a RangeError beyond 4 GiB, some 16 million vectors. */
export function allocateVectors(count: number): SharedVectors {
  const pages = Math.ceil((count * VECTOR_BYTES) / PAGE);
  return { count, memory: new webAssembly.Memory({ initial: pages, maximum: pages, shared: true }) };
}

/** Rounds vectors, DIMENSIONS numbers each, to 8 bits a number; each has the scale of its largest one. */
export function quantize(vectors: Float32Array): Vectors {
  const shared = allocateVectors(vectors.length / DIMENSIONS);
  const { bytes, factors } = partsOf(shared);
  for (let document = 0; document < shared.count; document++) {
    const vector = vectors.subarray(document * DIMENSIONS, (document + 1) * DIMENSIONS);
    factors[document] = round(vector, bytes.subarray(document * DIMENSIONS, (document + 1) * DIMENSIONS));
  }
  return openVectors(shared);
}

/** Writes the rounded vector to `bytes` and returns by what these are to be multiplied; 0 for a vector of zeros. */
function round(vector: Float32Array, bytes: Int8Array): number {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return 0;
  for (let i = 0; i < bytes.length; i++) bytes[i] = Math.round((vector[i]! / largest) * MOST);
  return largest / MOST;
}

/** The vectors of a shared memory, in this thread. */
export function openVectors(shared: SharedVectors): Vectors {
  const { count } = shared;
  const { bytes, factors } = partsOf(shared);
  const dots = openDotProducts(shared.memory);
  const rounded = new Int8Array(DIMENSIONS);
  const multiply = (query: Int8Array, factor: number) => {
    const sums = dots.all(query, count);
    const products = new Float32Array(count);
    for (let i = 0; i < count; i++) products[i] = sums[i]! * factors[i]! * factor;
    return products;
  };
  return {
    count,
    shared,
    like: (document) =>
      multiply(bytes.subarray(document * DIMENSIONS, (document + 1) * DIMENSIONS), factors[document]!),
    products: (query) => {
      const factor = round(query, rounded.fill(0));
      return multiply(rounded, factor);
    },
  };
}

function partsOf({ count, memory }: SharedVectors): { bytes: Int8Array; factors: Float32Array } {
  return {
    bytes: new Int8Array(memory.buffer, 0, count * DIMENSIONS),
    factors: new Float32Array(memory.buffer, count * DIMENSIONS, count),
  };
}
