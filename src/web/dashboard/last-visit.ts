const KEY = 'last_look';

/**
 * Records a visit and returns the time of the previous one in milliseconds; null for the first. A visit lasts as
 * long as its tab.
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
