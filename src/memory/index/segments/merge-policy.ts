/** A segment is reused while it is more than this many times as large as everything after it. */
const MIN_SIZE_RATIO = 4;
/** A segment with a smaller share of visible entries is rewritten. */
const MIN_LIVE_SHARE = 1 / 2;

/**
 * Returns how many of the oldest segments a refresh reuses; the live entries of the others are indexed again into the
 * new one, together with `added` that no segment has. Each reused segment is several times as large as the next, so
 * there are few, and no entry is indexed more often than the logarithm of their number.
 */
export function countReusableSegments(
  segments: readonly { size: number; live: number }[],
  added: number,
): number {
  let reused = 0;
  while (reused < segments.length && segments[reused]!.live >= segments[reused]!.size * MIN_LIVE_SHARE)
    reused++;
  let next = segments.slice(reused).reduce((sum, { live }) => sum + live, added);
  while (reused > 0 && segments[reused - 1]!.size <= next * MIN_SIZE_RATIO) next += segments[--reused]!.live;
  return reused;
}

/** The most entries that may follow a segment of this size without being merged with it. */
export const maxAddedTo = (size: number) => Math.ceil(size / MIN_SIZE_RATIO) - 1;
