import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#secrets/keys.ts';

/** Session of a refresh token and the number of rotations before it. */
export interface RefreshTokenClaims {
  sessionId: string;
  counter: number;
}

/**
 * Formats `session.counter.MAC`. The MAC is derived from the other parts, so a token whose reply was lost can be
 * reissued although no token is stored.
 */
export function encodeRefreshToken(keys: string[], { sessionId, counter }: RefreshTokenClaims): string {
  return `${sessionId}.${counter}.${computeMac(keys[0]!, sessionId, counter).toString('base64url')}`;
}

/** Verifies a token against all keys and returns its claims; null for an invalid token. */
export function verifyRefreshToken(keys: string[], text: string): RefreshTokenClaims | null {
  const [, sessionId = '', counter = '', encodedMac = ''] =
    /^([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})$/.exec(text) ?? [];
  if (sessionId === '') return null;
  const actualMac = Buffer.from(encodedMac, 'base64url');
  const isValid = keys.some((key) => timingSafeEqual(actualMac, computeMac(key, sessionId, Number(counter))));
  return isValid ? { sessionId, counter: Number(counter) } : null;
}

function computeMac(key: string, sessionId: string, counter: number): Buffer {
  return createHmac('sha256', deriveKey([key], 'refresh'))
    .update(`${sessionId}.${counter}`)
    .digest();
}
