import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectTopK } from './top-k.ts';

test('keeps what sorting everything would keep, ties in the order of their numbers', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 0, max: 12 }),
      (scores, limit) => {
        const sorted = scores
          .map((score, document) => ({ document, score }))
          .sort((a, b) => b.score - a.score || a.document - b.document);
        expect(selectTopK(scores.keys(), (document) => scores[document]!, limit)).toEqual(sorted.slice(0, limit));
      },
    ),
  );
});
