/** A function that works out its result once for each object, and keeps it as long as the object is there. */
export function memoizeByIdentity<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
