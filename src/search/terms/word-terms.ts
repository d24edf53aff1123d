import { scanWords, wordTerms } from '#memory/tokens.ts';

/** Words that a thread remembers with their terms: those of everyday questions and of a project's code. */
const CACHE_SIZE = 1 << 15;
/** Longer words are rare: they are cut anew each time. */
const MAX_CACHED_LENGTH = 48;

/** Those that were met lately; of those before, what is met again comes back. */
let recent = new Map<string, readonly string[]>();
let previous = recent;

/** As `wordTerms`; words repeat, and cutting and stemming one takes longer than all else that is done with it. */
export function cachedWordTerms(word: string): readonly string[] {
  const remembered = recent.get(word);
  if (remembered) return remembered;
  const terms = previous.get(word) ?? wordTerms(word);
  if (word.length > MAX_CACHED_LENGTH) return terms;
  if (recent.size === CACHE_SIZE) [previous, recent] = [recent, new Map()];
  // A copy: a slice would keep the whole text alive.
  recent.set(Buffer.from(word).toString(), terms);
  return terms;
}

/** Calls `sink` with every term of a text, as `tokenize` does. */
export function forEachTerm(text: string, sink: (term: string) => void): void {
  scanWords(text, (start, end) => {
    for (const term of cachedWordTerms(text.slice(start, end))) sink(term);
  });
}
