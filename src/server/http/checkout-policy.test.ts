import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing.ts';
import { checkoutHosts } from './checkout-policy.ts';

const RAZORPAY = {
  keyId: 'rzp_test_1',
  keySecret: 'secret',
  webhookSecret: null,
  apiUrl: 'https://api.razorpay.com',
  checkoutUrl: 'https://checkout.razorpay.com/v1/checkout.js',
};

let app: TestApp;

beforeAll(async () => {
  app = await testApp({ config: { razorpay: RAZORPAY } });
});
afterAll(() => app.close());

async function policyOf(url: string): Promise<string> {
  return String(
    (await app.inject({ url, headers: { accept: 'text/html' } })).headers['content-security-policy'],
  );
}

test('only the checkout page allows the hosts of the vendor', async () => {
  for (const url of ['/subscription', '/subscription/', '/subscription?plan=pro']) {
    const policy = await policyOf(url);
    expect(policy).toContain("script-src 'self' https://checkout.razorpay.com;");
    expect(policy).toContain('frame-src https://api.razorpay.com https://checkout.razorpay.com;');
    expect(policy).toMatch(
      /connect-src [^;]+ https:\/\/api\.razorpay\.com https:\/\/lumberjack\.razorpay\.com;/,
    );
  }
  for (const url of [
    '/',
    '/projects',
    '/subscriptions',
    '/subscription/x',
    '/x?/subscription',
    '/api/payments/plans',
  ]) {
    expect(await policyOf(url), url).not.toContain('razorpay');
  }
});

test('a checkout script from another host allows that host only', () => {
  const hosts = checkoutHosts(
    { ...RAZORPAY, checkoutUrl: 'http://127.0.0.1:4000/checkout.js' },
    '/subscription',
  );
  const origin = ['http://127.0.0.1:4000'];
  expect(hosts).toEqual({ script: origin, frame: origin, connect: origin });
});

test('without payments no third-party host is allowed', () => {
  expect(checkoutHosts(null, '/subscription')).toEqual({ script: [], frame: [], connect: [] });
});
