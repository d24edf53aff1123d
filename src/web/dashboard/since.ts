const DAY_MS = 86_400_000;

/** A past time for `Since {time}`: the hour of today, the weekday within six days, else the date. */
export function formatSince(
  since: number,
  now: number,
  language: string,
): { kind: 'hour' | 'day' | 'date'; text: string } {
  const startOfDay = new Date(now).setHours(0, 0, 0, 0);
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, options).format(since);
  if (since >= startOfDay) return { kind: 'hour', text: format({ hour: 'numeric', minute: '2-digit' }) };
  if (since >= startOfDay - 6 * DAY_MS) return { kind: 'day', text: format({ weekday: 'long' }) };
  return { kind: 'date', text: format({ day: 'numeric', month: 'long' }) };
}
