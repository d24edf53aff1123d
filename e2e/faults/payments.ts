import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startEmbedded } from '#db/embedded.ts';
import { type FakeRazorpay, startFakeRazorpay } from '#server/payments/testing-fake-razorpay.ts';
import { type Account, signUp } from '../../bench/editor-server.ts';
import { type Fault, seconds, slowest, trialsOf } from './fault.ts';
import { prepareProgram } from './program.ts';

/** Before, within and after the transaction that records a payment. */
const MOMENTS = ['payment-fetched', 'payment-recorded', 'payment-committed'] as const;
/** Access tokens live half an hour. */
const PURCHASES_OF_BUYER = 30;
const DAY_MS = 24 * 3600_000;

/** R3: kills the server between a payment and the plan that it buys; the browser then verifies again, twice. */
export const paymentFault: Fault = {
  id: 'R3',
  name: '`kill -9` between payment and plan',
  target: 'one charge, one subscription period, one invoice; numbers of invoices without gaps',
  async run(options) {
    const folder = await mkdtemp(join(tmpdir(), 'hindsight-payments-'));
    const embedded = await startEmbedded({ dataDir: folder, log: pino({ level: 'silent' }) });
    const razorpay = await startFakeRazorpay();
    const program = await prepareProgram({ DATABASE_URL: embedded.url, ...gatewaySettings(razorpay) });
    const starts: number[] = [];
    const trials = trialsOf(options, 200);
    let losses = 0;
    try {
      let buyer: Account | null = null;
      await program.start({ FAILPOINT: MOMENTS[0] });
      for (let trial = 0; trial < trials; trial++) {
        const purchase = trial % PURCHASES_OF_BUYER;
        if (buyer === null || purchase === 0) buyer = await signUp(program.url, `buyer-${trial}`);
        const signed = await pay({ razorpay, buyer }, trial);
        const { status } = await buyer.call('POST', '/payments/verify-payment', signed);
        if (status === 0) await program.ended();
        else await program.kill();
        starts.push(await program.start({ FAILPOINT: nextFailpoint(trial) }));
        const isWhole = await verifyAgain(buyer, signed, { months: purchase + 1, documents: trial + 1 });
        if (status !== 0 || !isWhole) losses += 1;
        if (trial % 10 === 9) options.report(`R3: ${trial + 1} kills, ${losses} losses`);
      }
    } finally {
      await program.remove();
      await razorpay.close();
      await embedded.stop();
      await rm(folder, { recursive: true, force: true });
    }
    return { trials, losses, figures: `ready again ≤ ${seconds(slowest(starts))}`, isMet: losses === 0 };
  },
};

/** Settings of a server with this gateway. */
function gatewaySettings({ config }: FakeRazorpay): Record<string, string> {
  return {
    ...{ RAZORPAY_KEY_ID: config.keyId, RAZORPAY_KEY_SECRET: config.keySecret },
    ...{ RAZORPAY_API_URL: config.apiUrl, RAZORPAY_CHECKOUT_URL: config.checkoutUrl },
    RATE_LIMIT_PAYMENTS_PER_USER: '100000/60',
  };
}

/** Moment of the next kill, after those that verifying the purchase of this trial twice passes. */
function nextFailpoint(trial: number): string {
  const moment = MOMENTS[trial % MOMENTS.length]!;
  const next = MOMENTS[(trial + 1) % MOMENTS.length]!;
  // A payment is recorded once; the transaction that was killed has not recorded it.
  const passed = next === 'payment-recorded' ? Number(moment !== 'payment-committed') : 2;
  return `${next}:${passed + 1}`;
}

async function pay(
  { razorpay, buyer }: { razorpay: FakeRazorpay; buyer: Account },
  trial: number,
): Promise<ReturnType<FakeRazorpay['checkoutResult']>> {
  const body = { plan: 'pro', gateway: 'razorpay', idempotency_key: `purchase-${trial}` };
  const order = await buyer.call('POST', '/payments/create-order', body);
  return razorpay.checkoutResult(order.body.id, razorpay.pay(order.body.id).id);
}

/** Verifies a purchase twice. True when exactly its month and its invoice were added, under the next number. */
async function verifyAgain(
  buyer: Account,
  signed: object,
  expected: { months: number; documents: number },
): Promise<boolean> {
  for (let tries = 0; tries < 2; tries++) {
    if ((await buyer.call('POST', '/payments/verify-payment', signed)).status !== 200) return false;
  }
  const { body: subscription } = await buyer.call('GET', '/payments/subscription');
  const { body: history } = await buyer.call('GET', '/payments/history');
  const { invoices } = (await buyer.call('GET', '/payments/invoices')).body;
  const days = (Date.parse(subscription.expires_at) - Date.now()) / DAY_MS;
  const { months, documents } = expected;
  return (
    subscription.plan === 'pro' &&
    days > months * 28 - 1 &&
    days <= months * 31 &&
    history.length === months &&
    invoices.length === months &&
    Number(invoices[0].number.slice('2026-'.length)) === documents
  );
}
