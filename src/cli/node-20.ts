import zlib from 'node:zlib';

/** Adds to Node 20 what the program uses of newer ones; first import of every program in the package of the command line. */
Map.groupBy ??= (items, keyOf) => {
  const groups = new Map();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
// The index of changes is compressed by zstd, which only newer Nodes have.
const { deflateRawSync, inflateRawSync } = zlib;
if (!zlib.zstdCompressSync)
  Object.assign(zlib, {
    zstdCompressSync: (bytes: Uint8Array) => deflateRawSync(bytes),
    zstdDecompressSync: (bytes: Uint8Array) => inflateRawSync(bytes),
  });
// Iterator helpers, eager: every iterator of the program ends.
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
for (const name of ['find', 'some', 'every', 'reduce', 'forEach'] as const) {
  iterators[name] ??= function (this: Iterable<unknown>, ...args: [never]) {
    const items = [...this];
    return Reflect.apply(items[name], items, args);
  };
}
for (const name of ['map', 'filter', 'flatMap'] as const) {
  iterators[name] ??= function (this: Iterable<unknown>, ...args: [never]) {
    const items = [...this];
    return Reflect.apply(items[name], items, args)[Symbol.iterator]();
  };
}
iterators.toArray ??= function (this: Iterable<unknown>) {
  return [...this];
};
