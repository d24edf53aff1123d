import type { FastifyRequest } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#contract/errors.ts';
import type { OAuthProviderName } from '#contract/identities.ts';
import type { Database } from '#db/schema.ts';
import type { Deps } from '../deps.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import type { UserRow } from '../identity/profile.ts';
import { readPreferences } from '../identity/reader-preferences.ts';
import { checkSignupAllowed } from '../identity/signup.ts';
import { insertUserWithFreeName } from '../identity/user-store.ts';
import type { ExternalProfile } from './providers/oauth-provider.ts';

type IdentityDeps = Pick<Deps, 'db' | 'config' | 'events' | 'now'>;

/** Result of an OAuth callback, with the request that carried it. */
interface OAuthSignIn {
  provider: OAuthProviderName;
  profile: ExternalProfile;
  invitation: string | null;
  request: FastifyRequest;
}

/**
 * Resolves an external account to a local one: the linked account; else the account with the same email, if both sides have verified it; else a new account.
 * @throws AppError `conflict` (`email_unverified`, `account_not_linked`), and everything that sign-up throws
 */
export async function resolveAccount(deps: IdentityDeps, signIn: OAuthSignIn): Promise<UserRow> {
  const { provider, profile } = signIn;
  const linkedUser = await deps.db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.subject', '=', profile.subject)
    .executeTakeFirst();
  if (linkedUser) return linkedUser;
  const { email } = profile;
  if (email === null || !profile.emailVerified) {
    throw new AppError('conflict', 'external_email_unverified', {
      reason: 'email_unverified',
    });
  }
  const emailOwner = await deps.db
    .selectFrom('users')
    .selectAll()
    .where(({ eb, fn }) => eb(fn<string>('lower', ['email']), '=', sql<string>`lower(${email})`))
    .executeTakeFirst();
  if (!emailOwner) return await createAccount(deps, signIn, email);
  // An unverified local email may have been registered by someone else to hijack this account.
  if (emailOwner.email_verified_at === null) {
    throw new AppError('conflict', 'external_email_in_use', {
      reason: 'account_not_linked',
    });
  }
  await linkIdentity(deps, emailOwner.id, signIn);
  return emailOwner;
}

/**
 * Links an external account to a user. Throws `conflict` (`already_linked`) when it is linked to another user, or
 * the user has linked another account of that provider.
 */
export async function linkIdentity(
  deps: IdentityDeps,
  userId: string,
  { provider, profile, request }: Omit<OAuthSignIn, 'invitation'>,
): Promise<void> {
  const isNew = await insertIdentity(deps.db, userId, provider, profile);
  if (!isNew) {
    throw new AppError('conflict', 'external_account_connected', {
      reason: 'already_linked',
    });
  }
  const detail = { provider, name: profile.name };
  await recordAuditEvent(deps.db, { userId, event: 'identity_linked', detail, ...clientInfo(request) });
  deps.events.emit({ type: 'account-changed', userId, change: 'identity_linked' });
}

async function insertIdentity(
  db: Kysely<Database>,
  userId: string,
  provider: OAuthProviderName,
  { subject, name }: ExternalProfile,
): Promise<boolean> {
  const row = await db
    .insertInto('identities')
    .values({ provider, subject, user_id: userId, name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  return row !== undefined;
}

async function createAccount(deps: IdentityDeps, signIn: OAuthSignIn, email: string): Promise<UserRow> {
  const { provider, profile, invitation, request } = signIn;
  const user = await insertUserWithFreeName(deps.db, profile.name, {
    email,
    passwordHash: null,
    emailVerifiedAt: deps.now(),
    fullName: profile.fullName?.slice(0, 100) ?? null,
    preferences: readPreferences(request),
    checkAllowed: (db, isFirst) => checkSignup({ ...deps, db }, isFirst, { email, invitation }),
  });
  await insertIdentity(deps.db, user.id, provider, profile);
  const detail = { by: provider };
  await recordAuditEvent(deps.db, { userId: user.id, event: 'signed_up', detail, ...clientInfo(request) });
  return user;
}

/** The first account requires the setup code, which only the sign-up form asks for. */
async function checkSignup(
  deps: Pick<Deps, 'db' | 'config' | 'now'>,
  isFirst: boolean,
  applicant: { email: string; invitation: string | null },
): Promise<void> {
  if (!isFirst) return await checkSignupAllowed(deps, applicant);
  throw new AppError('conflict', 'first_account_needs_password', {
    reason: 'first_account',
  });
}
