import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Whether `signature` is the HMAC-SHA256 of `signed` in lower-case hex. Takes the same time wherever they differ.
 */
export function isValidSignature(signed: string | Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(signPayload(signed, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The signature that Razorpay would give. */
export function signPayload(signed: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(signed).digest('hex');
}

/** What the checkout signs. The order is the stored one, never the one that came with the signature. */
export function checkoutPayload(orderId: string, paymentId: string): string {
  return `${orderId}|${paymentId}`;
}
