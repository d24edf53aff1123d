import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** Steps before and after the current one that are accepted, for clock drift and typing time. */
const STEP_TOLERANCE = 1;

/** Random secret of 160 bits for an authenticator app, in base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** `otpauth:` URI for a QR code, labeled with the account. */
export function totpUri(secret: string, account: string): string {
  return totp(secret, account).toString();
}

/**
 * Time step of a valid code, or null. Six digits, SHA-1 and 30 seconds (RFC 6238): the only parameters that all
 * authenticator apps support.
 */
export function verifyTotp(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totp(secret).validate({ token: code, timestamp, window: STEP_TOLERANCE });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Hindsight',
    label,
    period: PERIOD_S,
    digits: 6,
    algorithm: 'SHA1',
    secret,
  });
}
