/** Caches the results of a function by its argument, without eviction. */
export function memoize<V>(make: (text: string) => V): (text: string) => V {
  const cache = new Map<string, V>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = make(text);
    cache.set(text, result);
    return result;
  };
}
