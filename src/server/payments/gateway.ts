import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { paymentState } from '#contract/payments.ts';
import type { RazorpayConfig } from '../deps.ts';

/** A payment as the gateway reports it, in a response or an event. */
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

/**
 * Payment gateway. Every call throws `unavailable` when it does not respond, `bad_request` when it refuses.
 */
export interface PaymentGateway {
  /** Idempotent by receipt, so that a lost response can be requested again. */
  createOrder(order: { receipt: string; amountMinor: number; currency: string }): Promise<{ id: string }>;
  findPayment(id: string): Promise<GatewayPayment>;
  listOrderPayments(orderId: string): Promise<GatewayPayment[]>;
  /** Captures an authorized payment. */
  capture(payment: GatewayPayment): Promise<GatewayPayment>;
  /** Refunds the full amount. Idempotent by key. */
  refund(paymentId: string, key: string): Promise<GatewayRefund>;
}

const REQUEST_TIMEOUT_MS = 10_000;

const createdOrder = z.object({ id: z.string().min(1) });
const paymentList = z.object({ items: z.array(gatewayPayment) });

/** Razorpay REST API client. */
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
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).catch((cause) => {
      throw gatewayUnreachable(cause);
    });
    const responseBody = await response.json().catch(() => null);
    if (response.status >= 500 || response.status === 429) throw gatewayUnreachable(responseBody);
    if (!response.ok) throw gatewayRefused(responseBody);
    const parsed = schema.safeParse(responseBody);
    if (!parsed.success) throw gatewayUnreachable(parsed.error);
    return parsed.data;
  }

  const encode = encodeURIComponent;
  return {
    createOrder: ({ receipt, amountMinor, currency }) =>
      call(createdOrder, '/orders', {
        amount: amountMinor,
        currency,
        receipt,
        unique_receipt: true,
        payment_capture: true,
      }),
    findPayment: (id) => call(gatewayPayment, `/payments/${encode(id)}`),
    listOrderPayments: async (orderId) =>
      (await call(paymentList, `/orders/${encode(orderId)}/payments`)).items,
    capture: ({ id, amount, currency }) =>
      call(gatewayPayment, `/payments/${encode(id)}/capture`, { amount, currency }),
    refund: (paymentId, key) =>
      call(gatewayRefund, `/payments/${encode(paymentId)}/refund`, {}, { 'x-refund-idempotency': key }),
  };
}

function gatewayUnreachable(cause: unknown): AppError {
  return new AppError('unavailable', 'payment_gateway_unavailable', { cause, reason: 'gateway_unreachable' });
}

function gatewayRefused(responseBody: unknown): AppError {
  return new AppError('bad_request', 'payment_gateway_refused', {
    cause: responseBody,
    reason: 'gateway_rejected',
  });
}
