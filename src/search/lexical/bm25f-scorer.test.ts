import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldIndex } from '#memory/repository-index.ts';
import { Bm25fScorer } from './bm25f-scorer.ts';
import { accumulateTerms, TermScoreCache, topKForTerms } from './term-score-cache.ts';

/** One field over three documents, of which the first two have `word`. */
const index: FieldIndex = {
  count: 3,
  averageLength: 2,
  lengths: Uint32Array.of(1, 4, 1),
  postings: (term) => (term === 'word' ? { docs: Uint32Array.of(0, 1), counts: Uint8Array.of(1, 1) } : null),
};
const field = { index, weight: 1, lengthPenalty: 0.5 };

test('scores by the BM25 formula', () => {
  const scorer = new Bm25fScorer(3);
  scorer.reset();
  scorer.addField(field, 'word');
  const scores = scorer.finishTerm();
  scorer.accumulate(scores, 2);
  const frequency = 1 / (0.5 + (0.5 * 1) / 2);
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  expect(scorer.score(0)).toBeCloseTo((2 * idf * frequency * 2.2) / (frequency + 1.2), 6);
  expect(scores.maxScore).toBeCloseTo(idf * 2.2, 12);
  expect(scorer.topK(5).map(({ doc }) => doc)).toEqual([0, 1]);
});

test('frequencies of fields are summed before saturation: two fields score less than twice one field', () => {
  const scorer = new Bm25fScorer(3);
  scorer.reset();
  scorer.addField(field, 'word');
  scorer.accumulate(scorer.finishTerm(), 1);
  const once = scorer.score(0);
  scorer.reset();
  scorer.addField(field, 'word');
  scorer.addField(field, 'word');
  scorer.accumulate(scorer.finishTerm(), 1);
  expect(scorer.score(0)).toBeGreaterThan(once);
  expect(scorer.score(0)).toBeLessThan(2 * once);
});

test('reset clears the previous query, and an unknown term has no matches', () => {
  const scorer = new Bm25fScorer(3);
  scorer.reset();
  scorer.addField(field, 'word');
  scorer.accumulate(scorer.finishTerm(), 1);
  scorer.reset();
  scorer.addField(field, 'nowhere');
  expect(scorer.finishTerm().maxScore).toBe(0);
  expect([...scorer.matches()]).toEqual([]);
  expect(scorer.score(0)).toBe(0);
});

/** Random documents and a sequence of queries: neither the cache nor the sparse or dense representation may show. */
test('cached scores, sparse and dense lists, and block-max pruning give the results of a fresh scorer', () => {
  const words = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 4 }), {
    minLength: 1,
    // Several blocks of documents.
    maxLength: 300,
    size: 'max',
  });
  const queries = fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), { maxLength: 6 });
  fc.assert(
    fc.property(words, queries, (documents, questions) => {
      const text = indexOf(documents);
      const shared = new Bm25fScorer(documents.length);
      // Fits one or two lists.
      const cache = new TermScoreCache(12 * documents.length);
      for (const question of questions) {
        const terms = question.map((term, place) => ({ term, count: 1, weight: 1 + place }));
        const scoresOn = (scorer: Bm25fScorer, cache: TermScoreCache) => (term: string) =>
          cache.getOrCompute('words', term, scorer, () =>
            scorer.addField({ index: text, weight: 1, lengthPenalty: 0.5 }, term),
          );
        accumulateTerms(terms, shared, scoresOn(shared, cache));
        const own = new Bm25fScorer(documents.length);
        accumulateTerms(terms, own, scoresOn(own, new TermScoreCache(0)));
        const expected = documents
          .map((_, doc) => ({ doc, score: own.score(doc) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.doc - b.doc);
        expect(shared.topK(documents.length)).toEqual(expected);
        expect([...shared.matches()].sort((a, b) => a - b)).toEqual(
          expected.map(({ doc }) => doc).sort((a, b) => a - b),
        );
        const top = topKForTerms(terms, shared, scoresOn(shared, cache), 3);
        expect(top.length).toBe(Math.min(3, expected.length));
        top.forEach(({ doc, score }, place) => {
          expect(score).toBeCloseTo(own.score(doc), 9);
          expect(score).toBeCloseTo(expected[place]!.score, 9);
        });
      }
    }),
  );
});

function indexOf(documents: string[][]): FieldIndex {
  const lengths = Uint32Array.from(documents, (words) => words.length);
  return {
    count: documents.length,
    averageLength: lengths.reduce((sum, length) => sum + length, 0) / documents.length,
    lengths,
    postings: (term) => {
      const counts = documents.map((words) => words.filter((word) => word === term).length);
      const docs = counts.flatMap((count, document) => (count > 0 ? [document] : []));
      if (docs.length === 0) return null;
      return { docs: Uint32Array.from(docs), counts: Uint8Array.from(docs, (document) => counts[document]!) };
    },
  };
}
