import { scanWords, wordTerms } from '#memory/tokens.ts';

/** Words that a thread remembers with their terms: those of everyday questions and of a project's code. */
const MOST_WORDS = 1 << 15;
/** Longer words are rare: they are cut anew each time. */
const LONGEST_REMEMBERED = 48;

/** Those that were met lately; of those before, what is met again comes back. */
let known = new Map<string, readonly string[]>();
let before = known;

/** As `wordTerms`; words repeat, and cutting and stemming one takes longer than all else that is done with it. */
export function termsOfWord(word: string): readonly string[] {
  const remembered = known.get(word);
  if (remembered) return remembered;
  const terms = before.get(word) ?? wordTerms(word);
  if (word.length > LONGEST_REMEMBERED) return terms;
  if (known.size === MOST_WORDS) [before, known] = [known, new Map()];
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
