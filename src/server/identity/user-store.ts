import { type Kysely, sql } from 'kysely';
import { newId } from '#db/ids.ts';
import type { Database } from '#db/schema.ts';
import type { Language } from '#locales/languages.ts';
import { duplicateUserError, type UserRow } from './profile.ts';
import type { ReaderPreferences } from './reader-preferences.ts';

/** The user with this email or username, in any case. */
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

/** Language that the user has chosen, by default that of their browser at sign-up; English without such a user. */
export async function loadLanguage(db: Kysely<Database>, userId: string): Promise<Language> {
  const row = await db.selectFrom('users').select('language').where('id', '=', userId).executeTakeFirst();
  return row?.language ?? 'en';
}

/**
 * Serialises what counts for one user: whoever locks, counts and then adds in a transaction does so alone. Rows that merely
 * refer to the user can be added meanwhile.
 */
export async function lockUser(db: Kysely<Database>, userId: string): Promise<void> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}

export interface NewUser {
  username: string;
  email: string;
  /** Null for somebody who signs in elsewhere. */
  passwordHash: string | null;
  /** When the address was shown to be theirs; null when nobody has asked yet. */
  emailVerifiedAt: Date | null;
  fullName?: string | null;
  preferences: Pick<ReaderPreferences, 'theme' | 'language'>;
  /** Throws when this account, the first or a later one, may not be made. */
  checkAllowed(db: Kysely<Database>, isFirst: boolean): Promise<void>;
}

/**
 * Adds a user; the very first becomes the administrator, one of two who come at once. Throws `conflict` for a
 * name or an address that is taken.
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
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    });
  } catch (error) {
    throw duplicateUserError(error) ?? error;
  }
}
