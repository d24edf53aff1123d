/**
 * A matrix with few entries, column by column: those of column j are starts[j] up to, without, starts[j + 1]. Rows are
 * what gets a vector, columns what is known of them.
 */
export interface SparseMatrix {
  readonly rows: number;
  readonly starts: Uint32Array;
  readonly row: Uint32Array;
  readonly value: Float32Array;
}

/** Collects columns; entries of a column may come in any order, but each row once. */
export class SparseBuilder {
  private readonly starts = [0];
  private readonly row: number[] = [];
  private readonly value: number[] = [];

  /** Adds a column that has `value` in each of these rows. */
  add(rows: Iterable<number>, value: number): void {
    for (const row of rows) {
      this.row.push(row);
      this.value.push(value);
    }
    this.starts.push(this.row.length);
  }

  /** The matrix of all columns so far, each of its rows divided by its length. */
  finish(rows: number): SparseMatrix {
    const row = Uint32Array.from(this.row);
    const value = Float32Array.from(this.value);
    const squares = new Float64Array(rows);
    for (let i = 0; i < row.length; i++) squares[row[i]!]! += value[i]! ** 2;
    for (let i = 0; i < row.length; i++) value[i]! /= Math.sqrt(squares[row[i]!]!) || 1;
    return { rows, starts: Uint32Array.from(this.starts), row, value };
  }
}

/** A·Aᵀ·Q for a dense Q of `width` columns, row by row; A·Aᵀ is never made. */
export function timesGram(
  { starts, row, value }: SparseMatrix,
  dense: Float32Array,
  width: number,
): Float32Array {
  const product = new Float32Array(dense.length);
  const sum = new Float32Array(width);
  for (let column = 0; column + 1 < starts.length; column++) {
    const [start, end] = [starts[column]!, starts[column + 1]!];
    sum.fill(0);
    for (let i = start; i < end; i++) addTimes(sum, 0, dense, row[i]! * width, value[i]!, width);
    for (let i = start; i < end; i++) addTimes(product, row[i]! * width, sum, 0, value[i]!, width);
  }
  return product;
}

function addTimes(
  to: Float32Array,
  toStart: number,
  from: Float32Array,
  fromStart: number,
  factor: number,
  width: number,
): void {
  for (let k = 0; k < width; k++) to[toStart + k]! += factor * from[fromStart + k]!;
}
