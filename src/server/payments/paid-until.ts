import type { Period } from '#contract/plans.ts';

const MONTHS: Record<Period, number> = { monthly: 1, yearly: 12 };

/** What was paid, and when the money came. */
export interface PaidPeriod {
  period: Period;
  capturedAt: Date;
}

/**
 * Until when payments last, laid end to end in the order in which they came:
 *
 *     paid  |--month--|--month--|        the second one while the first still ran
 *     paid  |--month--|   |--month--|    the second one after a pause
 *
 * Null without payments. As it follows from the payments alone, none can count twice, and one that is given back
 * leaves no trace.
 */
export function paidUntil(payments: PaidPeriod[]): Date | null {
  let end: Date | null = null;
  for (const { period, capturedAt } of payments.toSorted((a, b) => +a.capturedAt - +b.capturedAt)) {
    end = addMonths(end !== null && end > capturedAt ? end : capturedAt, MONTHS[period]);
  }
  return end;
}

/** The same day so many months later, or the last day of a month that is shorter. In UTC. */
export function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + months);
  // The 31st of a shorter month overflows into the next one: day 0 goes back to the last of the month before.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}
