import { createHmac, timingSafeEqual } from 'node:crypto';
import { API_PREFIX } from '#contract/route.ts';
import { deriveKey } from '#secrets/keys.ts';

/**
 * Signs the link that ends emails of notifications, in the form `user id "." signature`. It does not expire, since an
 * old email must still be able to unsubscribe, and permits nothing else.
 */
function signUnsubscribeToken(keys: string[], userId: string): string {
  return `${userId}.${signatureOf([keys[0]!], userId)}`;
}

/** URL that ends emails of notifications to a user by one POST. */
export function createUnsubscribeUrl(
  keys: string[],
  { userId, origin }: { userId: string; origin: string },
): string {
  const key = encodeURIComponent(signUnsubscribeToken(keys, userId));
  return `${origin}${API_PREFIX}/notifications/email/unsubscribe?key=${key}`;
}

/** Returns the id of the user whose emails a token ends; null for any other text. */
export function verifyUnsubscribeToken(keys: string[], token: string): string | null {
  const [userId = '', signature = ''] = token.split('.');
  const given = Buffer.from(signature);
  const isValid = keys.some((key) => {
    const expected = Buffer.from(signatureOf([key], userId));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return isValid ? userId : null;
}

function signatureOf(keys: string[], userId: string): string {
  return createHmac('sha256', deriveKey(keys, 'unsubscribe')).update(userId).digest('base64url');
}
