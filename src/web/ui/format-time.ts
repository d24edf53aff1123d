const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Formats the age of a time at `now` (milliseconds): `'now'` under a minute or in the future, minutes under 60,
 * hours under 24, days under 7, then the date. Null for an invalid time.
 */
export function formatTimeAgo(at: string, now: number, language: string): 'now' | { text: string } | null {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return null;
  const passed = now - then;
  if (passed < MINUTE_MS) return 'now';
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const ago = (unit: 'minute' | 'hour' | 'day', length: number) => ({
    text: words.format(-Math.floor(passed / length), unit),
  });
  if (passed < HOUR_MS) return ago('minute', MINUTE_MS);
  if (passed < DAY_MS) return ago('hour', HOUR_MS);
  if (passed < 7 * DAY_MS) return ago('day', DAY_MS);
  return { text: new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(then) };
}

/** Short date and time in the user's locale and zone (`Nov 20, 2026, 07:31 PM`), or null. */
export function formatShortDateTime(at: string, language: string): string | null {
  return formatTime(at, language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** Long date (`November 20, 2026`), or null for an invalid time. */
export function formatLongDate(at: string, language: string): string | null {
  return formatTime(at, language, { dateStyle: 'long' });
}

/** Full date and time in the user's locale and zone, or null for an invalid time. */
export function formatFullDateTime(at: string, language: string): string | null {
  return formatTime(at, language, { dateStyle: 'full', timeStyle: 'short' });
}

function formatTime(at: string, language: string, options: Intl.DateTimeFormatOptions): string | null {
  const then = Date.parse(at);
  return Number.isNaN(then) ? null : new Intl.DateTimeFormat(language, options).format(then);
}
