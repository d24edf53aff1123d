import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RazorpayConfig } from '../deps.ts';
import type { GatewayPayment } from './gateway.ts';
import { checkoutPayload, signPayload } from './razorpay-signature.ts';

/** An order as Razorpay keeps it. */
export interface FakeOrder {
  id: string;
  amount: number;
  currency: string;
  receipt: string;
}

type Trouble = 'silent' | 'failing' | 'answer_lost';

/** A server that behaves as Razorpay documents, with a stand-in for its checkout. */
export interface FakeRazorpay {
  config: RazorpayConfig;
  orders: Map<string, FakeOrder>;
  payments: Map<string, GatewayPayment>;
  /** Idempotency key → refund. */
  refunds: Map<string, { id: string; payment_id: string; status: string }>;
  /** How the next calls to an address go wrong: closed without an answer, 500, or done and not told. */
  failures: Map<RegExp, Trouble>;
  /** What somebody does in the checkout: pays, in whatever state the payment ends. */
  pay(orderId: string, overrides?: Partial<GatewayPayment>): GatewayPayment;
  /** What the checkout hands to the page afterwards. */
  checkoutResult(
    orderId: string,
    paymentId: string,
  ): { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };
  close(): Promise<void>;
}

const KEY_ID = 'rzp_test_local';
const KEY_SECRET = 'the secret of the local key';
const WEBHOOK_SECRET = 'the secret of local events';

