import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** Steps before and after the present one whose codes are taken: clocks differ, and typing takes time. */
const WINDOW = 1;

/** A new key for an authenticator, 160 bits in base32 (RFC 4226 recommends this length). */
export function newTotpKey(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address that a QR code carries to an authenticator app; the account is named in it. */
export function totpUri(key: string, account: string): string {
  return totp(key, account).toString();
}

/**
 * The time step whose code this is, or null for a wrong one. Codes of six digits by RFC 6238, with SHA-1 and 30 seconds:
 * the only values that every authenticator knows.
 */
export function stepOfCode(key: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = totp(key).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
}

/** The code that an authenticator with this key shows. */
export function codeAt(key: string, now: Date): string {
  return totp(key).generate({ timestamp: now.getTime() });
}

function totp(key: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Hindsight',
    label,
    period: PERIOD_S,
    digits: 6,
    algorithm: 'SHA1',
    secret: key,
  });
}
