import { createHmac, randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import { deriveKey } from '#secrets/keys.ts';

const HOW_MANY = 10;
const LENGTH = 12;
/** Without 0, 1, I, L, O and U: they are read aloud and copied from paper. */
const ALPHABET = '23456789abcdefghjkmnpqrstvwxyz';

interface Needs {
  db: Kysely<Database>;
  keys: string[];
}

/** Makes ten codes that stand for the second factor, once each, in place of all earlier ones; 58 bits each. */
export async function makeRecoveryCodes({ db, keys }: Needs, userId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, () =>
    Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, digest: digest(keys[0]!, userId, code) })))
    .execute();
  return codes.map((code) => code.match(/.{4}/g)!.join('-'));
}

/** Uses a code up, however it was typed; false for one that was used already or never was. */
export async function takeRecoveryCode({ db, keys }: Needs, userId: string, typed: string): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, '').toLowerCase();
  const used = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(
      'digest',
      'in',
      keys.map((key) => digest(key, userId, code)),
    )
    .executeTakeFirst();
  return used.numDeletedRows > 0n;
}

/** Keyed, since the codes are short enough to be tried out by whoever has the table alone. */
function digest(key: string, userId: string, code: string): string {
  return createHmac('sha256', deriveKey([key], 'recovery codes'))
    .update(`${userId}.${code}`)
    .digest('base64url');
}
