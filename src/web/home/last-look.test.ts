import { expect, test } from 'vitest';
import { lastLook } from './last-look.ts';

/** What a browser keeps: for a tab, or for all of them. */
function storage(): Storage {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  } as Storage;
}

test('there was no look before the first visit, however often the page is shown in it', () => {
  const [visit, kept] = [storage(), storage()];
  expect(lastLook(1000, visit, kept)).toBeNull();
  expect(lastLook(2000, visit, kept)).toBeNull();
});

test('the last look is the latest of the visit before', () => {
  const kept = storage();
  const first = storage();
  lastLook(1000, first, kept);
  lastLook(2000, first, kept);
  const second = storage();
  expect(lastLook(9000, second, kept)).toBe(2000);
  expect(lastLook(9500, second, kept)).toBe(2000);
});
