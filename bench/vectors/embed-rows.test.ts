import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embedRows } from './embed-rows.ts';
import { SparseBuilder } from './sparse.ts';

const columns = (rows: number) =>
  fc.array(fc.uniqueArray(fc.nat({ max: rows - 1 }), { minLength: 1 }), { minLength: 1, maxLength: 30 });

function matrixOf(rows: number, lists: number[][]) {
  const builder = new SparseBuilder();
  lists.forEach((list, index) => {
    builder.add(list, 1 + (index % 3));
  });
  return builder.finish(rows);
}

/** Inner products of all rows of a dense matrix. */
function products(dense: ArrayLike<number>, width: number): number[] {
  const rows = dense.length / width;
  return Array.from({ length: rows * rows }, (_, pair) => {
    const [a, b] = [Math.floor(pair / rows) * width, (pair % rows) * width];
    let sum = 0;
    for (let k = 0; k < width; k++) sum += dense[a + k]! * dense[b + k]!;
    return sum;
  });
}

function dense(rows: number, lists: number[][]): { values: Float64Array; width: number } {
  const matrix = matrixOf(rows, lists);
  const width = lists.length;
  const values = new Float64Array(rows * width);
  lists.forEach((_, column) => {
    for (let i = matrix.starts[column]!; i < matrix.starts[column + 1]!; i++)
      values[matrix.row[i]! * width + column] = matrix.value[i]!;
  });
  return { values, width };
}

test('with as many numbers as rows, the inner products of the vectors are those of the rows', () => {
  fc.assert(
    fc.property(columns(12), fc.nat(), (lists, seed) => {
      const { values, width } = dense(12, lists);
      const exact = products(values, width);
      const found = products(embedRows(matrixOf(12, lists), 16, seed), 16);
      expect(Math.max(...found.map((product, pair) => Math.abs(product - exact[pair]!)))).toBeLessThan(0.01);
    }),
  );
});

test('with fewer, what groups of rows have in common is kept and their differences are lost', () => {
  // Two groups of 20 files; all files of a group change together, pairs within a group now and then.
  const group = (start: number) => Array.from({ length: 20 }, (_, i) => start + i);
  const lists = [0, 20].flatMap((start) => [
    ...Array.from({ length: 12 }, () => group(start)),
    ...group(start).map((file) => [file, start + ((file + 1) % 20)]),
  ]);
  const similarities = products(embedRows(matrixOf(40, lists), 2, 1), 2);
  const cosine = (a: number, b: number) =>
    similarities[a * 40 + b]! / Math.sqrt(similarities[a * 40 + a]! * similarities[b * 40 + b]!);
  expect(cosine(3, 17)).toBeGreaterThan(0.98);
  expect(Math.abs(cosine(3, 25))).toBeLessThan(0.05);
});

test('the same seed gives the same vectors, to the bit', () => {
  const lists = [
    [0, 1, 2],
    [2, 3],
    [1, 4],
  ];
  expect(embedRows(matrixOf(5, lists), 8, 3)).toEqual(embedRows(matrixOf(5, lists), 8, 3));
});

test('rows without entries, and no rows at all, give zeros', () => {
  expect([...embedRows(matrixOf(3, [[0, 1]]), 4, 1).subarray(8)]).toEqual([0, 0, 0, 0]);
  expect(embedRows(matrixOf(0, []), 4, 1).length).toBe(0);
});
