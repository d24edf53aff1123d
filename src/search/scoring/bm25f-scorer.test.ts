import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldIndex } from '#memory/repository-index.ts';
import { Scorer } from './bm25f-scorer.ts';
import { addUp, bestBy, TermWorths } from './term-score-cache.ts';

/** One field over three documents, of which the first two have `word`. */
const index: FieldIndex = {
  count: 3,
  averageLength: 2,
  lengths: Uint32Array.of(1, 4, 1),
  postings: (term) => (term === 'word' ? { docs: Uint32Array.of(0, 1), counts: Uint8Array.of(1, 1) } : null),
};
const field = { index, weight: 1, lengthPenalty: 0.5 };

test('is BM25 to the letter', () => {
  const scorer = new Scorer(3);
  scorer.start();
  scorer.addField(field, 'word');
  const worths = scorer.endTerm();
  scorer.addWorths(worths, 2);
  const frequency = 1 / (0.5 + (0.5 * 1) / 2);
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  expect(scorer.score(0)).toBeCloseTo((2 * idf * frequency * 2.2) / (frequency + 1.2), 6);
  expect(worths.most).toBeCloseTo(idf * 2.2, 12);
  expect(scorer.best(5).map(({ document }) => document)).toEqual([0, 1]);
});

test('fields add up before they saturate: twice in two fields is less than twice the score', () => {
  const scorer = new Scorer(3);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.addWorths(scorer.endTerm(), 1);
  const once = scorer.score(0);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.addField(field, 'word');
  scorer.addWorths(scorer.endTerm(), 1);
  expect(scorer.score(0)).toBeGreaterThan(once);
  expect(scorer.score(0)).toBeLessThan(2 * once);
});

test('forgets the query before, and an unknown term costs nothing', () => {
  const scorer = new Scorer(3);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.addWorths(scorer.endTerm(), 1);
  scorer.start();
  scorer.addField(field, 'nowhere');
  expect(scorer.endTerm().most).toBe(0);
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
      const shared = new Scorer(documents.length);
      // Room for a list or two.
      const kept = new TermWorths(12 * documents.length);
      for (const question of questions) {
        const terms = question.map((term, place) => ({ term, count: 1, weight: 1 + place }));
        const worthsOn = (scorer: Scorer, known: TermWorths) => (term: string) =>
          known.of('words', term, scorer, () =>
            scorer.addField({ index: text, weight: 1, lengthPenalty: 0.5 }, term),
          );
        addUp(terms, shared, worthsOn(shared, kept));
        const own = new Scorer(documents.length);
        addUp(terms, own, worthsOn(own, new TermWorths(0)));
        const expected = documents
          .map((_, document) => ({ document, score: own.score(document) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.document - b.document);
        expect(shared.best(documents.length)).toEqual(expected);
        expect([...shared.documents()].sort((a, b) => a - b)).toEqual(
          expected.map(({ document }) => document).sort((a, b) => a - b),
        );
        const three = bestBy(terms, shared, worthsOn(shared, kept), 3);
        expect(three.length).toBe(Math.min(3, expected.length));
        three.forEach(({ document, score }, place) => {
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
