import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startFakeRazorpay } from '#server/payments/testing-fake-razorpay.ts';

/*
 * npm run dev:payments
 *
 * Starts a payment gateway on loopback that charges no one, and the product with it. Its checkout offers to pay, to let
 * the payment fail, to pay with a forged signature, and to walk away.
 */
const gateway = await startFakeRazorpay();
const { config } = gateway;
console.error(`Local payment gateway: ${config.apiUrl}`);
const product = spawn(
  process.execPath,
  [join(import.meta.dirname, '../start.mjs'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...{ RAZORPAY_KEY_ID: config.keyId, RAZORPAY_KEY_SECRET: config.keySecret },
      ...{ RAZORPAY_WEBHOOK_SECRET: config.webhookSecret!, RAZORPAY_API_URL: config.apiUrl },
      RAZORPAY_CHECKOUT_URL: config.checkoutUrl,
    },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => product.kill(signal));
const [code] = (await once(product, 'exit')) as [number | null];
await gateway.close();
process.exitCode = code ?? 1;
