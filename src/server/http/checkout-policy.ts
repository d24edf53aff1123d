import type { RazorpayConfig } from '../deps.ts';

/** Third-party origins that the CSP of a page allows. */
export interface ThirdPartyHosts {
  script: string[];
  frame: string[];
  connect: string[];
}

const NO_HOSTS: ThirdPartyHosts = { script: [], frame: [], connect: [] };

const VENDOR = 'https://checkout.razorpay.com';
const VENDOR_API = 'https://api.razorpay.com';
const VENDOR_ANALYTICS = 'https://lumberjack.razorpay.com';

/** True for the only page that opens the checkout; it is entered and left by a full page load. */
export function isCheckoutPage(path: string): boolean {
  return /^\/subscription\/?$/.test(path);
}

/**
 * Returns the origins that the checkout needs: none on other pages or without payments. A script from another host than the
 * vendor's allows that host only.
 */
export function checkoutHosts(razorpay: RazorpayConfig | null, path: string): ThirdPartyHosts {
  if (razorpay === null || !isCheckoutPage(path)) return NO_HOSTS;
  const { origin } = new URL(razorpay.checkoutUrl);
  if (origin !== VENDOR) return { script: [origin], frame: [origin], connect: [origin] };
  return { script: [VENDOR], frame: [VENDOR_API, VENDOR], connect: [VENDOR_API, VENDOR_ANALYTICS] };
}
