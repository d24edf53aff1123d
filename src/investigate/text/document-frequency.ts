import type { FieldIndex } from '#memory/repository-index.ts';
import { memoizeByIdentity } from '#search/memoize-by-identity.ts';

/** Terms whose counts are kept for one index, about a hundred bytes each. */
const CACHE_SIZE = 1 << 15;

const cachedCounts = memoizeByIdentity((_: FieldIndex) => new Map<string, number>());

/**
 * How many documents of an index have a term. Counting takes reading all of its postings, and errors share most of their
 * common words with earlier ones, so the counts are kept as long as the index.
 */
export function documentFrequency(index: FieldIndex, term: string): number {
  const counts = cachedCounts(index);
  let count = counts.get(term);
  if (count === undefined) {
    count = index.postings(term)?.docs.length ?? 0;
    if (counts.size >= CACHE_SIZE) counts.clear();
    counts.set(term, count);
  }
  return count;
}
