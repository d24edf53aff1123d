import known from './developer-words.json' with { type: 'json' };

const WORDS: ReadonlySet<string> = new Set(known.words.split(' '));

/** True for an English word, in lower case, that developers write anywhere; `bench/fit/developer-words.ts` collects them. */
export function isDeveloperWord(word: string): boolean {
  return WORDS.has(word);
}
