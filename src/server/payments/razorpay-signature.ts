import { createHmac, timingSafeEqual } from 'node:crypto';

/** True when `signature` is the HMAC-SHA256 of the payload in lowercase hex. Compares in constant time. */
export function isValidSignature(payload: string | Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(signPayload(payload, secret));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** Signature that Razorpay computes for a payload. */
export function signPayload(payload: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(payload).digest('hex');
}

/**
 * Payload of the checkout signature. The order id must be the stored one, never the one that came with the
 * signature.
 */
export function checkoutPayload(orderId: string, paymentId: string): string {
  return `${orderId}|${paymentId}`;
}