/** Starts it on a free port of 127.0.0.1. */
export async function startFakeRazorpay(): Promise<FakeRazorpay> {
  const state: Omit<FakeRazorpay, 'config' | 'close'> = {
    orders: new Map(),
    payments: new Map(),
    refunds: new Map(),
    failures: new Map(),
    pay(orderId, overrides) {
      const { amount, currency } = state.orders.get(orderId)!;
      const id = newId('pay');
      const payment = { id, order_id: orderId, amount, currency, status: 'captured' as const, ...overrides };
      state.payments.set(payment.id, payment);
      return payment;
    },
    checkoutResult: (orderId, paymentId) => ({
      razorpay_order_id: orderId,
      razorpay_payment_id: paymentId,
      razorpay_signature: signPayload(checkoutPayload(orderId, paymentId), KEY_SECRET),
    }),
  };
  const server = createServer((request, response) => void answer(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...state,
    config: {
      keyId: KEY_ID,
      keySecret: KEY_SECRET,
      webhookSecret: WEBHOOK_SECRET,
      apiUrl: url,
      checkoutUrl: `${url}/checkout.js`,
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type State = Omit<FakeRazorpay, 'config' | 'close'>;

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://local');
  if (pathname === '/checkout.js') return void send(response, 200, CHECKOUT, 'text/javascript');
  if (pathname === '/pay') return pay(state, request, response);
  const trouble = [...state.failures].find(([address]) => address.test(pathname))?.[1];
  if (trouble === 'silent') return void request.socket.destroy();
  if (trouble === 'failing') return void send(response, 500, { error: { code: 'SERVER_ERROR' } });
  const expected = `Basic ${Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return refuse(response, 401, 'Authentication failed');
  const body = request.method === 'POST' ? JSON.parse((await text(request)) || '{}') : {};
  const route = ROUTES.find(([method, path]) => method === request.method && path.test(pathname));
  if (!route) return refuse(response, 404, 'The requested URL was not found on the server.');
  const [, path, handle] = route;
  const result = handle(state, path.exec(pathname)?.[1] ?? '', body, request);
  if (trouble === 'answer_lost') return void request.socket.destroy();
  if (typeof result === 'string') return refuse(response, 400, result);
  send(response, 200, result);
}

/** Method, address, and what it does: an answer, or the words of a refusal. */
const ROUTES: [
  string,
  RegExp,
  (state: State, id: string, body: Record<string, unknown>, request: IncomingMessage) => object | string,
][] = [
  ['POST', /^\/v1\/orders$/, createOrder],
  [
    'GET',
    /^\/v1\/orders\/(\w+)\/payments$/,
    (state, id) => ({ items: [...state.payments.values()].filter((payment) => payment.order_id === id) }),
  ],
  [
    'GET',
    /^\/v1\/payments\/(\w+)$/,
    (state, id) => state.payments.get(id) ?? 'The id provided does not exist',
  ],
  ['POST', /^\/v1\/payments\/(\w+)\/capture$/, capture],
  ['POST', /^\/v1\/payments\/(\w+)\/refund$/, refund],
];

function createOrder(state: State, _id: string, body: Record<string, unknown>): object | string {
  const { amount, currency, receipt, unique_receipt } = body as unknown as FakeOrder & {
    unique_receipt: boolean;
  };
  if (!Number.isInteger(amount) || amount < 100) return 'The amount must be at least INR 1.00';
  const known = [...state.orders.values()].find((order) => order.receipt === receipt);
  if (known && unique_receipt) return known;
  const order = { id: newId('order'), amount, currency, receipt };
  state.orders.set(order.id, order);
  return { ...order, entity: 'order', status: 'created', attempts: 0 };
}

function capture(state: State, id: string, body: Record<string, unknown>): object | string {
  const payment = state.payments.get(id);
  if (!payment) return 'The id provided does not exist';
  if (payment.status === 'captured') return 'This payment has already been captured';
  if (payment.status !== 'authorized') return 'Only payments which have been authorized can be captured';
  if (body.amount !== payment.amount) return 'Capture amount must be equal to the amount authorized';
  payment.status = 'captured';
  return payment;
}

function refund(
  state: State,
  id: string,
  _body: Record<string, unknown>,
  request: IncomingMessage,
): object | string {
  const key = String(request.headers['x-refund-idempotency'] ?? '');
  if (key.length < 10) return 'The idempotency key must have at least 10 characters';
  const known = state.refunds.get(key);
  if (known) return known;
  const payment = state.payments.get(id);
  if (payment?.status !== 'captured') return 'The payment has been fully refunded already';
  payment.status = 'refunded';
  const made = { id: newId('rfnd'), payment_id: id, status: 'processed' };
  state.refunds.set(key, made);
  return made;
}

/** What the stand-in for the checkout does when somebody presses Pay. */
async function pay(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://local');
  const orderId = searchParams.get('order') ?? '';
  if (!state.orders.has(orderId)) return refuse(response, 400, 'The order does not exist');
  send(response, 200, state.checkoutResult(orderId, state.pay(orderId).id));
}

function refuse(response: ServerResponse, status: number, description: string): void {
  send(response, status, { error: { code: 'BAD_REQUEST_ERROR', description } });
}

function send(response: ServerResponse, status: number, body: object | string, type = 'application/json') {
  response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

let ids = 0;

function newId(kind: string): string {
  ids += 1;
  return `${kind}_local${String(ids).padStart(8, '0')}`;
}

/** The interface of the vendor's script: a window over the page in which somebody pays or walks away. */
const CHECKOUT = `
const here = new URL(document.currentScript.src).origin;
window.Razorpay = class {
  constructor(options) { this.options = options; }
  on() {}
  open() {
    const { options } = this;
    const box = document.createElement('div');
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Checkout');
    box.style.cssText = 'position:fixed;inset:20% 20% auto;padding:24px;background:#fff;color:#000;z-index:9999';
    const words = document.createElement('p');
    words.textContent = options.description + ': ' + options.currency + ' ' + options.amount / 100;
    const button = (label, act) => {
      const made = document.createElement('button');
      made.textContent = label;
      made.onclick = () => { box.remove(); act(); };
      box.append(made, ' ');
    };
    box.append(words);
    button('Pay now', async () => {
      const reply = await fetch(here + '/pay?order=' + options.order_id);
      options.handler(await reply.json());
    });
    button('Pay with a forged signature', () => options.handler({
      razorpay_order_id: options.order_id,
      razorpay_payment_id: 'pay_forged',
      razorpay_signature: 'f'.repeat(64),
    }));
    button('Walk away', () => options.modal.ondismiss());
    document.body.append(box);
  }
};
`;
