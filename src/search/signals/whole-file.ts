import type { Bm25fScorer } from '../scoring/bm25f-scorer.ts';
import { accumulate } from '../scoring/term-score-cache.ts';
import type { Signal } from './signal.ts';

/** BM25 of the whole text against the whole file: finds files that are about it all over. */
export const wholeFile: Signal = ({ code, query, space }) => {
  const { files, termScores: worths } = space;
  const field = { index: code.files, weight: 1, lengthPenalty: 0.6 };
  const read = (term: string) => files.addField(field, term);
  accumulate(query.terms, files, (term) => worths.getOrCompute('wholeFile', term, files, read));
  return toSignalValues(space.files, code.fileCount);
};

/** The scores of all documents as a signal. */
export function toSignalValues(scorer: Bm25fScorer, count: number): Float32Array {
  const values = new Float32Array(count);
  for (const document of scorer.documents()) values[document] = scorer.score(document);
  return values;
}
