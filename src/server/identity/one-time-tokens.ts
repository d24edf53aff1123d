import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** What each kind of secret holds: who shows it may do what it says, once. */
export interface TokenData {
  /** A new password. */
  password_reset: Record<never, never>;
  /** The address that its letter went to. */
  email_verification: { email: string };
  /** A sign-in that still needs its second factor. */
  two_factor: { remember: boolean };
  /** A sign-in under way at another service; `linkTo` connects that account to a user who is signed in. */
  oauth: {
    provider: 'github' | 'google';
    verifier: string;
    nonce: string;
    next: string | null;
    remember: boolean;
    invitation: string | null;
    linkTo: string | null;
  };
  /** The download of everything that a user owns. */
  data_export: Record<never, never>;
}

export type TokenPurpose = keyof TokenData;

/** A secret as it was found. */
export interface OneTimeToken<P extends TokenPurpose> {
  userId: string | null;
  data: TokenData[P];
}

type Needs = { db: Kysely<Database>; now: Deps['now'] };

/** Makes a secret of 256 bits that works once within `seconds`; only its digest is stored. */
export async function issueToken<P extends TokenPurpose>(
  { db, now }: Needs,
  secret: { purpose: P; userId: string | null; data: TokenData[P]; seconds: number },
): Promise<string> {
  const text = randomBytes(32).toString('base64url');
  const time = now();
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', time).execute();
  await db
    .insertInto('one_time_tokens')
    .values({
      digest: tokenDigest(text),
      purpose: secret.purpose,
      user_id: secret.userId,
      data: JSON.stringify(secret.data),
      expires_at: new Date(time.getTime() + secret.seconds * 1000),
    })
    .execute();
  return text;
}

/** What a secret stands for, without using it up; null when it was used, is over, or never was. */
export async function findToken<P extends TokenPurpose>(
  { db, now }: Needs,
  purpose: P,
  text: string,
): Promise<OneTimeToken<P> | null> {
  const row = await db
    .selectFrom('one_time_tokens')
    .select(['user_id', 'data'])
    .where('digest', '=', tokenDigest(text))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data as TokenData[P] } : null;
}

/** Uses a secret up; of two who come at once with one, one gets null. */
export async function consumeToken<P extends TokenPurpose>(
  { db, now }: Needs,
  purpose: P,
  text: string,
): Promise<OneTimeToken<P> | null> {
  const row = await db
    .deleteFrom('one_time_tokens')
    .where('digest', '=', tokenDigest(text))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .returning(['user_id', 'data'])
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data as TokenData[P] } : null;
}

/** Makes every secret of a kind that a user still holds worthless. */
export async function revokeTokens(
  db: Kysely<Database>,
  purpose: TokenPurpose,
  userId: string,
): Promise<void> {
  await db
    .deleteFrom('one_time_tokens')
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .execute();
}

/** The name under which a secret is stored and its tries are counted. */
export function tokenDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
