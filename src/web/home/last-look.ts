const KEY = 'last_look';

/**
 * When the reader was here before this visit, in milliseconds; null for the first time. A visit is what happens in
 * one tab: going to other pages and coming back does not make anything old.
 */
export function lastLook(
  now: number,
  visit: Storage = sessionStorage,
  kept: Storage = localStorage,
): number | null {
  const known = visit.getItem(KEY) ?? kept.getItem(KEY) ?? '';
  visit.setItem(KEY, known);
  kept.setItem(KEY, String(now));
  return known === '' ? null : Number(known);
}
