/** A file or folder on disk that can be fetched again. */
export interface CachedFiles {
  path: string;
  bytes: number;
  /** Time of its last use in milliseconds since 1970. */
  usedAt: number;
}

/** Files used within this time stay, whatever the size of the cache. */
const MIN_IDLE_MS = 10 * 60_000;

/** Selects the least recently used files whose removal brings the cache to its limit. */
export function selectEvictions<T extends CachedFiles>(
  cached: readonly T[],
  { maxBytes, now }: { maxBytes: number; now: number },
): T[] {
  let excess = cached.reduce((sum, { bytes }) => sum + bytes, -maxBytes);
  const evicted: T[] = [];
  for (const one of cached.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (excess <= 0 || now - one.usedAt < MIN_IDLE_MS) break;
    evicted.push(one);
    excess -= one.bytes;
  }
  return evicted;
}
