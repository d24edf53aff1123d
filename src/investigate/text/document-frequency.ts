import type { FieldIndex } from '#memory/repository-index.ts';
import { onceFor } from '#search/memoize-by-identity.ts';

/** Terms whose counts are kept for one index, about a hundred bytes each. */
const MOST_KEPT = 1 << 15;

const countsOf = onceFor((_: FieldIndex) => new Map<string, number>());

/**
 * How many documents of an index have a term. Counting takes reading all of its postings, and errors share most of their
 * common words with earlier ones, so the counts are kept as long as the index.
 */
export function documentCount(index: FieldIndex, term: string): number {
  const counts = countsOf(index);
  let count = counts.get(term);
  if (count === undefined) {
    count = index.postings(term)?.docs.length ?? 0;
    if (counts.size >= MOST_KEPT) counts.clear();
    counts.set(term, count);
  }
  return count;
}
