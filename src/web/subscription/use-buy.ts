import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Period } from '#contract/plans.ts';
import { ApiError, api } from '../api.ts';
import { useMe } from '../user.ts';
import { loadCheckout, openCheckout, type Paid } from './checkout.ts';
import { reloadPlan } from './reload-plan.ts';

/** How far a purchase has come; `paying` and `verifying` happen without our dialog. */
export type Buying =
  | { step: 'none' }
  | { step: 'confirm'; period: Period; failure: string | null }
  | { step: 'starting'; period: Period }
  | { step: 'paying' }
  | { step: 'verifying' }
  | { step: 'done' }
  | { step: 'not_verified'; text: string; paid: Paid };

/**
 * The purchase of Pro as the specification tells it: confirm, load the script, create an order, open the checkout,
 * verify, reload. Closing the checkout ends it.
 */
export function useBuy() {
  const { t } = useTranslation('subscription');
  const client = useQueryClient();
  const me = useMe().data;
  const [buying, setBuying] = useState<Buying>({ step: 'none' });

  async function verify(paid: Paid): Promise<void> {
    setBuying({ step: 'verifying' });
    try {
      await api('POST /payments/verify-payment', { body: paid });
      setBuying({ step: 'done' });
    } catch (error) {
      const pending = error instanceof ApiError && error.reason === 'pending';
      setBuying({ step: 'not_verified', text: t(pending ? 'pending' : 'verification_failed'), paid });
    }
    await reloadPlan(client);
  }

  async function start(period: Period): Promise<void> {
    setBuying({ step: 'starting', period });
    try {
      const { razorpay } = await api('GET /payments/config');
      if (!razorpay.enabled || !razorpay.key_id || !razorpay.checkout_url) {
        return setBuying({ step: 'confirm', period, failure: t('unavailable') });
      }
      await loadCheckout(razorpay.checkout_url);
      const order = await api('POST /payments/create-order', {
        body: { plan: 'pro', gateway: 'razorpay', period, idempotency_key: newKey() },
      });
      setBuying({ step: 'paying' });
      const paid = await openCheckout({
        key: razorpay.key_id,
        order_id: order.id,
        amount: order.amount_minor,
        currency: order.currency,
        name: 'Hindsight',
        description: t(`order.${period}`),
        prefill: { name: me?.full_name || me?.username || '', email: me?.email ?? '' },
      });
      if (paid === null) setBuying({ step: 'none' });
      else await verify(paid);
    } catch (error) {
      setBuying({ step: 'confirm', period, failure: explained(error) ?? t('not_started') });
    }
  }

  return {
    buying,
    choose: (period: Period) => setBuying({ step: 'confirm', period, failure: null }),
    start: (period: Period) => void start(period),
    verifyAgain: (paid: Paid) => void verify(paid),
    close: () => setBuying({ step: 'none' }),
  };
}

/** The server's own words, where it refused for a reason and did not just fail. */
function explained(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.status >= 400 && error.status < 500 ? error.message : null;
}

/** Random, so that an order which is asked for twice is one; `randomUUID` would need https. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
