import type { BillingPeriod } from '#contract/plans.ts';

const MONTHS: Record<BillingPeriod, number> = { monthly: 1, yearly: 12 };

interface PaidPeriod {
  period: BillingPeriod;
  capturedAt: Date;
}

/**
 * End of the paid time: periods are laid end to end in the order of their capture:
 *
 *     paid  |--month--|--month--|        the second one while the first still ran
 *     paid  |--month--|   |--month--|    the second one after a pause
 *
 * Null without payments. Computed from the payments alone, so that none counts twice and a refund leaves no trace.
 */
export function paidUntil(payments: PaidPeriod[]): Date | null {
  let end: Date | null = null;
  for (const { period, capturedAt } of payments.toSorted((a, b) => +a.capturedAt - +b.capturedAt)) {
    end = addMonths(end !== null && end > capturedAt ? end : capturedAt, MONTHS[period]);
  }
  return end;
}

/** Adds months in UTC, clamped to the last day of a shorter month. */
function addMonths(from: Date, months: number): Date {
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + months);
  // A day that overflows a shorter month: day 0 is the last day of the previous month.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return to;
}
