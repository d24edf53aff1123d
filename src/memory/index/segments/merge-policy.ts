/** A segment is kept while it is more than so many times as large as all that would come behind it. */
const MIN_SIZE_RATIO = 4;
/** A segment of which less than this share is shown is not worth keeping. */
const MIN_LIVE_SHARE = 1 / 2;

/**
 * How many of the oldest segments a refresh keeps; what the others still show is read again into the new one,
 * together with `fresh` that no segment has. Each segment kept is several times as large as the next, so there are
 * few of them, and nothing is read more often than the logarithm of what there is.
 */
export function countReusableSegments(
  segments: readonly { size: number; shown: number }[],
  fresh: number,
): number {
  let kept = 0;
  while (kept < segments.length && segments[kept]!.shown >= segments[kept]!.size * MIN_LIVE_SHARE) kept++;
  let next = segments.slice(kept).reduce((sum, { shown }) => sum + shown, fresh);
  while (kept > 0 && segments[kept - 1]!.size <= next * MIN_SIZE_RATIO) next += segments[--kept]!.shown;
  return kept;
}
