import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingPeriod } from '#contract/plans.ts';
import { ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { useCurrentUser } from '../user.ts';
import { invalidatePlan } from './invalidate-plan.ts';
import { loadCheckout, openCheckout, type PaymentConfirmation } from './razorpay.ts';

/** State of a purchase; no dialog of ours is open during `paying` and `verifying`. */
export type CheckoutState =
  | { step: 'none' }
  | { step: 'confirm'; period: BillingPeriod; failure: string | null }
  | { step: 'starting'; period: BillingPeriod }
  | { step: 'paying' }
  | { step: 'verifying' }
  | { step: 'done' }
  | { step: 'not_verified'; text: string; paid: PaymentConfirmation };

/**
 * Purchase of Pro as in the specification: confirm, load the script, create an order, open the checkout, verify,
 * reload. Dismissing the checkout ends it.
 */
export function useCheckout() {
  const { t } = useTranslation(['subscription', 'errors']);
  const client = useQueryClient();
  const me = useCurrentUser().data;
  const [state, setState] = useState<CheckoutState>({ step: 'none' });

  async function verify(paid: PaymentConfirmation): Promise<void> {
    setState({ step: 'verifying' });
    try {
      await api('POST /payments/verify-payment', { body: paid });
      setState({ step: 'done' });
    } catch (error) {
      const pending = error instanceof ApiError && error.reason === 'payment_pending';
      setState({
        step: 'not_verified',
        text: t(pending ? 'pending' : 'errors:payment_verification_failed'),
        paid,
      });
    }
    await invalidatePlan(client);
  }

  async function start(period: BillingPeriod): Promise<void> {
    setState({ step: 'starting', period });
    try {
      const { razorpay } = await api('GET /payments/config');
      if (!razorpay.enabled || !razorpay.key_id || !razorpay.checkout_url) {
        return setState({ step: 'confirm', period, failure: t('errors:payment_gateway_unavailable') });
      }
      await loadCheckout(razorpay.checkout_url);
      const order = await api('POST /payments/create-order', {
        body: { plan: 'pro', gateway: 'razorpay', period, idempotency_key: createIdempotencyKey() },
      });
      setState({ step: 'paying' });
      const paid = await openCheckout({
        key: razorpay.key_id,
        order_id: order.id,
        amount: order.amount_minor,
        currency: order.currency,
        name: 'Hindsight',
        description: t(`order.${period}`),
        prefill: { name: me?.full_name || me?.username || '', email: me?.email ?? '' },
      });
      if (paid === null) setState({ step: 'none' });
      else await verify(paid);
    } catch (error) {
      setState({
        step: 'confirm',
        period,
        failure: clientErrorText(error) ?? t('errors:payment_not_started'),
      });
    }
  }

  return {
    buying: state,
    choose: (period: BillingPeriod) => setState({ step: 'confirm', period, failure: null }),
    start: (period: BillingPeriod) => void start(period),
    retryVerification: (paid: PaymentConfirmation) => void verify(paid),
    close: () => setState({ step: 'none' }),
  };
}

/** Message of a 4xx error; null for other failures. */
function clientErrorText(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.status >= 400 && error.status < 500 ? error.message : null;
}

/** Random idempotency key; `randomUUID` needs a secure context. */
function createIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
