import { LRUCache } from 'lru-cache';
import { memoizeByIdentity } from '#memory/memoize-by-identity.ts';
import type { FieldIndex } from '#memory/repository-index.ts';

/** Terms cached per index, about a hundred bytes each. */
const CACHE_SIZE = 1 << 15;

const cachedCounts = memoizeByIdentity((_: FieldIndex) => new LRUCache<string, number>({ max: CACHE_SIZE }));

/**
 * Number of documents that contain a term. Cached as long as the index, since counting reads all postings of the term
 * and errors share most of their common words.
 */
export function documentFrequency(index: FieldIndex, term: string): number {
  const counts = cachedCounts(index);
  let count = counts.get(term);
  if (count === undefined) {
    count = index.postings(term)?.docs.length ?? 0;
    counts.set(term, count);
  }
  return count;
}
