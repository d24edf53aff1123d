import type { FastifyInstance } from 'fastify';
import type { accountRoutes } from '#contract/account.ts';
import type { RouteData } from '#contract/route.ts';
import type { Caller } from '../access.ts';
import { confirmOwner } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { requestLetter } from '../letters.ts';
import { consume } from '../limits.ts';
import { dropSecrets } from '../one-time.ts';
import { ownAddress } from '../own-address.ts';
import { takenError, type UserRow } from '../profile.ts';
import { findUser } from '../users.ts';

type Body = RouteData<typeof accountRoutes.changeProfile>['body'];

interface Change {
  caller: Caller;
  body: Body;
  ip: string;
}

/**
 * Changes what the caller may change about themselves. A new email waits until it is confirmed, where the server can
 * send letters; elsewhere it counts at once. Throws `conflict` for what is taken, and what `confirmOwner` throws.
 */
export async function changeProfile(
  app: FastifyInstance,
  deps: Deps,
  { caller, body, ip }: Change,
): Promise<{ before: UserRow; after: UserRow }> {
  const before = await deps.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', caller.userId)
    .executeTakeFirstOrThrow();
  const { email, ...others } = changesOf(body);
  const address = await addressChange(deps, before, email);
  if (address.email || address.pending_email) {
    const { current_password } = body;
    const words = 'Enter your current password to change the email';
    await confirmOwner(app, deps, caller, { current_password, ip, words });
  }
  if (address.pending_email)
    await consume(deps, `confirm:${caller.userId}`, deps.config.limits.forgotPerAccount);
  const after = await update(deps, before, { ...others, ...address });
  if (address.pending_email !== undefined) await dropSecrets(deps.db, 'email', caller.userId);
  if (address.email) await dropSecrets(deps.db, 'password', caller.userId);
  if (address.pending_email) {
    const origin = ownAddress(app, deps.config);
    await requestLetter(deps, { kind: 'email_confirm', userId: caller.userId, origin });
  }
  if (address.email) {
    deps.events.emit({ type: 'account-changed', userId: caller.userId, change: 'email_changed' });
  }
  return { before, after };
}

/** What becomes of the address: nothing, a new one at once, one that waits, or the end of one that waited. */
async function addressChange(
  deps: Pick<Deps, 'db' | 'config'>,
  user: UserRow,
  wished: string | undefined,
): Promise<{ email?: string; email_verified_at?: null; pending_email?: string | null }> {
  if (wished === undefined || wished === user.pending_email) return {};
  if (wished === user.email) return user.pending_email === null ? {} : { pending_email: null };
  if (deps.config.mail.smtpUrl === null) return { email: wished, email_verified_at: null };
  const other = await findUser(deps.db, wished);
  if (other && other.id !== user.id) throw takenError({ code: '23505', constraint: 'users_email' });
  return { pending_email: wished };
}

/** What is stored of a request, name by name: whatever else it holds changes nothing. */
function changesOf(body: Body) {
  const { full_name, username, email, bio, location, website, preferences = {} } = body;
  const { email_notifications, push_notifications, notification_scope, theme, language } = preferences;
  const changes = { full_name, username, email, bio, location, website };
  return { ...changes, email_notifications, push_notifications, notification_scope, theme, language };
}

async function update({ db }: Pick<Deps, 'db'>, user: UserRow, changes: Partial<UserRow>): Promise<UserRow> {
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
    throw takenError(error) ?? error;
  }
}
