import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import { audit, origin } from '../audit.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { requestLetter } from '../letters.ts';
import { addressKey, consume } from '../limits.ts';
import { dropSecrets, takeSecret } from '../one-time.ts';
import { ownAddress } from '../own-address.ts';
import { takenError } from '../profile.ts';
import { requireOwnOrigin } from '../security.ts';

/** Serves the confirmation of email addresses, of new accounts and of changed ones. */
export function serveConfirmations(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.askVerification, async ({ caller, request }) => {
    requireOwnOrigin(request, deps.config);
    const user = await deps.db
      .selectFrom('users')
      .select(['email_verified_at', 'pending_email'])
      .where('id', '=', caller.userId)
      .executeTakeFirstOrThrow();
    const waits = user.pending_email !== null || user.email_verified_at === null;
    if (deps.config.mail.smtpUrl === null || !waits) {
      throw new AppError('conflict', 'There is no address that waits to be confirmed.');
    }
    await consume(deps, `confirm:${caller.userId}`, deps.config.limits.forgotPerAccount);
    const address = ownAddress(app, deps.config);
    await requestLetter(deps, { kind: 'email_confirm', userId: caller.userId, origin: address });
    return { ok: true as const };
  });

  serve(app, authRoutes.verifyEmail, async ({ body, request }) => {
    requireOwnOrigin(request, deps.config);
    await consume(deps, `confirm:${addressKey(request.ip)}`, deps.config.limits.resetPerAddress);
    const confirmed = await deps.db
      .transaction()
      .execute(async (trx) => await confirmEmail({ db: trx, now: deps.now }, body.token))
      .catch((error) => {
        throw takenError(error) ?? error;
      });
    if (!confirmed) throw linkIsOver();
    const { userId, email, before } = confirmed;
    const event = before === null ? 'email_verified' : 'email_changed';
    await audit(deps.db, { userId, event, detail: { email }, ...origin(request) });
    if (before !== null) {
      const address = ownAddress(app, deps.config);
      await requestLetter(deps, { kind: 'email_changed', userId, to: before, origin: address });
      deps.events.emit({ type: 'account-changed', userId, change: 'email_changed' });
    }
    return { email };
  });
}

/**
 * Uses a link up. The address that it went to is confirmed, if it is still the account's or the one that waits to be;
 * `before` is the address that it takes the place of. Throws what the database says of an address that is taken.
 */
async function confirmEmail(
  deps: Pick<Deps, 'db' | 'now'>,
  secret: string,
): Promise<{ userId: string; email: string; before: string | null } | null> {
  const used = await takeSecret(deps, 'email', secret);
  if (!used?.userId) return null;
  const { userId } = used;
  const { email } = used.data;
  const user = await deps.db
    .selectFrom('users')
    .select(['email', 'pending_email'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user || (email !== user.pending_email && email !== user.email)) return null;
  const changes = email === user.pending_email;
  await deps.db
    .updateTable('users')
    .set({ email_verified_at: deps.now(), ...(changes && { email, pending_email: null }) })
    .where('id', '=', userId)
    .execute();
  // Letters to the old address lead nowhere from now on.
  if (changes) await dropSecrets(deps.db, 'password', userId);
  await dropSecrets(deps.db, 'email', userId);
  return { userId, email, before: changes ? user.email : null };
}

function linkIsOver(): AppError {
  return new AppError('bad_request', 'This link has been used already, or is too old. Ask for a new one.', {
    reason: 'link_over',
  });
}
