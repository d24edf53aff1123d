import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RazorpayConfig } from '../deps.ts';
import type { GatewayPayment } from './gateway.ts';
import { checkoutPayload, signPayload } from './razorpay-signature.ts';

interface FakeOrder {
  id: string;
  amount: number;
  currency: string;
  receipt: string;
}

type FailureMode = 'no_response' | 'server_error' | 'response_lost';

/** Server that implements the documented Razorpay API, with a fake checkout. */
export interface FakeRazorpay {
  config: RazorpayConfig;
  orders: Map<string, FakeOrder>;
  payments: Map<string, GatewayPayment>;
  /** Idempotency key → refund. */
  refunds: Map<string, { id: string; payment_id: string; status: string }>;
  /** Failure mode of calls by path: connection closed, status 500, or processed without a response. */
  failures: Map<RegExp, FailureMode>;
  /** Completes the checkout; the payment ends in the given state. */
  pay(orderId: string, overrides?: Partial<GatewayPayment>): GatewayPayment;
  /** Result that the checkout passes to the page. */
  checkoutResult(
    orderId: string,
    paymentId: string,
  ): { razorpay_order_id: string; razorpay_payment_id: string; razorpay_signature: string };
  close(): Promise<void>;
}

const KEY_ID = 'rzp_test_local';
const KEY_SECRET = 'the secret of the local key';
const WEBHOOK_SECRET = 'the secret of local events';

/** Starts the server on a free port of 127.0.0.1. */
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
  const server = createServer((request, response) => void handleRequest(state, request, response));
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

async function handleRequest(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://local');
  if (pathname === '/checkout.js') return void send(response, 200, CHECKOUT, 'text/javascript');
  if (pathname === '/pay') return pay(state, request, response);
  const failure = [...state.failures].find(([address]) => address.test(pathname))?.[1];
  if (failure === 'no_response') return void request.socket.destroy();
  if (failure === 'server_error') return void send(response, 500, { error: { code: 'SERVER_ERROR' } });
  const expected = `Basic ${Buffer.from(`${KEY_ID}:${KEY_SECRET}`).toString('base64')}`;
  if (request.headers.authorization !== expected) return sendError(response, 401, 'Authentication failed');
  const body = request.method === 'POST' ? JSON.parse((await text(request)) || '{}') : {};
  const route = ROUTES.find(([method, path]) => method === request.method && path.test(pathname));
  if (!route) return sendError(response, 404, 'The requested URL was not found on the server.');
  const [, path, handle] = route;
  const result = handle(state, path.exec(pathname)?.[1] ?? '', body, request);
  if (failure === 'response_lost') return void request.socket.destroy();
  if (typeof result === 'string') return sendError(response, 400, result);
  send(response, 200, result);
}

/** Method, path, and handler, which returns a response or an error description. */
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
  const existing = [...state.orders.values()].find((order) => order.receipt === receipt);
  if (existing && unique_receipt) return existing;
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
  const existing = state.refunds.get(key);
  if (existing) return existing;
  const payment = state.payments.get(id);
  if (payment?.status !== 'captured') return 'The payment has been fully refunded already';
  payment.status = 'refunded';
  const created = { id: newId('rfnd'), payment_id: id, status: 'processed' };
  state.refunds.set(key, created);
  return created;
}

/** Handles the buttons of the fake checkout that pay, or try to. */
async function pay(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://local');
  const orderId = searchParams.get('order') ?? '';
  if (!state.orders.has(orderId)) return sendError(response, 400, 'The order does not exist');
  const isFailing = searchParams.has('fails');
  const { id } = state.pay(orderId, isFailing ? { status: 'failed' } : {});
  send(response, 200, isFailing ? {} : state.checkoutResult(orderId, id));
}

function sendError(response: ServerResponse, status: number, description: string): void {
  send(response, status, { error: { code: 'BAD_REQUEST_ERROR', description } });
}

function send(response: ServerResponse, status: number, body: object | string, type = 'application/json') {
  response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** An id that no earlier start of the gateway has given, whose payments the product still knows. */
function newId(kind: string): string {
  return `${kind}_${randomBytes(7).toString('hex')}`;
}

/** The vendor script’s interface: an overlay with buttons to pay, fail, forge or dismiss. It stays open after a failure, as the vendor’s does. */
const CHECKOUT = `
const origin = new URL(document.currentScript.src).origin;
window.Razorpay = class {
  constructor(options) { this.options = options; }
  on() {}
  open() {
    const { options } = this;
    const box = document.createElement('div');
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-label', 'Checkout');
    box.style.cssText = 'position:fixed;inset:20% 20% auto;padding:24px;background:#fff;color:#000;z-index:9999';
    const label = document.createElement('p');
    label.textContent = options.description + ': ' + options.currency + ' ' + options.amount / 100;
    const button = (text, onClick, stays) => {
      const element = document.createElement('button');
      element.textContent = text;
      element.style.cssText = 'border:1px solid;border-radius:4px;padding:4px 8px;margin-top:8px';
      element.onclick = () => { if (!stays) box.remove(); onClick(); };
      box.append(element, ' ');
    };
    box.append(label);
    button('Pay now', async () => {
      const reply = await fetch(origin + '/pay?order=' + options.order_id);
      options.handler(await reply.json());
    });
    button('Let the payment fail', async () => {
      await fetch(origin + '/pay?fails&order=' + options.order_id);
      label.textContent = 'The payment failed. Try again, or walk away.';
    }, true);
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
