/** Half-open period in seconds since 1970; null where it is open. */
export interface DateRange {
  since: number | null;
  until: number | null;
}

const DAY_S = 86_400;
const UNIT_DAYS = { d: 1, w: 7, m: 30, y: 365 } as const;
const DAY = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const AGE = /^(\d{1,4})([dwmy])$/i;

/**
 * Parses a period in UTC; null for other text:
 *
 *     2024 · 2024-05 · 2024-05-31    that year, month or day
 *     >2024-05 · >=2024-05           from its end, from its start
 *     <2024-05 · <=2024-05           until its start, until its end
 *     2024-01..2024-05 · 2024.. · ..2024
 *     30d · 4w · 6m · 1y             the last days, weeks, months of 30 days, years
 *
 * `now` is in seconds since 1970.
 */
export function parseDateRange(text: string, now: number): DateRange | null {
  const age = AGE.exec(text);
  if (age) {
    const days = Number(age[1]) * UNIT_DAYS[age[2]!.toLowerCase() as keyof typeof UNIT_DAYS];
    return { since: now - days * DAY_S, until: null };
  }
  const [, sign, compared] = /^(>=?|<=?)(.+)$/.exec(text) ?? [];
  if (sign && compared) {
    const period = parsePeriod(compared);
    if (!period) return null;
    if (sign.startsWith('>')) return { since: sign === '>' ? period.until : period.since, until: null };
    return { since: null, until: sign === '<' ? period.since : period.until };
  }
  const [from, to, ...others] = text.split('..');
  if (to === undefined) return parsePeriod(text);
  if (others.length > 0 || (from === '' && to === '')) return null;
  const [first, last] = [from === '' ? null : parsePeriod(from!), to === '' ? null : parsePeriod(to)];
  if ((from !== '' && !first) || (to !== '' && !last)) return null;
  return { since: first?.since ?? null, until: last?.until ?? null };
}

function parsePeriod(text: string): { since: number; until: number } | null {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (year === undefined) return null;
  const [y, m, d] = [Number(year), Number(month ?? 1) - 1, Number(day ?? 1)];
  const since = Date.UTC(y, m, d);
  // Days that do not exist roll over into the next month.
  const date = new Date(since);
  if (date.getUTCMonth() !== m || date.getUTCDate() !== d) return null;
  const until = day ? Date.UTC(y, m, d + 1) : month ? Date.UTC(y, m + 1) : Date.UTC(y + 1, 0);
  return { since: since / 1000, until: until / 1000 };
}
