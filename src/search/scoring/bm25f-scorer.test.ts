import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldIndex } from '#memory/repository-index.ts';
import { Bm25fScorer } from './bm25f-scorer.ts';
import { accumulate, topK, TermScoreCache } from './term-score-cache.ts';

/** One field over three documents, of which the first two have `word`. */
const index: FieldIndex = {
  count: 3,
  averageLength: 2,
  lengths: Uint32Array.of(1, 4, 1),
  postings: (term) => (term === 'word' ? { docs: Uint32Array.of(0, 1), counts: Uint8Array.of(1, 1) } : null),
};
const field = { index, weight: 1, lengthPenalty: 0.5 };

test('is BM25 to the letter', () => {
  const scorer = new Bm25fScorer(3);
  scorer.reset();
  scorer.addField(field, 'word');
  const worths = scorer.finishTerm();
  scorer.accumulate(worths, 2);
  const frequency = 1 / (0.5 + (0.5 * 1) / 2);
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  expect(scorer.score(0)).toBeCloseTo((2 * idf * frequency * 2.2) / (frequency + 1.2), 6);
  expect(worths.maxScore).toBeCloseTo(idf * 2.2, 12);
  expect(scorer.topK(5).map(({ doc: document }) => document)).toEqual([0, 1]);
});

test('fields add up before they saturate: twice in two fields is less than twice the score', () => {
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

test('forgets the query before, and an unknown term costs nothing', () => {
  const scorer = new Bm25fScorer(3);
  scorer.reset();
  scorer.addField(field, 'word');
  scorer.accumulate(scorer.finishTerm(), 1);
  scorer.reset();
  scorer.addField(field, 'nowhere');
  expect(scorer.finishTerm().maxScore).toBe(0);
  expect([...scorer.documents()]).toEqual([]);
  expect(scorer.score(0)).toBe(0);
});

/** Documents of words, and queries one after the other: what is kept between them, and how scores are listed, must not show. */
test('kept worths, either way of listing, and passing over what can not win give what a scorer of its own gives', () => {
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
      // Room for a list or two.
      const kept = new TermScoreCache(12 * documents.length);
      for (const question of questions) {
        const terms = question.map((term, place) => ({ term, count: 1, weight: 1 + place }));
        const worthsOn = (scorer: Bm25fScorer, known: TermScoreCache) => (term: string) =>
          known.getOrCompute('words', term, scorer, () =>
            scorer.addField({ index: text, weight: 1, lengthPenalty: 0.5 }, term),
          );
        accumulate(terms, shared, worthsOn(shared, kept));
        const own = new Bm25fScorer(documents.length);
        accumulate(terms, own, worthsOn(own, new TermScoreCache(0)));
        const expected = documents
          .map((_, document) => ({ document, score: own.score(document) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.document - b.document);
        expect(shared.topK(documents.length)).toEqual(expected);
        expect([...shared.documents()].sort((a, b) => a - b)).toEqual(
          expected.map(({ document }) => document).sort((a, b) => a - b),
        );
        const three = topK(terms, shared, worthsOn(shared, kept), 3);
        expect(three.length).toBe(Math.min(3, expected.length));
        three.forEach(({ doc: document, score }, place) => {
          expect(score).toBeCloseTo(own.score(document), 9);
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
