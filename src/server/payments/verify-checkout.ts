import { AppError } from '#contract/errors.ts';
import { failpoint } from '#scheduling/failpoint.ts';
import type { GatewayPayment, PaymentGateway } from './gateway.ts';
import { applyPayment, type PaymentDeps } from './ledger.ts';
import { findOrder } from './orders.ts';
import { checkoutPayload, isValidSignature } from './razorpay-signature.ts';

/** Result that the checkout passes to the browser after a payment. */
interface CheckoutResult {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

interface VerificationDeps extends PaymentDeps {
  gateway: PaymentGateway;
  keySecret: string;
}

/**
 * Verifies a signed checkout and activates the plan. Idempotent. The signature only proves that the checkout completed; the amount and state come from the gateway.
 * @throws AppError `not_found` for an order of another user, `bad_request` for a forged or failed payment, `conflict` for an incomplete one
 */
export async function verifyCheckout(
  deps: VerificationDeps,
  userId: string,
  result: CheckoutResult,
): Promise<void> {
  const { db, gateway, keySecret } = deps;
  const order = await findOrder(db, userId, result.razorpay_order_id);
  if (order === null)
    throw new AppError('not_found', 'payment_verification_failed', { reason: 'order_not_found' });
  const payload = checkoutPayload(order.gateway_order_id, result.razorpay_payment_id);
  if (!isValidSignature(payload, result.razorpay_signature, keySecret))
    throw verificationFailed('invalid_signature');

  const payment = await loadPayment(gateway, result.razorpay_payment_id);
  failpoint('payment-fetched');
  if (payment.order_id !== order.gateway_order_id) throw verificationFailed('order_mismatch');
  const { outcome } = await applyPayment(deps, payment);
  if (outcome !== 'applied') throw verificationFailed(outcome);
  if (payment.status === 'captured') return;
  if (payment.status === 'failed' || payment.status === 'refunded') throw verificationFailed(payment.status);
  throw new AppError('conflict', 'payment_pending', { reason: 'payment_pending' });
}

/** Returns the payment, captured if it was only authorized. */
export async function captureAuthorized(
  gateway: PaymentGateway,
  payment: GatewayPayment,
): Promise<GatewayPayment> {
  if (payment.status !== 'authorized') return payment;
  // The gateway refuses a second capture, so that a concurrent one is resolved by reading the state.
  return await gateway.capture(payment).catch(() => gateway.findPayment(payment.id));
}

async function loadPayment(gateway: PaymentGateway, id: string): Promise<GatewayPayment> {
  try {
    return await captureAuthorized(gateway, await gateway.findPayment(id));
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request')
      throw verificationFailed('payment_not_found', error);
    throw error;
  }
}

/** Error for an unverifiable payment. The reason is for the log and tests. */
export function verificationFailed(reason: string, cause?: unknown): AppError {
  return new AppError('bad_request', 'payment_verification_failed', { reason, cause });
}
