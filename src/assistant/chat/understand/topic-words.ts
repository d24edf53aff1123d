import { inverseDocumentFrequency } from '#search/lexical/bm25.ts';
import { cachedWordTerms } from '#search/lexical/word-terms.ts';
import stopWords from './stop-words.json' with { type: 'json' };
import { variantsOf } from './term-variants.ts';

/** An index term that stands for a word: 1 for the word itself, less for a synonym. */
export interface TermVariant {
  term: string;
  strength: number;
}

/** A word of a topic with its terms in the index, the word's own first. */
export interface TopicWord {
  word: string;
  variants: TermVariant[];
  /** Below 1 for words that fit anything, such as `code`. */
  weight: number;
}

const WORD = /[\p{L}\p{N}_$]+/gu;
const STOP_WORDS = new Set(Object.values(stopWords.empty).flatMap((words) => words.split(' ')));
/** Stop words of other languages that name things in English. */
const ENGLISH_NOUNS = new Map([
  ...['comment', 'font'].map((noun) => [noun, foreignStopWords('fr')] as const),
  ...['bin', 'halt', 'man'].map((noun) => [noun, foreignStopWords('de')] as const),
]);
const GENERIC_WORDS = new Set(`${stopWords.generic} ${stopWords.cues}`.split(' '));
const GENERIC_WEIGHT = 0.3;
/** Strength of `http` for `http3`. */
const PART_STRENGTH = 0.6;
const MAX_WORDS = 40;

/** Stop words of a language that English does not have. */
function foreignStopWords(language: 'fr' | 'de'): ReadonlySet<string> {
  const english = new Set(stopWords.empty.en.split(' '));
  return new Set(stopWords.empty[language].split(' ').filter((word) => !english.has(word)));
}

/**
 * Lists the words of a topic that carry information, each once; words of code are split into their parts. `isStop`
 * tells the stop words of the whole question, by whose language `comment` is a noun or the French for *how*.
 */
export function topicWords(topic: string, isStop = stopWordTest(topic)): TopicWord[] {
  const found = new Map<string, TopicWord>();
  for (const [word] of topic.matchAll(WORD)) {
    for (const one of wordParts(word, isStop)) {
      const [{ term }] = one.variants as [TermVariant];
      if (!found.has(term) && found.size < MAX_WORDS) found.set(term, one);
    }
  }
  return [...found.values()];
}

/** True for words that carry no information in any of the four languages. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** Tells the stop words of a text: a noun of English is none, unless it opens the text or other words are of its language. */
export function stopWordTest(text: string): (word: string) => boolean {
  const [first, ...others] = text.toLowerCase().match(WORD) ?? [];
  return (word) => {
    const lower = word.toLowerCase();
    const own = ENGLISH_NOUNS.get(lower);
    const isNoun = own && lower !== first && !others.some((other) => other !== lower && own.has(other));
    return !isNoun && STOP_WORDS.has(lower);
  };
}

function wordParts(word: string, isStop: (word: string) => boolean): TopicWord[] {
  if (isStop(word) || (word.length < 2 && !/\p{Lo}/u.test(word))) return [];
  const [whole, ...parts] = cachedWordTerms(word);
  if (whole === undefined) return [];
  if (parts.length >= 2) return parts.map((part) => toTopicWord(part, part, []));
  return [toTopicWord(word.toLowerCase(), whole, parts)];
}

function toTopicWord(word: string, term: string, parts: string[]): TopicWord {
  const variants = [
    { term, strength: 1 },
    ...parts.map((part) => ({ term: part, strength: PART_STRENGTH })),
    ...variantsOf(word, term),
  ];
  const weight = GENERIC_WORDS.has(word) || GENERIC_WORDS.has(term) ? GENERIC_WEIGHT : 1;
  return { word, variants, weight };
}

/** Number of documents with a term. */
type DocumentFrequency = (term: string) => number;

/**
 * Information of each word by its inverse document frequency: that of its commonest variant, and for a word that no document
 * has a part of that of the rarest, since it may be a word of another language.
 */
export function wordWeights(words: TopicWord[], count: number, frequency: DocumentFrequency): number[] {
  return words.map(({ variants, weight }) => {
    const most = variants.reduce((max, { term, strength }) => Math.max(max, frequency(term) * strength), 0);
    const unknown = most === 0 ? UNKNOWN_WORD_SHARE : 1;
    return weight * unknown * inverseDocumentFrequency(count, most);
  });
}

const UNKNOWN_WORD_SHARE = 0.7;

/** Share of the words' information that is covered, where `strengths` has 0 to 1 for each word. */
export function coverage(weights: readonly number[], strengths: ArrayLike<number>): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const covered = weights.reduce((sum, weight, i) => sum + weight * strengths[i]!, 0);
  return total === 0 ? 0 : covered / total;
}
