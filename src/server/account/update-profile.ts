import type { FastifyInstance } from 'fastify';
import type { accountRoutes } from '#contract/account.ts';
import type { RouteData } from '#contract/route.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import type { Caller } from '../identity/access.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { revokeTokens } from '../identity/one-time-tokens.ts';
import { duplicateUserError, type UserRow } from '../identity/profile.ts';
import { requireReauthentication } from '../identity/reauthentication.ts';
import { findUser } from '../identity/user-store.ts';
import { consume } from '../rate-limit/rate-limiter.ts';

type Body = RouteData<typeof accountRoutes.updateProfile>['body'];

interface ProfileUpdate {
  caller: Caller;
  body: Body;
  ip: string;
}

/**
 * Updates the caller’s profile. A new email stays pending until it is confirmed when the server can send mail; otherwise it applies immediately.
 * @throws AppError `conflict` for a taken name or email, and everything that reauthentication throws
 */
export async function updateProfile(
  app: FastifyInstance,
  deps: Deps,
  { caller, body, ip }: ProfileUpdate,
): Promise<{ before: UserRow; after: UserRow }> {
  const before = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const { email, ...others } = toColumns(body);
  const emailColumns = await emailUpdate(deps, before, email);
  if (emailColumns.email || emailColumns.pending_email) {
    const { current_password } = body;
    const missingMessage = 'current_password_required_for_email';
    await requireReauthentication(app, deps, caller, { current_password, ip, missingMessage });
  }
  if (emailColumns.pending_email)
    await consume(deps, `confirm:${caller.userId}`, deps.config.limits.forgotPerAccount);
  const after = await updateUser(deps, before, { ...others, ...emailColumns });
  if (emailColumns.pending_email !== undefined)
    await revokeTokens(deps.db, 'email_verification', caller.userId);
  if (emailColumns.email) await revokeTokens(deps.db, 'password_reset', caller.userId);
  if (emailColumns.pending_email) {
    const origin = resolvePublicUrl(app, deps.config);
    await queueEmail(deps, { kind: 'email_confirm', userId: caller.userId, origin });
  }
  if (emailColumns.email) {
    deps.events.emit({ type: 'account-changed', userId: caller.userId, change: 'email_changed' });
  }
  return { before, after };
}

/**
 * Email columns to write: none, an immediate change, a pending change, or the cancellation of a pending one.
 */
async function emailUpdate(
  deps: Pick<Deps, 'db' | 'config'>,
  user: UserRow,
  requested: string | undefined,
): Promise<{ email?: string; email_verified_at?: null; pending_email?: string | null }> {
  if (requested === undefined || requested === user.pending_email) return {};
  if (requested === user.email) return user.pending_email === null ? {} : { pending_email: null };
  if (deps.config.mail.smtpUrl === null) return { email: requested, email_verified_at: null };
  const emailOwner = await findUser(deps.db, requested);
  if (emailOwner && emailOwner.id !== user.id)
    throw duplicateUserError({ code: '23505', constraint: 'users_email' });
  return { pending_email: requested };
}

/** Picks the updatable columns by name, so that other fields of the request have no effect. */
function toColumns(body: Body) {
  const { full_name, username, email, bio, location, website, preferences = {} } = body;
  const { email_notifications, push_notifications, notification_scope, email_frequency } = preferences;
  const { local_editor, theme, language } = preferences;
  return {
    ...{ full_name, username, email, bio, location, website, local_editor, theme, language },
    ...{ email_notifications, push_notifications, notification_scope, email_frequency },
  };
}

async function updateUser(
  { db }: Pick<Deps, 'db'>,
  user: UserRow,
  changes: Partial<UserRow>,
): Promise<UserRow> {
  if (Object.values(changes).every((value) => value === undefined)) return user;
  const { totp_last_step: _, ...rest } = changes;
  try {
    return await db
      .updateTable('users')
      .set(rest)
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    throw duplicateUserError(error) ?? error;
  }
}
