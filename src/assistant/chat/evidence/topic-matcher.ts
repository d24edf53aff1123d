import { documentFrequency } from '#investigate/locate/document-frequency.ts';
import type { CodeTable } from '#memory/repository-index.ts';
import { forEachTerm } from '#search/lexical/word-terms.ts';
import { coverage, type TopicWord, topicWords, wordWeights } from '../understand/topic-words.ts';

/** Measures how much of a topic a text contains. */
export interface TopicMatcher {
  words: TopicWord[];
  /** Information of the words, beside `words`. */
  weights: number[];
  /** Share of the topic's information that the text has, 0 to 1. */
  match(text: string): number;
  /** Share of the topic's information that the terms have, 0 to 1. */
  matchTerms(terms: ReadonlySet<string>): number;
  /** Terms of the topic and of the words that mean the same, for ranking. */
  query: string;
}

/** Creates the matcher of a topic; words are weighted by their frequency in the files of the index. */
export function createTopicMatcher(
  topic: string,
  code: CodeTable,
  ignored?: ReadonlySet<string>,
): TopicMatcher {
  const words = topicWords(topic).filter(({ variants }) => !variants.some(({ term }) => ignored?.has(term)));
  const weights = wordWeights(words, code.fileCount, (term) => documentFrequency(code.files, term));
  const matchTerms = (found: ReadonlySet<string>) =>
    coverage(
      weights,
      words.map(({ variants }) =>
        variants.reduce((best, { term, strength }) => (found.has(term) ? Math.max(best, strength) : best), 0),
      ),
    );
  return {
    words,
    weights,
    matchTerms,
    match(text) {
      const found = new Set<string>();
      forEachTerm(text, (term) => found.add(term));
      return matchTerms(found);
    },
    query: words.flatMap(({ word, variants }) => [word, ...variants.map(({ term }) => term)]).join(' '),
  };
}
