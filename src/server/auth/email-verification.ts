import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { consumeToken, revokeTokens } from '../identity/one-time-tokens.ts';
import { duplicateUserError } from '../identity/profile.ts';
import { consume } from '../rate-limit/rate-limiter.ts';

/** Serves the verification of email addresses for new accounts and changed emails. */
export function serveEmailVerification(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.resendVerification, async ({ caller }) => {
    const user = await deps.db
      .selectFrom('users')
      .select(['email_verified_at', 'pending_email'])
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    const isPending = user.pending_email !== null || user.email_verified_at === null;
    if (deps.config.mail.smtpUrl === null || !isPending) {
      throw new AppError('conflict', 'no_pending_email');
    }
    await consume(deps, `confirm:${caller.userId}`, deps.config.limits.forgotPerAccount);
    const baseUrl = resolvePublicUrl(app, deps.config);
    await queueEmail(deps, { kind: 'email_confirm', userId: caller.userId, origin: baseUrl });
    return { ok: true as const };
  });

  serve(app, authRoutes.verifyEmail, async ({ body, request }) => {
    const confirmed = await deps.db
      .transaction()
      .execute(async (trx) => await confirmEmail({ db: trx, now: deps.now }, body.token))
      .catch((error) => {
        throw duplicateUserError(error) ?? error;
      });
    if (!confirmed) throw linkExpired();
    const { userId, email, before } = confirmed;
    const event = before === null ? 'email_verified' : 'email_changed';
    await recordAuditEvent(deps.db, { userId, event, detail: { email }, ...clientInfo(request) });
    if (before !== null) {
      const baseUrl = resolvePublicUrl(app, deps.config);
      await queueEmail(deps, { kind: 'email_changed', userId, to: before, origin: baseUrl });
      deps.events.emit({ type: 'account-changed', userId, change: 'email_changed' });
    }
    return { email };
  });
}

/**
 * Consumes a link and marks its email as verified if it is still the account’s current or pending email; `before`
 * is the replaced email. Throws the database error for an email that is taken.
 */
async function confirmEmail(
  deps: Pick<Deps, 'db' | 'now'>,
  secret: string,
): Promise<{ userId: string; email: string; before: string | null } | null> {
  const consumed = await consumeToken(deps, 'email_verification', secret);
  if (!consumed?.userId) return null;
  const { userId } = consumed;
  const { email } = consumed.data;
  const user = await deps.db
    .selectFrom('users')
    .select(['email', 'pending_email'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user || (email !== user.pending_email && email !== user.email)) return null;
  const isChange = email === user.pending_email;
  await deps.db
    .updateTable('users')
    .set({ email_verified_at: deps.now(), ...(isChange && { email, pending_email: null }) })
    .where('id', '=', userId)
    .execute();
  // Invalidates the links that were sent to the previous email.
  if (isChange) await revokeTokens(deps.db, 'password_reset', userId);
  await revokeTokens(deps.db, 'email_verification', userId);
  return { userId, email, before: isChange ? user.email : null };
}

function linkExpired(): AppError {
  return new AppError('bad_request', 'link_expired', {
    reason: 'link_expired',
  });
}
