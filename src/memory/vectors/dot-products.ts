import { type SharedWasmMemory, WASM_PAGE_BYTES, type WasmMemory, webAssembly } from './web-assembly.ts';

/**
 * Dot products of one vector with all others by 128-bit SIMD, which JavaScript itself lacks. The module is small enough to be
 * assembled here from the WebAssembly binary format, version 1.
 *
 *     memory 0   imported, shared between threads: the vectors, `width` signed bytes each
 *     memory 1   exported, one per thread: the query as 16-bit numbers, then a 32-bit result per vector
 *     dots(first, count, results)   multiplies from byte `first` of memory 0 on, writes from byte `results` of memory 1
 *
 * The width is built in, a multiple of 8. A product of two signed bytes fits 15 bits, a sum of MAX_DIMENSIONS of them 28: nothing
 * can overflow.
 */
type DotProductsFunction = (first: number, count: number, results: number) => void;

/** Dot products over shared vectors in one thread. */
interface DotProducts {
  /** Multiplies `query`, signed bytes of the vectors' width, with `count` vectors. Valid until the next call. */
  all(query: Int8Array, count: number): Int32Array;
}

/** Pages of 4 GiB, the maximum of a memory. */
const MAX_PAGES = 65_536;
/** Dimensions of a vector: every eight of them are unrolled into a step of the program. */
export const MAX_DIMENSIONS = 8192;

const V128 = 0x7b;
const I32 = 0x7f;
const LOCAL_GET = 0x20;
const LOCAL_SET = 0x21;
const LOCAL_TEE = 0x22;
const I32_ADD = 0x6a;
const SIMD = 0xfd;

/** Unsigned LEB128. */
function encodeUnsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encodeUnsigned(value >>> 7)];
}

/** `i32.const` with a non-negative number in signed LEB128. */
function i32Const(value: number): number[] {
  return value < 64 ? [0x41, value] : [0x41, ...encodeUnsigned(value).slice(0, -1), ...lastSigned(value)];
}

function lastSigned(value: number): number[] {
  const last = encodeUnsigned(value).at(-1)!;
  return last < 64 ? [last] : [last | 128, 0];
}

const section = (id: number, content: number[]) => [id, ...encodeUnsigned(content.length), ...content];
const text = (word: string) => [word.length, ...Buffer.from(word)];
const simd = (operation: number, ...rest: number[]) => [SIMD, ...encodeUnsigned(operation), ...rest];
/** Reads 8 signed bytes of memory 0 as eight 16-bit numbers. */
const loadVector = (offset: number) => simd(1, 0, ...encodeUnsigned(offset));
/** Reads eight 16-bit numbers of memory 1. Bit 6 of the alignment announces a memory index. */
const loadQuery = (offset: number) => simd(0, 0x40, 1, ...encodeUnsigned(offset));
const multiplyPairs = simd(0xba);
const addLanes = simd(0xae);
const lane = (index: number) => simd(0x1b, index);

/** Independent sums, so that additions do not wait for each other. */
const ACCUMULATORS = 4;

function assemble(width: number): Uint8Array<ArrayBuffer> {
  const [first, count, results, sum, query] = [0, 1, 2, 3, 3 + ACCUMULATORS] as const;
  const keep = (k: number) => [...i32Const(0), ...loadQuery(16 * k), LOCAL_SET, ...encodeUnsigned(query + k)];
  const step = (k: number) => [
    ...[LOCAL_GET, first, ...loadVector(8 * k), LOCAL_GET, ...encodeUnsigned(query + k), ...multiplyPairs],
    ...(k < ACCUMULATORS ? [] : [LOCAL_GET, sum + (k % ACCUMULATORS), ...addLanes]),
    ...[LOCAL_SET, sum + (k % ACCUMULATORS)],
  ];
  const eights = Array.from({ length: width / 8 }, (_, k) => k);
  const add = [1, 2, 3].flatMap((k) => [LOCAL_GET, sum + k, ...addLanes]);
  const lanes = [1, 2, 3].flatMap((index) => [LOCAL_GET, sum, ...lane(index), I32_ADD]);
  const body = [
    ...[1, ...encodeUnsigned(ACCUMULATORS + eights.length), V128],
    ...[LOCAL_GET, count, 0x45, 0x04, 0x40, 0x0f, 0x0b], // if (count == 0) return
    ...eights.flatMap(keep),
    ...[0x03, 0x40], // loop
    ...eights.flatMap(step),
    ...[LOCAL_GET, results, LOCAL_GET, sum, ...add, LOCAL_TEE, sum, ...lane(0), ...lanes],
    ...[0x36, 0x42, 1, 0], // i32.store to memory 1
    ...[LOCAL_GET, first, ...i32Const(width), I32_ADD, LOCAL_SET, first],
    ...[LOCAL_GET, results, ...i32Const(4), I32_ADD, LOCAL_SET, results],
    ...[LOCAL_GET, count, ...i32Const(1), 0x6b, LOCAL_TEE, count, 0x0d, 0], // if (--count) again
    ...[0x0b, 0x0b],
  ];
  const maxPages = encodeUnsigned(MAX_PAGES);
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, I32, I32, I32, 0]),
    ...section(2, [1, ...text('vectors'), ...text('memory'), 2, 3, 0, ...maxPages]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, 1, ...maxPages]),
    ...section(7, [2, ...text('dots'), 0, 0, ...text('own'), 2, 1]),
    ...section(10, [1, ...encodeUnsigned(body.length), ...body]),
  ]);
}

/** Compiled modules by width. */
const compiled = new Map<number, object>();

/**
 * Opens the vectors at the start of a shared memory in this thread; `width` is a multiple of 8 from 32 to MAX_DIMENSIONS.
 */
export function openDotProducts(memory: SharedWasmMemory, width: number): DotProducts {
  const module = compiled.get(width) ?? new webAssembly.Module(assemble(width));
  compiled.set(width, module);
  const queryBytes = 2 * width;
  const { exports } = new webAssembly.Instance(module, { vectors: { memory } });
  const { dots, own } = exports as { dots: DotProductsFunction; own: WasmMemory };
  return {
    all: (query, count) => {
      const missing = queryBytes + 4 * count - own.buffer.byteLength;
      if (missing > 0) own.grow(Math.ceil(missing / WASM_PAGE_BYTES));
      new Int16Array(own.buffer, 0, width).set(query);
      dots(0, count, queryBytes);
      return new Int32Array(own.buffer, queryBytes, count);
    },
  };
}
