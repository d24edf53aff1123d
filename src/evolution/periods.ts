/** Length of a period on a time axis. */
type PeriodUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

const DAY = 86_400;
/** Longest range in days that a unit divides into at most 80 periods. */
const MAX_DAYS: [PeriodUnit, number][] = [
  ['day', 62],
  ['week', 540],
  ['month', 6 * 366],
  ['quarter', 20 * 366],
];
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;
/** 1970-01-05, a Monday. */
const FIRST_MONDAY = 4 * DAY;

/** Divides a range in seconds since 1970 into periods of the calendar (UTC): the unit and the start of each, ascending. */
export function dividePeriods(from: number, to: number): { unit: PeriodUnit; starts: Float64Array } {
  const unit = MAX_DAYS.find(([, days]) => to - from <= days * DAY)?.[0] ?? 'year';
  const starts: number[] = [];
  for (let start = startOfPeriod(unit, from); start < to; start = nextPeriod(unit, start)) starts.push(start);
  return { unit, starts: Float64Array.from(starts) };
}

function startOfPeriod(unit: PeriodUnit, time: number): number {
  if (unit === 'day') return Math.floor(time / DAY) * DAY;
  if (unit === 'week') return Math.floor((time - FIRST_MONDAY) / (7 * DAY)) * 7 * DAY + FIRST_MONDAY;
  const date = new Date(time * 1000);
  const months = MONTHS[unit];
  return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months) / 1000;
}

function nextPeriod(unit: PeriodUnit, start: number): number {
  if (unit === 'day') return start + DAY;
  if (unit === 'week') return start + 7 * DAY;
  const date = new Date(start * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[unit]) / 1000;
}
