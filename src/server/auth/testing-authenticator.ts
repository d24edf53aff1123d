import { TOTP } from 'otpauth';

/** Code that an authenticator app with this secret shows: its defaults are six digits, SHA-1 and 30 seconds. */
export function generateTotp(secret: string, now: Date): string {
  return new TOTP({ secret }).generate({ timestamp: now.getTime() });
}
