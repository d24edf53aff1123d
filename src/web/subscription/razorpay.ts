import type { ApiInput } from '#contract/api.ts';

/** What the checkout hands over after a payment, to be verified by the server. */
export type PaymentConfirmation = ApiInput<'POST /payments/verify-payment'>['body'];

/** What the checkout is told. */
export interface CheckoutOptions {
  key: string;
  order_id: string;
  /** Paise. */
  amount: number;
  currency: string;
  name: string;
  description: string;
  prefill: { name: string; email: string };
}

interface RazorpayGlobal {
  Razorpay: new (
    options: CheckoutOptions & {
      handler: (paid: PaymentConfirmation) => void;
      modal: { ondismiss: () => void };
    },
  ) => { open(): void };
}

declare global {
  interface Window extends Partial<RazorpayGlobal> {}
}

/** Loads the vendor's script, once. Rejects when it does not come. */
export async function loadCheckout(url: string): Promise<void> {
  if (window.Razorpay) return;
  await new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.onload = resolve;
    script.onerror = () => {
      script.remove();
      reject(new Error('The checkout could not be loaded'));
    };
    document.head.append(script);
  });
}

/** Opens the checkout over the page; null when the reader closes it without paying. Throws when it can't open. */
export async function openCheckout(options: CheckoutOptions): Promise<PaymentConfirmation | null> {
  const { Razorpay } = window;
  if (!Razorpay) throw new Error('The checkout is not there');
  return await new Promise((resolve) => {
    new Razorpay({ ...options, handler: resolve, modal: { ondismiss: () => resolve(null) } }).open();
  });
}
