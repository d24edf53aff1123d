import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectTopK } from './top-k.ts';

test('selects the same documents as a full sort, ties in document order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 9 })),
      fc.integer({ min: 0, max: 12 }),
      (scores, limit) => {
        const sorted = scores
          .map((score, doc) => ({ doc, score }))
          .sort((a, b) => b.score - a.score || a.doc - b.doc);
        expect(selectTopK(scores.keys(), (doc) => scores[doc]!, limit)).toEqual(sorted.slice(0, limit));
      },
    ),
  );
});
