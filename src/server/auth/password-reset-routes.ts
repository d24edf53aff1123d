import type { FastifyInstance } from 'fastify';
import { authRoutes } from '#contract/auth.ts';
import { AppError } from '#contract/errors.ts';
import type { Deps } from '../deps.ts';
import { resolvePublicUrl } from '../http/public-url.ts';
import { serve } from '../http/serve.ts';
import { queueEmail } from '../identity/account-emails.ts';
import { clientInfo, recordAuditEvent } from '../identity/audit-log.ts';
import { emitSessionEnded } from '../identity/end-sessions.ts';
import { tokenDigest } from '../identity/one-time-tokens.ts';
import { clearFailures } from '../rate-limit/login-throttle.ts';
import { consume, increment } from '../rate-limit/rate-limiter.ts';
import { requireStrongPassword } from './common-passwords.ts';
import { completeReset, findResetUser } from './password-reset.ts';

/** Serves password reset requests and the reset itself. */
export function servePasswordReset(app: FastifyInstance, deps: Deps): void {
  serve(app, authRoutes.forgotPassword, async ({ body }) => {
    const { max, seconds } = deps.config.limits.forgotPerAccount;
    const { uses } = await increment(
      deps,
      `forgot:account:${tokenDigest(body.email.toLowerCase())}`,
      seconds,
    );
    // Over the limit the reply is unchanged, which prevents account enumeration.
    if (uses <= max) {
      const baseUrl = resolvePublicUrl(app, deps.config);
      await queueEmail(deps, { kind: 'password_reset', email: body.email, origin: baseUrl });
    }
    return { ok: true as const };
  });

  serve(app, authRoutes.resetPassword, async ({ body, request }) => {
    await consume(deps, `reset:link:${tokenDigest(body.token)}`, deps.config.limits.resetPerLink);
    const user = await findResetUser(deps, body.token);
    if (!user) throw linkExpired();
    requireStrongPassword(deps.config, 'new_password', body.new_password, user);
    const ended = await completeReset(deps, body.token, await app.passwords.hash(body.new_password));
    if (!ended) throw linkExpired();
    for (const name of [user.email, user.username]) await clearFailures(deps, name, request.ip);
    emitSessionEnded(deps, ended);
    await recordAuditEvent(deps.db, { userId: user.id, event: 'password_reset', ...clientInfo(request) });
    deps.events.emit({ type: 'password-changed', userId: user.id });
    return { ok: true as const };
  });
}

function linkExpired(): AppError {
  return new AppError('bad_request', 'link_expired', {
    reason: 'link_expired',
  });
}
