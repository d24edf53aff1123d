import type { QueryClient } from '@tanstack/react-query';
import { paymentKeys } from '../query-keys.ts';

/** Refetches everything that a payment, a refund or a trial may have changed. */
export async function invalidatePlan(client: QueryClient): Promise<void> {
  await Promise.all(paymentKeys.plan.map((queryKey) => client.invalidateQueries({ queryKey })));
}
