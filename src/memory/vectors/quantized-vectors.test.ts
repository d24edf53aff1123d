import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DIMENSIONS, openDotProducts } from './dot-products.ts';
import { allocateVectors, openVectors, paddedWidth, quantize } from './quantized-vectors.ts';

const byte = fc.integer({ min: -128, max: 127 });
/** One that fits the registers, and what providers return: more numbers than a byte of the program can name. */
const WIDTHS = [32, 256, 1024, 1536] as const;

test.each(WIDTHS)(
  'products of %i bytes are exact, at the limits of the range and for any number of vectors',
  (width) => {
    const someBytes = fc.uint8Array(lengthOf(width));
    fc.assert(
      fc.property(fc.array(someBytes, { maxLength: 40 }), someBytes, byte, (vectors, query, edge) => {
        const all = [...vectors, new Uint8Array(width).fill(edge)].map((vector) => new Int8Array(vector));
        const { memory } = allocateVectors(all.length, width);
        all.forEach((vector, document) => {
          new Int8Array(memory.buffer).set(vector, document * width);
        });
        const asked = new Int8Array(query);
        const expected = all.map((vector) => vector.reduce((sum, value, i) => sum + value * asked[i]!, 0));
        expect([...openDotProducts(memory, width).all(asked, all.length)]).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  },
);

test('vectors of MAX_DIMENSIONS do not overflow, and larger ones are rejected', () => {
  const { memory } = allocateVectors(1, MAX_DIMENSIONS);
  new Int8Array(memory.buffer).fill(-128);
  const asked = new Int8Array(MAX_DIMENSIONS).fill(-128);
  expect([...openDotProducts(memory, MAX_DIMENSIONS).all(asked, 1)]).toEqual([MAX_DIMENSIONS * 128 * 128]);
  expect(() => paddedWidth(MAX_DIMENSIONS + 1)).toThrow(RangeError);
});

test('results grow beyond the first page of memory', () => {
  const [count, width] = [70_000, 64];
  const { memory } = allocateVectors(count, width);
  const bytes = new Int8Array(memory.buffer);
  for (let document = 0; document < count; document++) bytes[document * width] = document % 100;
  const products = openDotProducts(memory, width).all(new Int8Array(width).fill(1), count);
  expect(products[count - 1]).toBe((count - 1) % 100);
  expect(products.length).toBe(count);
});

test.each([5, 100, 256])(
  'quantizing %i dimensions to 8 bits changes a product of unit vectors by less than 0.02',
  (size) => {
    const vectors = fc.array(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), lengthOf(size)),
      lengthOf(6),
    );
    fc.assert(
      fc.property(vectors, (rows) => {
        const unit = rows.map(toUnit);
        const index = quantize(Float32Array.from(unit.flat()), size);
        unit.forEach((row, document) => {
          const exact = unit.map((other) => other.reduce((sum, value, i) => sum + value * row[i]!, 0));
          for (const found of [index.similarities(document), index.products(Float32Array.from(row))])
            expect(Math.max(...exact.map((product, i) => Math.abs(product - found[i]!)))).toBeLessThan(0.02);
        });
      }),
      { numRuns: 20 },
    );
  },
);

test('a vector of zeros has similarity 0 to all, even to itself', () => {
  const index = quantize(new Float32Array(2 * 256).fill(1, 256), 256);
  expect([...index.similarities(0)]).toEqual([0, 0]);
  expect(index.similarities(1)[1]).toBeCloseTo(256);
});

test('another thread reads the same vectors', async () => {
  const index = quantize(
    Float32Array.from({ length: 3 * 256 }, (_, i) => Math.sin(i)),
    256,
  );
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.module).then(({ openVectors }) =>
       parentPort.postMessage(openVectors(workerData.shared).similarities(1)));`,
    {
      eval: true,
      workerData: { shared: index.shared, module: new URL('quantized-vectors.ts', import.meta.url).href },
    },
  );
  const [found] = await once(worker, 'message');
  await worker.terminate();
  expect(found).toEqual(index.similarities(1));
  expect(openVectors(index.shared).similarities(1)).toEqual(found);
});

function lengthOf(length: number) {
  return { minLength: length, maxLength: length };
}

function toUnit(row: number[]): number[] {
  const length = Math.hypot(...row);
  return row.map((value) => (length === 0 ? 0 : value / length));
}
