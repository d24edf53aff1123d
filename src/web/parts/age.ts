/** How long ago something was written, newest first. */
export const AGES = ['today', 'month', 'year', 'three_years', 'older'] as const;
export type Age = (typeof AGES)[number];

const DAY = 86_400_000;

/** The oldest a thing of each age can be, in days; what is older than all of them is `older`. */
const MAX_DAYS: [Age, number][] = [
  ['today', 1],
  ['month', 30],
  ['year', 365],
  ['three_years', 3 * 365],
];

/** The age of an ISO 8601 time at `now` (milliseconds); null for a broken or absent time. */
export function ageBucket(timestamp: string, now: number): Age | null {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return null;
  const days = (now - time) / DAY;
  return MAX_DAYS.find(([, limit]) => days < limit)?.[0] ?? 'older';
}

/** Colour of an age's mark, for `style`; a broken time takes the colour of a rule. */
export function ageColor(age: Age | null): string {
  return age === null ? 'var(--rule)' : `var(--age-${AGES.indexOf(age) + 1})`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `7 years ago` in the reader's language, in the largest whole unit; null for a broken time. */
export function formatAge(timestamp: string, now: number, language: string): string | null {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return null;
  const elapsed = Math.max(0, now - time);
  const [unit, length] = UNITS.find(([, size]) => elapsed >= size) ?? ['minute', 60_000];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(-Math.floor(elapsed / length), unit);
}
