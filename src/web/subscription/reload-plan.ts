import type { QueryClient } from '@tanstack/react-query';
import { read } from '../query.ts';

/** Asks anew for everything that a payment, a refund or a trial may have changed. */
export async function reloadPlan(client: QueryClient): Promise<void> {
  const changed = [read('GET /payments/subscription'), read('GET /payments/history'), read('GET /auth/me')];
  await Promise.all(changed.map(({ queryKey }) => client.invalidateQueries({ queryKey })));
}
