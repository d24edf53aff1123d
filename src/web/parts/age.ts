/** Age buckets, newest first. */
export const AGES = ['today', 'month', 'year', 'three_years', 'older'] as const;
export type Age = (typeof AGES)[number];

const DAY = 86_400_000;

/** Upper bounds of the buckets in days. */
const MAX_DAYS: [Age, number][] = [
  ['today', 1],
  ['month', 30],
  ['year', 365],
  ['three_years', 3 * 365],
];

/** Bucket of an ISO 8601 time at `now` (milliseconds); null for an invalid time. */
export function ageBucket(timestamp: string, now: number): Age | null {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return null;
  const days = (now - time) / DAY;
  return MAX_DAYS.find(([, limit]) => days < limit)?.[0] ?? 'older';
}

/** Bucket of a calendar year. */
export function ageOfYear(year: number, now: number): Age {
  const years = new Date(now).getUTCFullYear() - year;
  if (years <= 0) return 'year';
  return years < 3 ? 'three_years' : 'older';
}

/** CSS color of an age. */
export function ageColor(age: Age | null): string {
  return age === null ? 'var(--border)' : `var(--age-${AGES.indexOf(age) + 1})`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `7 years ago` in the largest whole unit; null for an invalid time. */
export function formatRelativeTime(timestamp: string, now: number, language: string): string | null {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return null;
  const elapsed = Math.max(0, now - time);
  const [unit, length] = UNITS.find(([, size]) => elapsed >= size) ?? ['minute', 60_000];
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return format.format(-Math.floor(elapsed / length), unit);
}
