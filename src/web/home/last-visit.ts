const KEY = 'last_look';

/**
 * When the reader was here before this visit, in milliseconds; null for the first time. A visit is what happens in
 * one tab: going to other pages and coming back does not make anything old.
 */
export function recordVisit(
  now: number,
  visit: Storage = sessionStorage,
  store: Storage = localStorage,
): number | null {
  const previous = visit.getItem(KEY) ?? store.getItem(KEY) ?? '';
  visit.setItem(KEY, previous);
  store.setItem(KEY, String(now));
  return previous === '' ? null : Number(previous);
}
