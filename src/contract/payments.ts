import { z } from 'zod';
import { id, MAX_LIST, okReply, timestamp } from './common.ts';
import { BILLING_PERIODS, PLAN_VALUES } from './plans.ts';
import { route } from './route.ts';

const planValue = z.enum(PLAN_VALUES);
const period = z.enum(BILLING_PERIODS);
const feature = z.object({ code: z.string(), text: z.string() });

const plan = z.object({
  value: planValue,
  name: z.string(),
  description: z.string(),
  /** Whole rupees. */
  price: z.object({ monthly: z.number(), yearly: z.number() }),
  /** Whole dollars a month; null when it is agreed upon. */
  usd: z.number().nullable(),
  limits: z.object({
    projects: z.number().nullable(),
    commits: z.number().nullable(),
    history_days: z.number().nullable(),
  }),
  features: z.array(feature).max(20),
  pricing: z.array(feature).max(20),
});

const subscription = z.object({
  /** The plan that is paid for. A trial does not change it. */
  plan: planValue,
  /** The plan whose limits apply now: the paid plan, or the trial where that includes more. */
  effective_plan: planValue,
  is_active: z.boolean(),
  /** End of the paid period; null for a plan without one. */
  expires_at: timestamp.nullable(),
  period: period.nullable(),
  cancel_at_period_end: z.boolean(),
  trial: z.object({ available: z.boolean(), ends_at: timestamp.nullable() }),
  usage: z.object({
    /** `limit` is null where there is none: in a plan without one, and on a server without payments. */
    projects: z.object({ used: z.number(), limit: z.number().nullable() }),
  }),
});
export type Subscription = z.infer<typeof subscription>;

export const paymentState = z.enum(['created', 'failed', 'authorized', 'captured', 'refunded']);
export type PaymentState = z.infer<typeof paymentState>;

const payment = z.object({
  id: z.string(),
  gateway_payment_id: z.string(),
  plan: planValue,
  period,
  /** Rupees, as the specification counts. */
  amount: z.number(),
  /** Paise. */
  amount_minor: z.number(),
  currency: z.string(),
  state: paymentState,
  created_at: timestamp,
  refund: z.object({ state: z.enum(['requested', 'pending', 'processed', 'failed']) }).nullable(),
  /** End of the refund window; null when the payment is not refundable. */
  refundable_until: timestamp.nullable(),
});
export type Payment = z.infer<typeof payment>;

const gatewayId = z.string().min(1).max(64);

export const paymentRoutes = {
  plans: route({
    method: 'GET',
    path: '/payments/plans',
    access: 'visitor',
    summary: 'List plans with prices, limits and features',
    reply: z.object({
      plans: z.array(plan).max(20),
      trial_days: z.number(),
      refund_days: z.number(),
      /** Contact address for Enterprise; null where none is configured. */
      sales_email: z.string().nullable(),
    }),
  }),
  config: route({
    method: 'GET',
    path: '/payments/config',
    access: 'visitor',
    summary: 'Get the payment configuration',
    reply: z.object({
      razorpay: z.object({
        enabled: z.boolean(),
        key_id: z.string().nullable(),
        /** The script that opens the checkout; null when payments are off. */
        checkout_url: z.string().nullable(),
      }),
    }),
  }),
  createOrder: route({
    method: 'POST',
    path: '/payments/create-order',
    allowedWhenDiskFull: true,
    summary: 'Create a payment order; the server sets the price',
    body: z.object({
      plan: planValue,
      gateway: z.literal('razorpay'),
      period: period.default('monthly'),
      /** The same key again gives the same order. */
      idempotency_key: z.string().min(8).max(64).optional(),
    }),
    reply: z.object({
      id: z.string(),
      /** Rupees. */
      amount: z.number(),
      /** Paise. */
      amount_minor: z.number(),
      currency: z.string(),
    }),
  }),
  verify: route({
    method: 'POST',
    path: '/payments/verify-payment',
    rateLimits: [{ bucket: 'verify', limit: 'paymentsPerUser', per: 'user' }],
    allowedWhenDiskFull: true,
    summary: 'Verify a signed payment and activate its plan (idempotent)',
    body: z.object({
      razorpay_payment_id: gatewayId,
      razorpay_order_id: gatewayId,
      razorpay_signature: z.string().min(1).max(128),
    }),
    reply: subscription,
  }),
  subscription: route({
    method: 'GET',
    path: '/payments/subscription',
    summary: 'Get the plan and usage of the signed-in user',
    reply: subscription,
  }),
  history: route({
    method: 'GET',
    path: '/payments/history',
    summary: 'List payments of the signed-in user, newest first',
    reply: z.array(payment).max(MAX_LIST),
  }),
  cancel: route({
    method: 'POST',
    path: '/payments/subscription/cancel',
    allowedWhenDiskFull: true,
    summary: 'Cancel the plan at the end of the paid period',
    reply: subscription,
  }),
  trial: route({
    method: 'POST',
    path: '/payments/subscription/trial',
    allowedWhenDiskFull: true,
    summary: 'Start the 14-day Pro trial (once, no card)',
    reply: subscription,
  }),
  refund: route({
    method: 'POST',
    path: '/payments/refund/:id',
    rateLimits: [{ bucket: 'refund', limit: 'paymentsPerUser', per: 'user' }],
    allowedWhenDiskFull: true,
    summary: 'Refund a payment within 14 days; its plan ends immediately',
    params: z.object({ id }),
    reply: payment,
  }),
  changePlan: route({
    method: 'POST',
    path: '/auth/me/subscription',
    allowedWhenDiskFull: true,
    summary: 'Downgrade to Free at the end of the paid period; other plans start with a payment',
    body: z.object({ plan: planValue }),
    reply: subscription,
  }),
  webhook: route({
    method: 'POST',
    path: '/payments/webhook',
    allowedWhenDiskFull: true,
    access: 'visitor',
    kind: 'raw',
    summary: 'Receive events of the payment gateway, signed over the raw body',
    bodyLimit: 2 ** 20,
    reply: okReply,
  }),
};
