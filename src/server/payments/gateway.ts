import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { paymentState } from '#contract/payments.ts';
import type { RazorpayConfig } from '../deps.ts';

/** A payment as the gateway tells it, in an answer or in an event. */
export const gatewayPayment = z.object({
  id: z.string().min(1),
  order_id: z.string().nullish(),
  /** Paise. */
  amount: z.number(),
  currency: z.string(),
  status: paymentState,
});
export type GatewayPayment = z.infer<typeof gatewayPayment>;

export const gatewayRefund = z.object({
  id: z.string().min(1),
  payment_id: z.string(),
  status: z.enum(['pending', 'processed', 'failed']),
});
export type GatewayRefund = z.infer<typeof gatewayRefund>;

/** Whoever takes the money. Every call throws `unavailable` when it gives no answer, `bad_request` when it refuses. */
export interface PaymentGateway {
  /** The same receipt again gives the same order, so an answer that was lost can be asked for. */
  createOrder(order: { receipt: string; amountMinor: number; currency: string }): Promise<{ id: string }>;
  findPayment(id: string): Promise<GatewayPayment>;
  listOrderPayments(orderId: string): Promise<GatewayPayment[]>;
  /** Takes the money that a payment has set aside. */
  capture(payment: GatewayPayment): Promise<GatewayPayment>;
  /** Gives all of it back; the same key again is the same refund. */
  refund(paymentId: string, key: string): Promise<GatewayRefund>;
}

const TIMEOUT_MS = 10_000;

const createdOrder = z.object({ id: z.string().min(1) });
const paymentList = z.object({ items: z.array(gatewayPayment) });

/** Razorpay over its REST API. */
export function createRazorpay({ apiUrl, keyId, keySecret }: RazorpayConfig): PaymentGateway {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`;

  async function call<T>(
    schema: z.ZodType<T>,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<T> {
    const response = await fetch(`${apiUrl}/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body: body ? JSON.stringify(body) : null,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw unreachable(cause);
    });
    const answer = await response.json().catch(() => null);
    if (response.status >= 500 || response.status === 429) throw unreachable(answer);
    if (!response.ok) throw refused(answer);
    const parsed = schema.safeParse(answer);
    if (!parsed.success) throw unreachable(parsed.error);
    return parsed.data;
  }

  const segment = encodeURIComponent;
  return {
    createOrder: ({ receipt, amountMinor, currency }) =>
      call(createdOrder, '/orders', {
        amount: amountMinor,
        currency,
        receipt,
        unique_receipt: true,
        payment_capture: true,
      }),
    findPayment: (id) => call(gatewayPayment, `/payments/${segment(id)}`),
    listOrderPayments: async (orderId) =>
      (await call(paymentList, `/orders/${segment(orderId)}/payments`)).items,
    capture: ({ id, amount, currency }) =>
      call(gatewayPayment, `/payments/${segment(id)}/capture`, { amount, currency }),
    refund: (paymentId, key) =>
      call(gatewayRefund, `/payments/${segment(paymentId)}/refund`, {}, { 'x-refund-idempotency': key }),
  };
}

/** What people are told while nothing can be paid, in the words of the specification. */
export const GATEWAY_UNAVAILABLE = 'Payment gateway is not available at the moment. Please try again later.';

function unreachable(cause: unknown): AppError {
  return new AppError('unavailable', GATEWAY_UNAVAILABLE, { cause, reason: 'gateway_unreachable' });
}

function refused(answer: unknown): AppError {
  return new AppError('bad_request', 'The payment gateway refused the request.', {
    cause: answer,
    reason: 'gateway_refused',
  });
}
