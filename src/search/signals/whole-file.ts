import type { Scorer } from '../scoring/bm25f-scorer.ts';
import { addUp } from '../scoring/term-score-cache.ts';
import type { Signal } from './signal.ts';

/** BM25 of the whole text against the whole file: finds files that are about it all over. */
export const wholeFile: Signal = ({ code, query, space }) => {
  const { files, worths } = space;
  const field = { index: code.files, weight: 1, lengthPenalty: 0.6 };
  const read = (term: string) => files.addField(field, term);
  addUp(query.terms, files, (term) => worths.of('wholeFile', term, files, read));
  return scoresOf(space.files, code.fileCount);
};

/** The scores of all documents as a signal. */
export function scoresOf(scorer: Scorer, count: number): Float32Array {
  const values = new Float32Array(count);
  for (const document of scorer.documents()) values[document] = scorer.score(document);
  return values;
}
