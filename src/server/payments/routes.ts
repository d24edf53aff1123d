import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, type ErrorKey } from '#contract/errors.ts';
import { type Payment, paymentRoutes } from '#contract/payments.ts';
import { PLANS, REFUND_DAYS, TRIAL_DAYS } from '#contract/plans.ts';
import type { Deps, RazorpayConfig } from '../deps.ts';
import { type RequestContext, serve } from '../http/serve.ts';
import { consume } from '../rate-limit/rate-limiter.ts';
import { registerBilling } from './billing-routes.ts';
import { createRazorpay, type PaymentGateway } from './gateway.ts';
import { placeOrder, toRupees } from './orders.ts';
import { isValidSignature } from './razorpay-signature.ts';
import {
  findAccessiblePayment,
  listPayments,
  type PaymentDetails,
  refundableUntil,
  refundPayment,
} from './refunds.ts';
import { cancelAtPeriodEnd, getSubscription, startTrial } from './subscription.ts';
import { verificationFailed, verifyCheckout } from './verify-checkout.ts';
import { processWebhookEvent } from './webhook-events.ts';

/** Registers the `payments` routes. */
export function registerPayments(app: FastifyInstance, deps: Deps): void {
  registerPaymentRoutes(app, deps);
  registerSubscription(app, deps);
  registerBilling(app, deps);
  registerWebhook(app, deps);
}

/** Orders, payments and refunds. */
function registerPaymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { razorpay } = deps.config;
  const gateway = razorpay && createRazorpay(razorpay);
  const requireGateway = (): PaymentGateway => {
    if (gateway) return gateway;
    throw new AppError('unavailable', 'payment_gateway_unavailable', { reason: 'not_configured' });
  };

  serve(app, paymentRoutes.plans, async () => ({
    plans: [...PLANS],
    trial_days: TRIAL_DAYS,
    refund_days: REFUND_DAYS,
    sales_email: deps.config.salesEmail,
  }));

  serve(app, paymentRoutes.config, async () => ({
    razorpay: {
      enabled: razorpay !== null,
      key_id: razorpay?.keyId ?? null,
      checkout_url: razorpay?.checkoutUrl ?? null,
    },
  }));

  serve(app, paymentRoutes.createOrder, async ({ caller, body }) => {
    const paymentGateway = requireGateway();
    await consume(deps, `order:${caller.userId}`, deps.config.limits.paymentsPerUser);
    const order = await placeOrder(deps, paymentGateway, {
      userId: caller.userId,
      plan: body.plan,
      period: body.period,
      idempotencyKey: body.idempotency_key,
    });
    return {
      id: order.gateway_order_id,
      amount: toRupees(order.amount_minor),
      amount_minor: order.amount_minor,
      currency: order.currency,
    };
  });

  serve(app, paymentRoutes.verify, async ({ caller, body }) => {
    if (!gateway || !razorpay) throw verificationFailed('not_configured');
    await verifyCheckout({ ...deps, gateway, keySecret: razorpay.keySecret }, caller.userId, body);
    return await getSubscription(deps, caller.userId);
  });

  serve(app, paymentRoutes.history, async ({ caller }) => {
    const rows = await listPayments(deps.db, { userId: caller.userId });
    return rows.map((row) => presentPayment(row, deps.now()));
  });

  serve(app, paymentRoutes.refund, async ({ caller, params }) => {
    const payment = await findAccessiblePayment(deps, caller, params.id);
    await refundPayment({ ...deps, gateway: requireGateway() }, caller, payment);
    return presentPayment(await findAccessiblePayment(deps, caller, params.id), deps.now());
  });
}

function registerSubscription(app: FastifyInstance, deps: Deps): void {
  serve(app, paymentRoutes.subscription, async ({ caller }) => await getSubscription(deps, caller.userId));

  serve(app, paymentRoutes.cancel, async ({ caller }) => {
    await cancelAtPeriodEnd(deps, caller.userId);
    return await getSubscription(deps, caller.userId);
  });

  serve(app, paymentRoutes.trial, async ({ caller }) => {
    await startTrial(deps, caller.userId);
    return await getSubscription(deps, caller.userId);
  });

  serve(app, paymentRoutes.changePlan, async ({ caller, body }) => {
    const now = await getSubscription(deps, caller.userId);
    if (body.plan === now.plan) return now;
    if (body.plan === 'pro')
      throw new AppError('bad_request', 'pro_needs_payment', { reason: 'payment_required' });
    if (body.plan === 'enterprise') throw notSelfService('enterprise_by_agreement');
    if (now.plan === 'enterprise') throw notSelfService('enterprise_ends_by_agreement');
    await cancelAtPeriodEnd(deps, caller.userId);
    return await getSubscription(deps, caller.userId);
  });
}

function notSelfService(key: ErrorKey): AppError {
  return new AppError('bad_request', key, { reason: 'not_self_service' });
}

/** Gateway webhook. A wrong signature is refused; a duplicate event is acknowledged without effect. */
function registerWebhook(app: FastifyInstance, deps: Deps): void {
  const receive = async ({ request }: RequestContext<typeof paymentRoutes.webhook>) => {
    const secret = webhookSecret(deps.config.razorpay);
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = request.headers['x-razorpay-signature'];
    if (typeof signature !== 'string' || !isValidSignature(raw, signature, secret)) {
      throw invalidSignature();
    }
    const id = request.headers['x-razorpay-event-id'];
    const outcome = await processWebhookEvent(deps, raw, typeof id === 'string' ? id : undefined);
    if (outcome === 'order_not_found' || outcome === 'amount_mismatch') {
      request.log.warn({ outcome, event: id }, 'payment webhook event had no effect');
    }
    return { ok: true as const };
  };
  // Requests without a signature are refused before the body is read.
  const onRequest = async ({ headers }: FastifyRequest) => {
    webhookSecret(deps.config.razorpay);
    if (!/^[\da-f]{64}$/.test(String(headers['x-razorpay-signature']))) throw invalidSignature();
  };
  serve(app, paymentRoutes.webhook, receive, { onRequest });
}

function invalidSignature(): AppError {
  return new AppError('bad_request', 'webhook_signature_mismatch', { reason: 'invalid_signature' });
}

function webhookSecret(razorpay: RazorpayConfig | null): string {
  if (razorpay?.webhookSecret) return razorpay.webhookSecret;
  throw new AppError('not_found', 'payment_webhooks_off');
}

function presentPayment(row: PaymentDetails, now: Date): Payment {
  return {
    id: row.id,
    gateway_payment_id: row.gateway_payment_id,
    plan: row.plan,
    period: row.period,
    amount: toRupees(row.amount_minor),
    amount_minor: row.amount_minor,
    currency: row.currency,
    state: row.state,
    created_at: row.created_at.toISOString(),
    refund: row.refund_state && { state: row.refund_state },
    refundable_until: refundableUntil(row, now)?.toISOString() ?? null,
  };
}
