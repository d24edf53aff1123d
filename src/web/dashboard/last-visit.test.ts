import { expect, test } from 'vitest';
import { recordVisit } from './last-visit.ts';

/** In-memory `Storage`. */
function storage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  } as Storage;
}

test('the first visit has no previous one, however often the page is shown', () => {
  const [visit, kept] = [storage(), storage()];
  expect(recordVisit(1000, visit, kept)).toBeNull();
  expect(recordVisit(2000, visit, kept)).toBeNull();
});

test('the previous visit is the latest time of the visit before', () => {
  const kept = storage();
  const first = storage();
  recordVisit(1000, first, kept);
  recordVisit(2000, first, kept);
  const second = storage();
  expect(recordVisit(9000, second, kept)).toBe(2000);
  expect(recordVisit(9500, second, kept)).toBe(2000);
});
