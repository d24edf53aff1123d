import { inverseDocumentFrequency } from '../lexical/bm25.ts';
import type { TermStatistics } from '../lexical/rank-documents.ts';
import type { Candidates } from './candidates.ts';

/**
 * Makes the scores by words of several projects comparable: a word that one project hardly has is rare there, and would put
 * its few places above those of the project that is about it. Each project's scores are multiplied by
 *
 *   Σ weight · idf over all projects  /  Σ weight · idf in the project,    over the terms that the project has
 */
export function rescaleScores(lists: readonly Candidates[]): readonly Candidates[] {
  const all = lists.flatMap(({ statistics }) => (statistics ? [statistics] : []));
  if (all.length < 2) return lists;
  const total = sumStatistics(all);
  return lists.map((list) => {
    const { statistics } = list;
    if (!statistics) return list;
    const isPresent = (term: number) => statistics.terms[term]!.matchCount > 0;
    const factor = idfMass(total, isPresent) / (idfMass(statistics, isPresent) || 1);
    return { ...list, found: list.found.map((one) => ({ ...one, score: one.score * factor })) };
  });
}

function sumStatistics(all: TermStatistics[]): TermStatistics {
  return {
    docCount: all.reduce((sum, { docCount }) => sum + docCount, 0),
    terms: all[0]!.terms.map(({ weight }, term) => ({
      weight,
      matchCount: all.reduce((sum, { terms }) => sum + terms[term]!.matchCount, 0),
    })),
  };
}

function idfMass({ docCount, terms }: TermStatistics, isPresent: (term: number) => boolean): number {
  return terms.reduce(
    (sum, { weight, matchCount }, term) =>
      isPresent(term) ? sum + weight * inverseDocumentFrequency(docCount, matchCount) : sum,
    0,
  );
}
