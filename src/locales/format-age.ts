const DAY_MS = 86_400_000;

/** Units of an age, largest first. */
const UNITS = [
  ['year', 365],
  ['month', 30],
  ['day', 1],
] as const;

/**
 * Age of an ISO 8601 time at `now` (milliseconds) in the largest whole unit of at least a day: `today`, `3 days ago`.
 * Null for a broken time.
 */
export function formatAge(timestamp: string, now: number, language: string): string | null {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return null;
  const days = Math.max(0, Math.floor((now - time) / DAY_MS));
  if (days === 0) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'day');
  const { count, unit } = wholeUnits(days);
  return new Intl.RelativeTimeFormat(language).format(-count, unit);
}

/** Duration of so many days in the largest whole unit: `5 hours`, `7 days`, `3 months`, `12 years`. */
export function formatDays(days: number, language: string): string {
  const { count, unit } =
    days < 1
      ? { count: Math.max(1, Math.floor(days * 24)), unit: 'hour' as const }
      : wholeUnits(Math.round(days));
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

function wholeUnits(days: number): { count: number; unit: 'year' | 'month' | 'day' } {
  const [unit, length] = UNITS.find(([, size]) => days >= size) ?? (['day', 1] as const);
  return { count: Math.floor(days / length), unit };
}
