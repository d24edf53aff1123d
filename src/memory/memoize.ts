/** A function that works out its result once for each text, and keeps all of them as long as itself. */
export function memoize<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
