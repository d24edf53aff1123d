import { expect, test } from 'vitest';
import type { FieldIndex } from '#memory/memory.ts';
import { Scorer } from './scorer.ts';

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
  const most = scorer.endTerm(2);
  const frequency = 1 / (0.5 + (0.5 * 1) / 2);
  const idf = Math.log(1 + (3 - 2 + 0.5) / (2 + 0.5));
  expect(scorer.score(0)).toBeCloseTo((2 * idf * frequency * 2.2) / (frequency + 1.2), 12);
  expect(most).toBeCloseTo(2 * idf * 2.2, 12);
  expect(scorer.best(5).map(({ document }) => document)).toEqual([0, 1]);
});

test('fields add up before they saturate: twice in two fields is less than twice the score', () => {
  const scorer = new Scorer(3);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.endTerm(1);
  const once = scorer.score(0);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.addField(field, 'word');
  scorer.endTerm(1);
  expect(scorer.score(0)).toBeGreaterThan(once);
  expect(scorer.score(0)).toBeLessThan(2 * once);
});

test('forgets the query before, and an unknown term costs nothing', () => {
  const scorer = new Scorer(3);
  scorer.start();
  scorer.addField(field, 'word');
  scorer.endTerm(1);
  scorer.start();
  scorer.addField(field, 'nowhere');
  expect(scorer.endTerm(1)).toBe(0);
  expect([...scorer.documents()]).toEqual([]);
  expect(scorer.score(0)).toBe(0);
});
