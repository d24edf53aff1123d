import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';

/** Data of each kind of one-time token. */
export interface TokenData {
  /** Resets a password. */
  password_reset: Record<never, never>;
  /** Confirms the email it was sent to. */
  email_verification: { email: string };
  /** Continues a sign-in with its second factor. */
  two_factor: { remember: boolean };
  /** State of an OAuth sign-in; `linkTo` links the external account to a signed-in user. */
  oauth: {
    provider: string;
    verifier: string;
    nonce: string;
    next: string | null;
    remember: boolean;
    invitation: string | null;
    linkTo: string | null;
  };
  /** Downloads a data export. */
  data_export: Record<never, never>;
}

type TokenPurpose = keyof TokenData;

/** A valid token. */
interface OneTimeToken<P extends TokenPurpose> {
  userId: string | null;
  data: TokenData[P];
}

type TokenDeps = { db: Kysely<Database>; now: Deps['now'] };

/** Issues a 256-bit token that is valid once within `seconds`; only its digest is stored. */
export async function issueToken<P extends TokenPurpose>(
  { db, now }: TokenDeps,
  options: { purpose: P; userId: string | null; data: TokenData[P]; seconds: number },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const time = now();
  await db.deleteFrom('one_time_tokens').where('expires_at', '<=', time).execute();
  await db
    .insertInto('one_time_tokens')
    .values({
      digest: tokenDigest(token),
      purpose: options.purpose,
      user_id: options.userId,
      data: JSON.stringify(options.data),
      expires_at: new Date(time.getTime() + options.seconds * 1000),
    })
    .execute();
  return token;
}

/** Returns a token without consuming it; null when it was consumed, has expired or never existed. */
export async function findToken<P extends TokenPurpose>(
  { db, now }: TokenDeps,
  purpose: P,
  token: string,
): Promise<OneTimeToken<P> | null> {
  const row = await db
    .selectFrom('one_time_tokens')
    .select(['user_id', 'data'])
    .where('digest', '=', tokenDigest(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data as TokenData[P] } : null;
}

/** Consumes a token; of two concurrent calls one returns null. */
export async function consumeToken<P extends TokenPurpose>(
  { db, now }: TokenDeps,
  purpose: P,
  token: string,
): Promise<OneTimeToken<P> | null> {
  const row = await db
    .deleteFrom('one_time_tokens')
    .where('digest', '=', tokenDigest(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now())
    .returning(['user_id', 'data'])
    .executeTakeFirst();
  return row ? { userId: row.user_id, data: row.data as TokenData[P] } : null;
}

/** Revokes all tokens of one purpose that a user holds. */
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

/** Digest under which a token is stored and its attempts are counted. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
