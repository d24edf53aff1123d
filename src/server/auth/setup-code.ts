import { createHash, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { deriveKey } from '#secrets/keys.ts';

/**
 * Code required for the first account on a server that listens beyond loopback; it proves access to the server’s
 * output. Derived from the secret key: stable across restarts and never stored.
 */
export function setupCode(keys: string[]): string {
  const digits = deriveKey(keys, 'setup code').toString('hex').slice(0, 16).toUpperCase();
  return digits.match(/.{4}/g)!.join('-');
}

/** True when the code matches, ignoring case and separators. Compares in constant time. */
export function isSetupCode(keys: string[], input: string): boolean {
  const digest = (text: string) =>
    createHash('sha256').update(text.replace(/[\s-]/g, '').toUpperCase()).digest();
  return timingSafeEqual(digest(input), digest(setupCode(keys)));
}

/** True when at least one account exists. */
export async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
