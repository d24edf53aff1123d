import type { CallTable } from './row.ts';
import type { World } from './world.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Section 7, Payments, on a server without payment keys. */
export const withoutKeys: CallTable[] = [
  {
    section: 3,
    call: 'GET /payments/config',
    fields: { 'razorpay.enabled': 'boolean', 'razorpay.key_id': 'string?' },
    decision: '0026-plans-and-billing',
  },
  {
    section: 3,
    call: 'GET /payments/subscription',
    fields: { plan: ['free', 'pro', 'enterprise'], is_active: 'boolean', expires_at: 'string?' },
  },
  { section: 7, call: 'GET /payments/history', fields: { '': 'list' } },
  {
    section: 8,
    call: 'POST /payments/create-order',
    about: 'without payment keys',
    status: 503,
    input: () => ({ body: { plan: 'pro', gateway: 'razorpay' } }),
    fields: { detail: /^Payment gateway is not available at the moment\. Please try again later\.$/ },
    decision: '0026-plans-and-billing',
  },
  {
    section: 8,
    call: 'POST /payments/verify-payment',
    about: 'of an order that is not there',
    status: 400,
    input: () => ({
      body: { razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1', razorpay_signature: 'x' },
    }),
    fields: { detail: 'string' },
    decision: '0026-plans-and-billing',
  },
  {
    section: 7,
    call: 'POST /payments/subscription/cancel',
    about: 'with nothing to cancel',
    status: 409,
    fields: { detail: 'string' },
    decision: '0026-plans-and-billing',
  },
  {
    section: 7,
    call: 'POST /payments/refund/:id',
    about: 'of a payment that is not there',
    status: 404,
    input: () => ({ params: { id: 'pay_none' } }),
    fields: { detail: 'string' },
    decision: '0026-plans-and-billing',
  },
];

/** Section 7, Payments, on a server that takes them. */
export const payments: CallTable[] = [
  {
    section: 3,
    call: 'GET /payments/config',
    about: 'on a server that takes payments',
    as: 'buyer',
    fields: { 'razorpay.enabled': 'boolean', 'razorpay.key_id': /^rzp_/ },
  },
  {
    section: 3,
    call: 'POST /payments/create-order',
    as: 'buyer',
    input: () => ({ body: { plan: 'pro', gateway: 'razorpay' } }),
    fields: { id: 'string', amount: 'number', amount_minor: 'number', currency: ['INR'] },
    decision: '0026-plans-and-billing',
  },
  {
    section: 3,
    call: 'POST /payments/verify-payment',
    as: 'buyer',
    input: async (world) => ({ body: await payment(world) }),
    fields: { plan: ['pro'], is_active: 'boolean', expires_at: TIME },
  },
  {
    section: 8,
    call: 'POST /payments/verify-payment',
    about: 'with a forged signature',
    as: 'buyer',
    status: 400,
    input: async (world) => ({ body: { ...(await payment(world)), razorpay_signature: 'f'.repeat(64) } }),
    fields: { detail: 'string' },
  },
  {
    section: 7,
    call: 'GET /payments/history',
    as: 'buyer',
    fields: { '[].id': 'string', '[].amount': 'number' },
  },
  { section: 7, call: 'POST /payments/subscription/cancel', as: 'buyer', fields: { plan: ['pro'] } },
  {
    section: 7,
    call: 'POST /payments/refund/:id',
    as: 'buyer',
    input: async (_, { call, as }) => {
      const { body } = await call<{ id: string; refundable_until: string | null }[]>(
        'GET /payments/history',
        { as },
      );
      const paid = body.find(({ refundable_until }) => refundable_until);
      return { params: { id: paid?.id ?? 'none' } };
    },
    fields: { id: 'string' },
  },
];

/** Checkout result of a paid month of Pro. */
async function payment({ shop, accounts }: World) {
  const body = { plan: 'pro', gateway: 'razorpay' };
  const order = await shop.call<{ id: string }>('POST /payments/create-order', { as: accounts.buyer, body });
  return shop.razorpay.checkoutResult(order.body.id, shop.razorpay.pay(order.body.id).id);
}
