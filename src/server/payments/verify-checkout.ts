import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import type { GatewayPayment, PaymentGateway } from './gateway.ts';
import { applyPayment } from './ledger.ts';
import { findOrder } from './orders.ts';
import { checkoutPayload, isValidSignature } from './razorpay-signature.ts';

/** What the checkout hands to the browser after a payment. */
export interface CheckoutResult {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

interface Needs extends Pick<Deps, 'db' | 'events' | 'now'> {
  gateway: PaymentGateway;
  keySecret: string;
}

/**
 * Turns a signed checkout into a plan, once: again gives the same success. The signature only says that the checkout
 * ended; whether money came, and how much, is asked of the gateway. Throws `not_found` for an order that is not the
 * user's, `bad_request` for a forged or failed payment, `conflict` for one that is not complete yet.
 */
export async function verifyCheckout(needs: Needs, userId: string, result: CheckoutResult): Promise<void> {
  const { db, gateway, keySecret } = needs;
  const order = await findOrder(db, userId, result.razorpay_order_id);
  if (order === null) throw new AppError('not_found', VERIFICATION_FAILED, { reason: 'unknown_order' });
  const signed = checkoutPayload(order.gateway_order_id, result.razorpay_payment_id);
  if (!isValidSignature(signed, result.razorpay_signature, keySecret)) throw verificationFailed('signature');

  const payment = await find(gateway, result.razorpay_payment_id);
  if (payment.order_id !== order.gateway_order_id) throw verificationFailed('other_order');
  const { outcome } = await applyPayment(needs, payment);
  if (outcome !== 'applied') throw verificationFailed(outcome);
  if (payment.status === 'captured') return;
  if (payment.status === 'failed' || payment.status === 'refunded') throw verificationFailed(payment.status);
  throw new AppError(
    'conflict',
    'The payment is not complete yet. Your plan begins by itself as soon as it is.',
    { reason: 'pending' },
  );
}

/** The words of the specification. */
const VERIFICATION_FAILED = 'Payment verification failed. Please contact support.';

/** A payment as it stands; money that is only set aside is taken. */
export async function captureAuthorized(
  gateway: PaymentGateway,
  payment: GatewayPayment,
): Promise<GatewayPayment> {
  if (payment.status !== 'authorized') return payment;
  // The gateway may have taken it in this very moment, and refuses to do so twice: what counts is how it stands.
  return await gateway.capture(payment).catch(() => gateway.findPayment(payment.id));
}

async function find(gateway: PaymentGateway, id: string): Promise<GatewayPayment> {
  try {
    return await captureAuthorized(gateway, await gateway.findPayment(id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request')
      throw verificationFailed('unknown_payment', error);
    throw error;
  }
}

/** The refusal of a payment that can't be verified; why is for the log and for tests. */
export function verificationFailed(reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', VERIFICATION_FAILED, { reason, cause });
}
