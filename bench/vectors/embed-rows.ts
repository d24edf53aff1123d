import { cholesky, orthonormalize, symmetricProduct, timesLower } from './cholesky.ts';
import { type SparseMatrix, timesGram } from './sparse.ts';

/** Number of power iterations from the random start. */
const POWER_ITERATIONS = 3;

/**
 * A short vector for every row of a matrix, such that their inner products are close to those of the rows: the best
 * that `width` numbers can do, but for chance, which `seed` fixes. Rows may be fewer than `width`.
 *
 * A truncated singular value decomposition by subspace iteration (Halko, Martinsson, Tropp: Finding structure with
 * randomness, 2011, algorithm 4.4), without the decomposition: with Q spanning the main directions of A·Aᵀ and
 * L·Lᵀ = Qᵀ·A·Aᵀ·Q, the rows of Q·L are the vectors.
 */
export function embedRows(matrix: SparseMatrix, width: number, seed: number): Float32Array {
  let basis = gaussian(matrix.rows * width, seed);
  for (let turn = 0; turn < POWER_ITERATIONS; turn++) {
    basis = timesGram(matrix, basis, width);
    orthonormalize(basis, width);
  }
  // Once more: 32-bit rounding leaves the first pass a little skewed.
  orthonormalize(basis, width);
  const inner = symmetricProduct(basis, timesGram(matrix, basis, width), width);
  timesLower(basis, cholesky(inner, width), width);
  return basis;
}

/** Normally distributed numbers by Box and Muller over a 32-bit linear congruential generator. */
function gaussian(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 1) / 4_294_967_297;
  };
  return Float32Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}
