/** A pivot below this share of the largest one is a direction that the columns before it already span. */
const DEPENDENT = 1e-7;

/**
 * The lower triangle L of a symmetric matrix, L·Lᵀ = `matrix`, both row by row with `size` columns. Where columns
 * depend on each other, the later ones become 0.
 */
export function cholesky(matrix: Float64Array, size: number): Float64Array {
  const lower = new Float64Array(matrix);
  let largest = 0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, matrix[i * size + i]!);
  for (let j = 0; j < size; j++) {
    let pivot = lower[j * size + j]!;
    for (let k = 0; k < j; k++) pivot -= lower[j * size + k]! ** 2;
    const root = pivot > DEPENDENT * largest ? Math.sqrt(pivot) : 0;
    lower[j * size + j] = root;
    for (let i = j + 1; i < size; i++) {
      let rest = lower[i * size + j]!;
      for (let k = 0; k < j; k++) rest -= lower[i * size + k]! * lower[j * size + k]!;
      lower[i * size + j] = root === 0 ? 0 : rest / root;
    }
    lower.fill(0, j * size + j + 1, (j + 1) * size);
  }
  return lower;
}

/** The lower triangle of Aᵀ·B, which must be symmetric, of two dense matrices of `width` columns, row by row. */
export function symmetricProduct(a: Float32Array, b: Float32Array, width: number): Float64Array {
  const product = new Float64Array(width * width);
  for (let start = 0; start < a.length; start += width) {
    for (let i = 0; i < width; i++) {
      const factor = a[start + i]!;
      if (factor === 0) continue;
      const to = i * width;
      for (let k = 0; k <= i; k++) product[to + k]! += factor * b[start + k]!;
    }
  }
  return product;
}

/** Makes the columns of a dense matrix orthogonal and of length 1, in place; dependent ones become 0. */
export function orthonormalize(dense: Float32Array, width: number): void {
  const upper = transpose(cholesky(symmetricProduct(dense, dense, width), width), width);
  const row = new Float64Array(width);
  for (let start = 0; start < dense.length; start += width) {
    for (let j = 0; j < width; j++) row[j] = dense[start + j]!;
    for (let j = 0; j < width; j++) {
      const pivot = upper[j * width + j]!;
      const value = pivot === 0 ? 0 : row[j]! / pivot;
      dense[start + j] = value;
      if (value === 0) continue;
      // What is left of the later columns, not a sum a column: independent additions are several times as fast.
      for (let k = j + 1; k < width; k++) row[k]! -= value * upper[j * width + k]!;
    }
  }
}

/** Multiplies a dense matrix by a lower triangle from the right, in place. */
export function timesLower(dense: Float32Array, lower: Float64Array, width: number): void {
  const row = new Float64Array(width);
  for (let start = 0; start < dense.length; start += width) {
    row.fill(0);
    for (let k = 0; k < width; k++) {
      const factor = dense[start + k]!;
      if (factor === 0) continue;
      for (let j = 0; j <= k; j++) row[j]! += factor * lower[k * width + j]!;
    }
    dense.set(row, start);
  }
}

function transpose(matrix: Float64Array, size: number): Float64Array {
  return matrix.map((_, at) => matrix[(at % size) * size + Math.floor(at / size)]!);
}
