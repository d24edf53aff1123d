import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DIMENSIONS } from './dimensions.ts';
import { openDotProducts } from './dot-products.ts';
import { allocateVectors, openVectors, quantize } from './vectors.ts';

const byte = fc.integer({ min: -128, max: 127 });

test('products of bytes are exact, at the ends of their range and for any number of vectors', () => {
  const someBytes = fc.uint8Array({ minLength: DIMENSIONS, maxLength: DIMENSIONS });
  fc.assert(
    fc.property(fc.array(someBytes, { maxLength: 40 }), someBytes, byte, (vectors, query, edge) => {
      const all = [...vectors, new Uint8Array(DIMENSIONS).fill(edge)].map((vector) => new Int8Array(vector));
      const { memory } = allocateVectors(all.length);
      all.forEach((vector, document) => {
        new Int8Array(memory.buffer).set(vector, document * DIMENSIONS);
      });
      const asked = new Int8Array(query);
      const expected = all.map((vector) => vector.reduce((sum, value, i) => sum + value * asked[i]!, 0));
      expect([...openDotProducts(memory).all(asked, all.length)]).toEqual(expected);
    }),
  );
});

test('more vectors than the first page of results holds are multiplied too', () => {
  const count = 70_000;
  const { memory } = allocateVectors(count);
  const bytes = new Int8Array(memory.buffer);
  for (let document = 0; document < count; document++) bytes[document * DIMENSIONS] = document % 100;
  const products = openDotProducts(memory).all(new Int8Array(DIMENSIONS).fill(1), count);
  expect(products[count - 1]).toBe((count - 1) % 100);
  expect(products.length).toBe(count);
});

test('rounding to 8 bits moves a product of unit vectors by less than 0.02', () => {
  const vectors = fc.array(
    fc.array(fc.double({ min: -1, max: 1, noNaN: true }), lengthOf(DIMENSIONS)),
    lengthOf(6),
  );
  fc.assert(
    fc.property(vectors, (rows) => {
      const unit = rows.map(toUnit);
      const index = quantize(Float32Array.from(unit.flat()));
      unit.forEach((row, document) => {
        const exact = unit.map((other) => other.reduce((sum, value, i) => sum + value * row[i]!, 0));
        for (const found of [index.like(document), index.products(Float32Array.from(row))])
          expect(Math.max(...exact.map((product, i) => Math.abs(product - found[i]!)))).toBeLessThan(0.02);
      });
    }),
    { numRuns: 20 },
  );
});

test('a vector of zeros is like nothing, not even itself', () => {
  const index = quantize(new Float32Array(2 * DIMENSIONS).fill(1, DIMENSIONS));
  expect([...index.like(0)]).toEqual([0, 0]);
  expect(index.like(1)[1]).toBeCloseTo(DIMENSIONS);
});

test('another thread reads the same vectors', async () => {
  const index = quantize(Float32Array.from({ length: 3 * DIMENSIONS }, (_, i) => Math.sin(i)));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(workerData.module).then(({ openVectors }) =>
       parentPort.postMessage(openVectors(workerData.shared).like(1)));`,
    { eval: true, workerData: { shared: index.shared, module: new URL('vectors.ts', import.meta.url).href } },
  );
  const [found] = await once(worker, 'message');
  await worker.terminate();
  expect(found).toEqual(index.like(1));
  expect(openVectors(index.shared).like(1)).toEqual(found);
});

function lengthOf(length: number) {
  return { minLength: length, maxLength: length };
}

function toUnit(row: number[]): number[] {
  const length = Math.hypot(...row);
  return row.map((value) => (length === 0 ? 0 : value / length));
}
