import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingPeriod } from '#contract/plans.ts';
import { newId } from '#db/ids.ts';
import type { GatewayPayment } from './gateway.ts';
import { includedTax } from './invoices.ts';
import { applyPayment } from './ledger.ts';
import { type PaymentsTestApp, paymentsTestApp } from './testing.ts';

/** Money adds up in whole paise, in whatever order and however often the gateway reports payments. */

const TAX = { name: 'GST', percent: 18 };
const PRICES = { monthly: 19_900, yearly: 199_900 };
const DAY_MS = 24 * 3600_000;

let app: PaymentsTestApp;

beforeAll(async () => {
  const seller = { name: 'Hindsight Ltd', address: '', tax_id: '' };
  app = await paymentsTestApp({ invoicing: { seller, tax: TAX } });
});
afterAll(() => app.close());

async function insertOrder(userId: string, period: BillingPeriod): Promise<string> {
  const gatewayOrderId = `order_${newId()}`;
  const values = { id: newId(), user_id: userId, gateway_order_id: gatewayOrderId, idempotency_key: newId() };
  const price = { plan: 'pro', period, amount_minor: PRICES[period], currency: 'INR' } as const;
  await app.deps.db
    .insertInto('orders')
    .values({ ...values, ...price, created_at: app.deps.now() })
    .execute();
  return gatewayOrderId;
}

/** States that the gateway reports of one payment, in some order, some of them twice. */
const reports = fc.record({
  period: fc.constantFrom<BillingPeriod>('monthly', 'yearly'),
  states: fc.array(
    fc.constantFrom<GatewayPayment['status']>('failed', 'authorized', 'captured', 'refunded'),
    {
      minLength: 1,
      maxLength: 5,
    },
  ),
});

/** States that a payment passes if reports only move it forward. */
function passed(states: GatewayPayment['status'][]): { isCaptured: boolean; isRefunded: boolean } {
  const refunded = states.indexOf('refunded');
  const captured = states.indexOf('captured');
  return {
    isCaptured: captured !== -1 && (refunded === -1 || captured < refunded),
    isRefunded: refunded !== -1,
  };
}

test('tax and net are whole paise that add up to the price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (amount, percent) => {
        const tax = includedTax(amount, { percent });
        expect(Number.isInteger(tax) && tax >= 0 && tax < amount + 1).toBe(true);
        // Within half a unit of the exact share.
        expect(Math.abs(tax - (amount * percent) / (100 + percent))).toBeLessThanOrEqual(0.5 + 1e-6);
      },
    ),
  );
});

test('invoices less credit notes are the payments that were kept, whatever the order of reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reports, { minLength: 1, maxLength: 5 }), async (payments) => {
      const user = await app.signUp();
      const pending = await Promise.all(
        payments.map(async ({ period, states }) => {
          const order_id = await insertOrder(user.id, period);
          const payment = { id: `pay_${newId()}`, order_id, amount: PRICES[period], currency: 'INR' };
          return states.map((status) => ({ ...payment, status }));
        }),
      );
      // Payments concurrently, as webhooks arrive; the reports of each one after the other.
      await Promise.all(
        pending.map(async (states) => {
          for (const report of states) await applyPayment(app.deps, report);
        }),
      );
      const outcomes = payments.map(({ period, states }) => ({ period, ...passed(states) }));
      const sum = (rows: { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
      const amounts = (rows: typeof outcomes) => rows.map(({ period }) => ({ amount: PRICES[period] }));
      const documents = await app.deps.db
        .selectFrom('invoices')
        .select(['kind', 'amount_minor as amount', 'tax_minor'])
        .where('user_id', '=', user.id)
        .execute();
      const captured = outcomes.filter(({ isCaptured }) => isCaptured);
      const returned = captured.filter(({ isRefunded }) => isRefunded);
      const kept = captured.filter(({ isRefunded }) => !isRefunded);
      const ofKind = (kind: string) => documents.filter((document) => document.kind === kind);
      expect([ofKind('invoice').length, ofKind('credit_note').length]).toEqual([
        captured.length,
        returned.length,
      ]);
      expect(sum(ofKind('invoice'))).toBe(sum(amounts(captured)));
      expect(sum(ofKind('invoice')) - sum(ofKind('credit_note'))).toBe(sum(amounts(kept)));
      for (const { amount, tax_minor } of documents) expect(tax_minor).toBe(includedTax(amount, TAX));
      await expectPaidTime(user.id, kept);
    }),
    { numRuns: 25 },
  );
  await expectNumbersWithoutGaps();
});

/** Each kept payment grants its period once; a refunded one grants nothing. */
async function expectPaidTime(userId: string, kept: { period: BillingPeriod }[]): Promise<void> {
  const months = kept.reduce((total, { period }) => total + (period === 'monthly' ? 1 : 12), 0);
  const row = await app.deps.db
    .selectFrom('subscriptions')
    .select(['plan', 'expires_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  expect(row?.plan ?? 'free').toBe(months > 0 ? 'pro' : 'free');
  const days = row?.expires_at ? (row.expires_at.getTime() - app.deps.now().getTime()) / DAY_MS : 0;
  expect(days).toBeGreaterThan(months * 28 - 1);
  expect(days).toBeLessThanOrEqual(months * 31);
}

async function expectNumbersWithoutGaps(): Promise<void> {
  const rows = await app.deps.db.selectFrom('invoices').select('number').orderBy('number').execute();
  const years = Map.groupBy(rows, ({ number }) => number.slice(0, 4));
  for (const [year, numbers] of years) {
    const expected = numbers.map((_, index) => `${year}-${String(index + 1).padStart(6, '0')}`);
    expect(numbers.map(({ number }) => number)).toEqual(expected);
  }
}
