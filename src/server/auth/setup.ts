import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { deriveKey } from '#secrets/keys.ts';

/**
 * The code that the first account must show on a server that listens beyond loopback, so that the administrator
 * is who can read the server's output. It follows from the secret key: the same at every start, stored nowhere.
 */
export function setupCode(keys: string[]): string {
  const digits = deriveKey(keys, 'setup code').toString('hex').slice(0, 16).toUpperCase();
  return digits.match(/.{4}/g)!.join('-');
}

/** Whether a code fits, in equal time, however it was typed. */
export function isSetupCode(keys: string[], typed: string): boolean {
  const digest = (text: string) =>
    createHash('sha256').update(text.replace(/[\s-]/g, '').toUpperCase()).digest();
  return timingSafeEqual(digest(typed), digest(setupCode(keys)));
}

/** Whether others than the users of this very machine can reach the server. */
export function listensBeyondLoopback({ host }: { host: string }): boolean {
  return !(host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.')));
}

/** Whether anybody has signed up yet. */
export async function hasAccounts(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}
