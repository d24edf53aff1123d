import { type FakeRazorpay, startFakeRazorpay } from '#server/payments/testing-fake-razorpay.ts';
import { startProduct } from '../product.ts';
import { type Caller, createCaller } from './caller.ts';

/** The product on a server that takes payments, beside a gateway of our own. */
export interface Shop {
  url: string;
  call: Caller;
  razorpay: FakeRazorpay;
  close(): Promise<void>;
}

/** Starts both. */
export async function openShop(): Promise<Shop> {
  const razorpay = await startFakeRazorpay();
  const { keyId, keySecret, apiUrl, checkoutUrl } = razorpay.config;
  const product = await startProduct({
    allowedHosts: [],
    settings: {
      RAZORPAY_KEY_ID: keyId,
      RAZORPAY_KEY_SECRET: keySecret,
      RAZORPAY_API_URL: apiUrl,
      RAZORPAY_CHECKOUT_URL: checkoutUrl,
    },
  });
  return {
    url: product.url,
    call: createCaller(product.url),
    razorpay,
    async close() {
      await product.stop();
      await razorpay.close();
    },
  };
}
