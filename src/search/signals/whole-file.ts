import type { Bm25fScorer } from '../lexical/bm25f-scorer.ts';
import { accumulateTerms } from '../lexical/term-score-cache.ts';
import type { Signal } from './signal.ts';

/** BM25 of the whole text against the whole file, which favors files about the subject throughout. */
export const wholeFile: Signal = ({ code, query, space }) => {
  const { files, termScores } = space;
  const field = { index: code.files, weight: 1, lengthPenalty: 0.6 };
  const addOccurrences = (term: string) => files.addField(field, term);
  accumulateTerms(query.terms, files, (term) =>
    termScores.getOrCompute('wholeFile', term, files, addOccurrences),
  );
  return toSignalValues(space.files, code.fileCount);
};

/** Copies the scores of all documents. */
export function toSignalValues(scorer: Bm25fScorer, count: number): Float32Array {
  const values = new Float32Array(count);
  for (const doc of scorer.matches()) values[doc] = scorer.score(doc);
  return values;
}
