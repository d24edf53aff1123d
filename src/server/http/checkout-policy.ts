import type { RazorpayConfig } from '../deps.ts';

/** Foreign hosts that a page may use, each as an origin. */
export interface ThirdPartyHosts {
  script: string[];
  frame: string[];
  connect: string[];
}

const NO_HOSTS: ThirdPartyHosts = { script: [], frame: [], connect: [] };

const VENDOR = 'https://checkout.razorpay.com';
const VENDOR_API = 'https://api.razorpay.com';
const VENDOR_ANALYTICS = 'https://lumberjack.razorpay.com';

/** The one document in which the checkout opens; it is entered and left by a full load. */
export function isCheckoutPage(path: string): boolean {
  return /^\/subscription\/?$/.test(path);
}

/**
 * What the checkout needs: nothing but on its own page, and nothing there either while payments are off. A script
 * from another host than the vendor's opens that host alone.
 */
export function checkoutHosts(razorpay: RazorpayConfig | null, path: string): ThirdPartyHosts {
  if (razorpay === null || !isCheckoutPage(path)) return NO_HOSTS;
  const { origin } = new URL(razorpay.checkoutUrl);
  if (origin !== VENDOR) return { script: [origin], frame: [origin], connect: [origin] };
  return { script: [VENDOR], frame: [VENDOR_API, VENDOR], connect: [VENDOR_API, VENDOR_ANALYTICS] };
}
