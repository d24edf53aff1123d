import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '#secrets/keys.ts';

/** A refresh token's place: the session that it renews, and how many came before it. */
export interface RefreshPlace {
  sessionId: string;
  counter: number;
}

/**
 * `session.counter.MAC`. The MAC follows from the rest, so a token whose reply was lost can be handed out again
 * although none is stored.
 */
export function writeRefreshToken(keys: string[], { sessionId, counter }: RefreshPlace): string {
  return `${sessionId}.${counter}.${mac(keys[0]!, sessionId, counter).toString('base64url')}`;
}

/** The place of a token that one of our keys made; null for anything else. */
export function readRefreshToken(keys: string[], text: string): RefreshPlace | null {
  const [, sessionId = '', counter = '', tag = ''] =
    /^([\w-]{1,64})\.(\d{1,9})\.([\w-]{43})$/.exec(text) ?? [];
  if (sessionId === '') return null;
  const given = Buffer.from(tag, 'base64url');
  const isOurs = keys.some((key) => timingSafeEqual(given, mac(key, sessionId, Number(counter))));
  return isOurs ? { sessionId, counter: Number(counter) } : null;
}

function mac(key: string, sessionId: string, counter: number): Buffer {
  return createHmac('sha256', deriveKey([key], 'refresh'))
    .update(`${sessionId}.${counter}`)
    .digest();
}
