import { scanWords, wordTerms } from '#memory/tokens.ts';

/** Words per generation of the cache. */
const CACHE_SIZE = 1 << 15;
/** Longer words are rare and are not cached. */
const MAX_CACHED_LENGTH = 48;

/** A cache of two generations: a hit in the previous one moves the word to the recent one. */
let recent = new Map<string, readonly string[]>();
let previous = recent;

/** Cached `wordTerms`: words repeat, and splitting and stemming are the most expensive steps. */
export function cachedWordTerms(word: string): readonly string[] {
  const cached = recent.get(word);
  if (cached) return cached;
  const terms = previous.get(word) ?? wordTerms(word);
  if (word.length > MAX_CACHED_LENGTH) return terms;
  if (recent.size === CACHE_SIZE) [previous, recent] = [recent, new Map()];
  // A copy, since a slice keeps the whole text alive.
  recent.set(Buffer.from(word).toString(), terms);
  return terms;
}

/** Visits every term of a text in order. */
export function forEachTerm(text: string, visit: (term: string) => void): void {
  scanWords(text, (start, end) => {
    for (const term of cachedWordTerms(text.slice(start, end))) visit(term);
  });
}
