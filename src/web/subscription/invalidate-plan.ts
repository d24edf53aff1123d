import type { QueryClient } from '@tanstack/react-query';
import { apiQuery } from '../query.ts';

/** Asks anew for everything that a payment, a refund or a trial may have changed. */
export async function invalidatePlan(client: QueryClient): Promise<void> {
  const changed = [
    apiQuery('GET /payments/subscription'),
    apiQuery('GET /payments/history'),
    apiQuery('GET /auth/me'),
  ];
  await Promise.all(changed.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
}
