import { randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Language } from '#locales/languages.ts';
import { duplicateUserError, type UserRow } from './profile.ts';
import type { ReaderPreferences } from './reader-preferences.ts';

/** Finds a user by email or username, ignoring case. */
export async function findUser(db: Kysely<Database>, name: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where(({ eb, fn, or }) =>
      or([
        eb(fn('lower', ['email']), '=', sql<string>`lower(${name})`),
        eb(fn('lower', ['username']), '=', sql<string>`lower(${name})`),
      ]),
    )
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Finds an active account by username or email. With `verifiedOnly` an unverified email does not match, since
 * anyone could have registered a colleague’s email.
 */
export async function findUserByLogin(
  db: Kysely<Database>,
  login: string,
  { verifiedOnly }: { verifiedOnly: boolean },
): Promise<{ id: string; username: string } | null> {
  const isEmail = login.includes('@');
  let accounts = db
    .selectFrom('users')
    .select(['id', 'username'])
    .where((eb) => eb(eb.fn('lower', [isEmail ? 'email' : 'username']), '=', login.toLowerCase()))
    .where('is_active', '=', true)
    .where('deletion_at', 'is', null);
  if (isEmail && verifiedOnly) accounts = accounts.where('email_verified_at', 'is not', null);
  return (await accounts.executeTakeFirst()) ?? null;
}

/** Language that the user has chosen, by default that of their browser at sign-up; English without such a user. */
export async function loadUserLanguage(db: Kysely<Database>, userId: string): Promise<Language> {
  const row = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst();
  return row?.language ?? 'en';
}

/**
 * Locks the row of a user, which serializes transactions that count rows of the user before adding one. Rows that only refer
 * to the user can still be inserted.
 */
export async function lockUser(db: Kysely<Database>, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

interface NewUser {
  username: string;
  email: string;
  /** Null for accounts that sign in with another service. */
  passwordHash: string | null;
  /** Time at which the email was verified; null when it was not. */
  emailVerifiedAt: Date | null;
  fullName?: string | null;
  preferences: Pick<ReaderPreferences, 'theme' | 'language'>;
  /** Set for an account that a directory provisions by SCIM. */
  provisioned?: { externalId: string | null; userName: string; isActive: boolean };
  /** Throws when this account may not be created. */
  checkAllowed(db: Kysely<Database>, isFirst: boolean): Promise<void>;
}

/**
 * Inserts a user; the first one becomes the administrator, also with concurrent registrations. Throws `conflict` for a
 * username or email that is taken.
 */
export async function insertUser(db: Kysely<Database>, user: NewUser): Promise<UserRow> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('first account', 0))`.execute(trx);
      const other = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
      const isFirst = other === undefined;
      await user.checkAllowed(trx, isFirst);
      return await trx
        .insertInto('users')
        .values({
          id: newId(),
          username: user.username,
          email: user.email,
          password_hash: user.passwordHash,
          email_verified_at: user.emailVerifiedAt,
          full_name: user.fullName ?? null,
          role: isFirst ? 'admin' : 'user',
          theme: user.preferences.theme,
          language: user.preferences.language,
          ...(user.provisioned && {
            external_id: user.provisioned.externalId,
            scim_user_name: user.provisioned.userName,
            is_active: user.provisioned.isActive,
          }),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    throw duplicateUserError(error) ?? error;
  }
}

const MAX_USERNAME_ATTEMPTS = 8;

/** Inserts a user whose username is derived from a name; digits are added while it is taken. Throws as `insertUser` does. */
export async function insertUserWithFreeName(
  db: Kysely<Database>,
  name: string,
  user: Omit<NewUser, 'username'>,
): Promise<UserRow> {
  const preferred = deriveUsername(name);
  for (let attempt = 1; ; attempt += 1) {
    const username = attempt === 1 ? preferred : `${preferred.slice(0, 27)}-${randomInt(1000, 10_000)}`;
    try {
      return await insertUser(db, { ...user, username });
    } catch (error) {
      const isTaken = error instanceof AppError && error.fields?.username !== undefined;
      if (!isTaken || attempt === MAX_USERNAME_ATTEMPTS) throw error;
    }
  }
}

/** `Ada Lovelace <ada.l@example.org>` → `ada-l`: 3 to 32 of the characters allowed in usernames. */
function deriveUsername(name: string): string {
  const plain = name
    .split('@', 1)[0]!
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32);
  return plain.length >= 3 ? plain : `user-${randomInt(1000, 10_000)}`;
}
