import { createHmac, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { deriveKey } from '#secrets/keys.ts';

const CODE_COUNT = 10;
const CODE_LENGTH = 12;
/** Excludes 0, 1, I, L, O and U, which are easily confused when read aloud or copied from paper. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

interface RecoveryCodeDeps {
  db: Kysely<Database>;
  keys: string[];
}

/** Replaces the user’s recovery codes with ten new single-use codes of 58 bits each. */
export async function createRecoveryCodes({ db, keys }: RecoveryCodeDeps, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, () =>
    Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, digest: hashCode(keys[0]!, userId, code) })))
    .execute();
  return codes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/** Consumes a code, ignoring case and separators. Returns false for an unknown or used code. */
export async function consumeRecoveryCode(
  { db, keys }: RecoveryCodeDeps,
  userId: string,
  input: string,
): Promise<boolean> {
  const code = input.replace(/[\s-]/g, '').toLowerCase();
  const deleted = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(
      'digest',
      'in',
      keys.map((key) => hashCode(key, userId, code)),
    )
    .executeTakeFirst();
  return deleted.numDeletedRows > 0n;
}

/** Keyed, since the codes are short enough to brute-force from a leaked table. */
function hashCode(key: string, userId: string, code: string): string {
  return createHmac('sha256', deriveKey([key], 'recovery codes'))
    .update(`${userId}.${code}`)
    .digest('base64url');
}
