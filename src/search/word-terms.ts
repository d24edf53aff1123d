import { scanWords, wordTerms } from '#memory/tokens.ts';

/** Words that a thread remembers with their terms: those of everyday questions and of a project's code. */
const MOST_WORDS = 1 << 15;
/** Longer words are rare: they are cut anew each time. */
const LONGEST_REMEMBERED = 48;

const known = new Map<string, readonly string[]>();

/** As `wordTerms`; words repeat, and cutting and stemming one takes longer than all else that is done with it. */
export function termsOfWord(word: string): readonly string[] {
  const before = known.get(word);
  if (before) return before;
  const terms = wordTerms(word);
  if (word.length > LONGEST_REMEMBERED) return terms;
  if (known.size === MOST_WORDS) known.clear();
  // A copy: a slice would keep the whole text alive.
  known.set(Buffer.from(word).toString(), terms);
  return terms;
}

/** Calls `sink` with every term of a text, as `tokenize` does. */
export function eachTerm(text: string, sink: (term: string) => void): void {
  scanWords(text, (start, end) => {
    for (const term of termsOfWord(text.slice(start, end))) sink(term);
  });
}
