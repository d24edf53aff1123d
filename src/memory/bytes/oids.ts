/** Index in `order` of the first oid that is not below `wanted`, which may be a prefix. */
export function lowerBoundOid(
  oids: Uint8Array,
  width: number,
  order: Uint32Array,
  wanted: Uint8Array,
): number {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareOids(oids, order[middle]! * width, wanted, 0, wanted.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the number of a full oid; -1 when absent. */
export function findOid(oids: Uint8Array, width: number, order: Uint32Array, wanted: Uint8Array): number {
  const found = order[lowerBoundOid(oids, width, order, wanted)];
  return found !== undefined && compareOids(oids, found * width, wanted, 0, width) === 0 ? found : -1;
}

/** Numbers of concatenated oids, `width` bytes each, in ascending order of the oids. */
export function sortOids(oids: Uint8Array, width: number): Uint32Array {
  const order = Uint32Array.from({ length: oids.length / width }, (_, i) => i);
  return order.sort((a, b) => compareOids(oids, a * width, oids, b * width, width));
}

function compareOids(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number, bytes: number): number {
  for (let i = 0; i < bytes; i++) {
    const difference = a[fromA + i]! - b[fromB + i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns a reader of concatenated oids as hexadecimal digits. */
export function createOidReader(bytes: Uint8Array, count: number): (number: number) => string {
  const width = count === 0 ? 0 : bytes.length / count;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (number) => buffer.toString('hex', number * width, (number + 1) * width);
}
