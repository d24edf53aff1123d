import type { ApiInput } from '#contract/api.ts';

/** Result of a checkout, to be verified by the server. */
export type PaymentConfirmation = ApiInput<'POST /payments/verify-payment'>['body'];

/** Options of the checkout. */
interface CheckoutOptions {
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

/** Loads the Razorpay script once. Rejects when it fails. */
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

/** Opens the checkout; resolves to null when it is dismissed. Throws when it cannot open. */
export async function openCheckout(options: CheckoutOptions): Promise<PaymentConfirmation | null> {
  const { Razorpay } = window;
  if (!Razorpay) throw new Error('The checkout is not there');
  return await new Promise((resolve) => {
    new Razorpay({ ...options, handler: resolve, modal: { ondismiss: () => resolve(null) } }).open();
  });
}
