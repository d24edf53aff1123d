type SortedNumbers = Uint32Array | Float64Array;

/** Index of the first number that is not below `value`; the length when there is none. */
export function lowerBound(sorted: SortedNumbers, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first number that is above `value`; the length when there is none. */
export function upperBound(sorted: SortedNumbers, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
