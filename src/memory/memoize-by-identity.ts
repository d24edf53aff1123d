/** Caches a function's result for each argument object as long as that object lives. */
export function memoizeByIdentity<K extends object, V extends object>(compute: (key: K) => V): (key: K) => V {
  const cache = new WeakMap<K, V>();
  return (key) => {
    const cached = cache.get(key);
    if (cached) return cached;
    const value = compute(key);
    cache.set(key, value);
    return value;
  };
}
